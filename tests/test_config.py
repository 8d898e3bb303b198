"""config.ini: read once, every key known, every bad value refused with one line."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from ttcrawl.config import Config, ConfigError, example, read, resolve_map

ROOT = Path(__file__).parent.parent


def test_the_example_is_the_defaults():
    assert (ROOT / "config.ini").read_text() == example()
    assert read(ROOT / "config.ini") == Config() == read(None)


def test_a_configuration_survives_being_written_and_read(tmp_path):
    chosen = read(
        None,
        [
            ("scope.domains", "a.test\n b.test"),
            ("crawl.max_time", "1234567"),
            ("links.content_start", "<!-- C -->"),
            ("links.content_end", "-"),
        ],
    )
    path = tmp_path / "config.ini"
    path.write_text(example(chosen))
    again = read(path)
    assert again.scope.domains.split() == ["a.test", "b.test"]
    assert replace(again, scope=chosen.scope) == chosen


@pytest.mark.parametrize(
    ("section", "key", "text", "value"),
    [
        ("fetch", "max_body", "10m", 10 << 20),
        ("fetch", "max_body", "2 MB", 2 << 20),
        ("fetch", "max_body", "4096", 4096),
        ("politeness", "obey_delay", "No", False),
        ("politeness", "delay", "0.05", 0.05),
        ("frontier", "number_pattern", r"page-(\d+)", r"page-(\d+)"),
        ("agent", "contact", "https://example.org/bot", "https://example.org/bot"),
    ],
)
def test_values(section, key, text, value):
    assert getattr(getattr(read(None, [(f"{section}.{key}", text)]), section), key) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[polite]\n", "no section [polite]"),
        ("[politeness]\ndelays = 1\n", "no key 'delays'"),
        ("[politeness]\ndelay = fast\n", "write a number"),
        ("[politeness]\ndelay = -1\n", "from 0 to"),
        ("[politeness]\ndelay = nan\n", "from 0 to"),
        ("[politeness]\ndelay = inf\n", "from 0 to"),
        ("[politeness]\nobey_delay = perhaps\n", "write yes or no"),
        ("[crawl]\nthreads = 0\n", "from 1 to"),
        ("[crawl]\nthreads = 1.5\n", "write a whole number"),
        ("[fetch]\nmax_body = 10 parsecs\n", "write a whole number"),
        ("[fetch]\nresolve = example.org\n", "HOST:PORT:ADDRESS"),
        ("[fetch]\nresolve = example.org:99999:127.0.0.1\n", "HOST:PORT:ADDRESS"),
        ("[fetch]\nresolve = example.org:80:127.1\n", "HOST:PORT:ADDRESS"),
        ("[safety]\nallow = 10.0.0.0/33\n", "allow = 10.0.0.0/33"),
        ("[safety]\nallow = 10.0.0.1/8\n", "host bits set"),
        ("[safety]\nallow = ::1 a.test:80\n", "allow = a.test:80"),
        ("[safety]\nallow = http://a.test/\n", "10.0.0.0/8 intranet.example"),
        ("[safety]\nallow = a..test\n", "allow = a..test"),
        ("[safety]\nallow = a,b\n", "no host name"),
        ("[scope]\nscope = planet\n", "write one of host, domain, any, list"),
        ("[scope]\nscope = list\n", "needs domains"),
        ("[frontier]\npriority = number\nnumber_pattern = page-\\d+\n", "in a group"),
        ("[frontier]\npriority = number\nnumber_pattern = (\n", "number_pattern"),
        ("[links]\ncontent_start = <!-- C -->\n", "belong together"),
        ("[agent]\nname = my bot 2.0\n", "letters"),
        ("[agent]\ncontact = a\tb\n", "printable"),
        ("[seen]\nerror_rate = 1\n", "below 1"),
        ("[seen]\ncapacity = 1000000000000\n", "to 1e+09"),
        ("[crawl]\nfetchers = 600\n", "to 64"),
        ("delay = 1\n", "no section headers"),
        ("[crawl]\nthreads = 1\nthreads = 2\n", "already exists"),
        ("[DEFAULT]\nthreads = 1\n", "no section [DEFAULT]"),
    ],
)
def test_what_is_refused(tmp_path, text, said):
    path = tmp_path / "config.ini"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read(path)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.ini: No such file"):
        read(tmp_path / "none.ini")


def test_every_key_has_a_meaning():
    for section in fields(Config):
        assert section.default.__class__.__doc__
        assert all(key.metadata["meaning"] for key in fields(section.default))


def test_resolve_map_takes_ipv6():
    assert resolve_map("A.test:80:[::1]  b.test:443:127.0.0.2") == {("a.test", 80): "::1", ("b.test", 443): "127.0.0.2"}
