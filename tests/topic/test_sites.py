"""Patterns of sites that always pass: together they match what each of them matches."""

import itertools

import pytest
import re2

from ttcrawl.topic.sites import read_sites

URLS = (
    "http://a.test/",
    "http://www.a.test/B/c?d=1",
    "http://b.test/plants/1",
    "https://c.test/PLANTS",
    "ftp://d.test/x|y",
)

#: Each is joined with others, and keeps its meaning.
PATTERNS = (
    "a\\.test",
    "b|c\\.test",
    "(?i)plants",
    "^https?://c",
    "x$",
    "y$",
    "(?P<name>b)\\.test",
    "(?P<name>www)",
    "\\Qx|y\\E",
    "(plants)/\\d",
)


@pytest.mark.parametrize("some", list(itertools.combinations(PATTERNS, 3)))
def test_they_match_what_one_of_them_matches(some, capfd):
    sites = read_sites("\n".join(some), "sites.txt")
    assert capfd.readouterr().err == ""  # some cannot be joined, which RE2 would report there
    for url in URLS:
        assert sites.match([url]) == any(re2.search(pattern, url) for pattern in some), url
    assert sites.match(URLS) and not sites.match(["http://e.test/"])


def test_without_a_pattern_nothing_matches():
    assert not read_sites("# none\n\n", "sites.txt").match(URLS)


def test_combine_has_one_text_of_all_urls():
    text = "a\\.test/, http"
    assert read_sites(text, "sites.txt", compatible=True).match(URLS) and not read_sites(text, "sites.txt").match(URLS)
