"""Keys that name URLs by no, yes or patterns."""

import pytest

from ttcrawl.config import Config, ConfigError
from ttcrawl.web.scope.chosen import chosen


@pytest.mark.parametrize(
    ("text", "url", "yes"),
    [
        ("no", "http://a.test/", False),
        ("yes", "http://a.test/", True),
        ("*.iso", "http://a.test/files/x.iso?y", True),
        ("*.iso", "http://a.test/iso", False),
        ("*.iso path:/files", "http://a.test/files/x", True),
        ("host:a.test host:b.test", "http://c.test/", False),
    ],
)
def test_patterns_choose(text, url, yes):
    assert chosen(text)(url) is yes


@pytest.mark.parametrize("text", ["", "regex:(", "path:app", "true"])
def test_a_wrong_pattern_is_one_line(text):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        chosen(text)
    with pytest.raises(ConfigError, match=r"^\[fetch\] head_first = [^\n]+$"):
        Config().changed({"fetch.head_first": text})
