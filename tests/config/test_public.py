"""The settings that an archive tells: those that differ from the defaults, and no password."""

from dataclasses import fields

import pytest

from ttcrawl.config import Config, read
from ttcrawl.config.key import keys
from ttcrawl.config.public import LONGEST, has_credentials, public_settings
from ttcrawl.config.sections import SECTIONS


def settings(*overrides):
    return public_settings(read(None, list(overrides)))


def test_the_defaults_are_not_told():
    assert settings() == []


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("crawl.max_pages", "30", "30"),
        ("politeness.obey_delay", "no", "no"),
        ("scope.rules", "exclude path:/a\nallow host:b.test", "exclude path:/a | allow host:b.test"),
        ("archive.operator", "Büro\n  für Netze", "Büro für Netze"),
        ("fetch.login", "a.test=me:s3cret b.test:81=you:s3%3Acret=", "a.test=(removed) b.test:81=(removed)"),
        ("fetch.proxy", "http://me:s3cret@127.0.0.1:3128", "http://(removed)@127.0.0.1:3128"),
        ("fetch.proxy", "socks4a://s3cret@[::1]:1080", "socks4a://(removed)@[::1]:1080"),
        ("fetch.proxy", "http://127.0.0.1:3128", "http://127.0.0.1:3128"),
        ("postgresql.url", "postgresql://me:a/s3cret@db.test/crawls", "(removed)"),
        ("postgresql.url", "postgresql://db.test/crawls?sslpassword=s3cret", "(removed)"),
        ("hooks.events", "host=/tmp password='s3 cret' user=x", "host=/tmp password=(removed) user=x"),
    ],
)
def test_a_setting_is_told_on_one_line_without_passwords(name, value, told):
    assert settings((name, value)) == [f"{name} = {told}"]


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("fetch.login", "a.test=me:s3cret", True),
        ("fetch.proxy", "http://me:s3cret@127.0.0.1:3128", True),
        ("fetch.proxy", "http://127.0.0.1:3128", False),
        ("postgresql.url", "postgresql://me:s3cret@db.test/crawls", True),
        ("postgresql.url", "postgres://:s3cret@/crawls", True),
        ("postgresql.url", "postgresql://me:a/s3cret@db.test/crawls", True),
        ("postgresql.url", "postgresql:///crawls?host=/tmp&password=s3cret", True),
        ("postgresql.url", "postgresql:///crawls?pass%77ord=s3cret", True),
        ("postgresql.url", "postgresql:///crawls?SSLPassword=s3cret", True),
        ("postgresql.url", "postgresql://me@db.test:5432/crawls", False),
        ("postgresql.url", "postgresql:///?service=crawls", False),
        ("agent.contact", "http://a.test/me", False),
    ],
)
def test_a_configuration_with_a_password(name, value, secret):
    assert has_credentials(read(None, [(name, value)])) == secret


def test_a_host_section_and_a_long_value():
    long = settings(("host:a.test.delay", "5"), ("crawl.metrics", "x" * 2000))
    assert long == [f"crawl.metrics = {'x' * LONGEST}...", "host:a.test.delay = 5"]


def test_every_section_is_told():
    """A section that is not listed would be left out silently."""
    assert {each.name for each in SECTIONS} | {"converters", "hosts"} == {each.name for each in fields(Config)}
    assert all(keys(each.default) for each in SECTIONS)
