"""Reasons: each has all that is known of it."""

from dataclasses import fields

import pytest

from ttcrawl import config
from ttcrawl.config.settings_of_reasons import settings_of
from ttcrawl.vocabulary import reason
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import REASONS, about, sentence
from ttcrawl.vocabulary.state import STATES


def test_every_row_has_a_name():
    assert set(REASONS) <= {code for name, code in vars(reason).items() if name.isupper() and isinstance(code, str)}


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_has_a_sentence(code):
    text = sentence("refused", code.replace("{}", "503"))
    assert text[0].isupper() and text.endswith(".") and "{" not in text
    assert sentence("queued", code) == STATES["queued"].sentence


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("http 200", "answered 200."),
        ("http 301", "answered 301: a redirect."),
        ("http 304", "answered 304: not modified"),
        ("http 404", "answered 404: an error."),
        ("http 999", "answered 999."),
        ("robots.txt: http 429", "robots.txt of its host answered 429, so nothing is allowed."),
        ("robots.txt: connection refused", "could not be read (connection refused), so nothing is allowed."),
        ("robots.txt: broken content coding", "could not be decoded"),
        ("parse: RecursionError", "failed on it (RecursionError)."),
        ("store: OverflowError", "(OverflowError)."),
    ],
)
def test_sentences_with_a_part(code, words):
    assert words in sentence("failed", code)


@pytest.mark.parametrize("code", ["", "made up", "http", "http x", "scope: ", "robots.txt: "])
def test_what_is_no_reason(code):
    assert about(code) is None and sentence("refused", code) == ""


def test_settings_exist():
    """And each key is that of its section, with the value that it has."""
    key_of = settings_of(config.Config())
    for each in REASONS.values():
        for setting in each.setting:
            section, key = setting.split(".")
            assert key in {field.name for field in fields(getattr(config.Config(), section))}
            assert f"{key} = " in key_of(each.code) or not getattr(getattr(config.Config(), section), key)


def test_settings_are_one_line_without_empty_ones():
    """A form stands on a line of its own in config.ini, and the crawl has it without cookies of a browser."""
    form = "\n    http://a.test/login user=me"
    key_of = settings_of(config.Config().changed({"login.form": form}))
    assert key_of(reason.LOGOUT) == "[login] form = http://a.test/login user=me"


def test_what_follows_from_the_facts():
    assert reason.BODY_RETRIED < reason.CUTS_BODY and reason.BODY_RETRIED < reason.RETRIED
    assert {"protocol", "tls"} == reason.CUTS_BODY - reason.RETRIED
    assert reason.NO_CONNECTION <= reason.RETRIED and reason.OVERLOADED <= reason.RETRIED
    assert all(each.family.states == ("refused",) for each in REASONS.values() if each.by_path)
    assert all(each.family in (Family.CONNECTION, Family.DNS) for each in REASONS.values() if each.retried)
