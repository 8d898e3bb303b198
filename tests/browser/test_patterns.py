"""Which pages go through a browser, and what is refused before a crawl begins."""

import pytest

from ttcrawl.browser.program import check
from ttcrawl.browser.steps import compile_use
from ttcrawl.config import Config, ConfigError
from ttcrawl.errors import UsageError


@pytest.mark.parametrize(
    ("use", "url", "chosen"),
    [
        ("no", "http://a.test/", False),
        ("yes", "http://a.test/", True),
        ("auto", "http://a.test/", False),  # no URL decides
        ("host:a.test", "http://a.test/x", True),
        ("host:a.test", "http://b.test/x", False),
        ("path:/app host:b.test", "http://b.test/", True),
        ("http://a.test/*.html", "http://a.test/x.html", True),
        ("regex:/[0-9]+$", "http://a.test/12", True),
    ],
)
def test_patterns_choose(use, url, chosen):
    assert compile_use(use)(url) is chosen


@pytest.mark.parametrize("use", ["", "regex:(", "path:app"])
def test_a_wrong_pattern_is_one_line(use):
    with pytest.raises(UsageError, match=r"^\[browser\] use[^\n]+$"):
        compile_use(use)


def test_a_missing_program_is_one_line():
    pytest.importorskip("playwright")
    config = Config().changed({"browser.use": "yes", "browser.program": "/none"})
    with pytest.raises(UsageError, match=r"^\[browser\] program = /none is not a program$"):
        check(config, inline=False)


def test_one_process_has_no_browser():
    with pytest.raises(UsageError, match="without --inline"):
        check(Config().changed({"browser.use": "yes"}), inline=True)


def test_a_page_made_by_scripts_cannot_be_read_later():
    with pytest.raises(ConfigError, match="reading = now"):
        Config().changed({"browser.use": "yes", "record.reading": "later"})
