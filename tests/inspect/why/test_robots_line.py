"""The line that decides, and that its verdict is always that of the rules the crawl obeys."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.conformance import cases
from ttcrawl.inspect.why.robots import robots_line
from ttcrawl.web.robots import parse

TEXT = """# for all
User-agent: *
Disallow: /private/   # not for you
Allow: /private/open/
Disallow: /*.pdf$

User-agent: other
User-agent: ttcrawl
Disallow: /only
Crawl-delay: 2
Allow: /same
Disallow: /same
Disallow: /caf\u00e9
Allow: /x/index.html
Disallow: /x
"""
HOST = "http://a.test"


@pytest.mark.parametrize(
    ("agent", "path", "allowed", "number", "line"),
    [
        ("bot", "/private/x", False, 3, "Disallow: /private/   # not for you"),
        ("bot", "/private/open/x", True, 4, "Allow: /private/open/"),
        ("bot", "/x/y.pdf", False, 5, "Disallow: /*.pdf$"),
        ("bot", "/x/y.pdf?a", True, 0, "no rule of the group of * matches"),
        ("ttcrawl", "/private/x", True, 0, "no rule of the group of ttcrawl matches"),
        ("ttcrawl", "/only", False, 9, "Disallow: /only"),
        ("ttcrawl", "/same", True, 11, "Allow: /same"),
        ("ttcrawl", "/caf%C3%A9/1", False, 13, "Disallow: /caf\u00e9"),
        ("ttcrawl", "/x/", True, 14, "Allow: /x/index.html"),
        ("ttcrawl", "/x/y", False, 15, "Disallow: /x"),
        ("ttcrawl", "/robots.txt", True, 0, "robots.txt itself may always be read"),
    ],
)
def test_the_longest_match(agent, path, allowed, number, line):
    for text in (TEXT, "\ufeff" + TEXT, TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "\r")):
        found = robots_line(text, agent, HOST + path)
        assert (found.allowed, found.number, found.text) == (allowed, number, line)


@pytest.mark.parametrize(
    ("text", "path", "allowed", "number", "agent"),
    [
        ("User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a/b", False, 2, "*"),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a\n", "/a/b", True, 2, "*"),
        ("User-agent: *\nDisallow: /\n\nUser-agent: ttcrawl\nDisallow:\n", "/a", True, 5, "ttcrawl"),
        ("User-agent: *\nAllow:\n", "/a", False, 2, "*"),
        ("User-agent: *\nAllow: /*a*a*a*a\nDisallow: /\n", "/aaaa", False, 3, "*"),
        ("User-agent: *\n\nDisallow: /\n", "/a", True, 0, ""),
        ("User-agent: x\nDisallow: /\n", "/a", True, 0, ""),
    ],
)
def test_the_first_match(text, path, allowed, number, agent):
    found = robots_line(text, "ttcrawl", HOST + path, "1996")
    assert (found.allowed, found.number, found.agent) == (allowed, number, agent)
    assert parse(text, "ttcrawl", "1996").allows(HOST + path) is allowed


def test_lines_are_counted_as_an_editor_does():
    text = "User-agent: *\x0bDisallow: /a\n\u2028\r\n\rDisallow: /b\n"
    assert [robots_line(text, "ttcrawl", f"{HOST}/{each}").number for each in "ab"] == [0, 4]


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
def test_the_verdict_in_all_cases_of_others(reading):
    for case in cases("robots.jsonl"):
        text = case["robots"].encode("latin-1").decode("utf-8", "replace")
        agent, url = case["agent"], case["url"]
        assert robots_line(text, agent, url, reading).allowed is parse(text, agent, reading).allows(url), case


WORDS = ("*", "$", "/", "a", "b", "index.html", "%2A", "%24", "\u00e9", "?", "=", " ")
PATHS = st.lists(st.sampled_from(WORDS), max_size=6).map(lambda parts: "/" + "".join(parts))
FIELDS = ("User-agent", "user agent", "Disallow", "Allow", "allow", "Dissallow", "Crawl-delay", "Sitemap", "#", "Foo")
VALUES = st.one_of(PATHS, st.sampled_from(["*", "ttcrawl", "tt", "other", "", "ttcrawl*", "/a$b$", "http://a.test/a"]))
LINES = st.tuples(st.sampled_from(FIELDS), st.sampled_from([":", ": ", " ", " : "]), VALUES).map("".join)
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\x0b", "\u2028"])
TEXTS = st.lists(st.tuples(LINES, ENDS).map("".join), max_size=12).map("".join)


@pytest.mark.slow
@given(TEXTS, PATHS, st.sampled_from(["rfc9309", "1996"]))
@example("User-agent: *\nAllow:\n", "/", "1996")
@example("User-agent: *\nDisallow: /a$b$\n", "/a%24b", "rfc9309")
def test_the_verdict_in_texts_made_up(text, path, reading):
    if "\u00e9" in path:
        path = path.replace("\u00e9", "%C3%A9")  # as in a canonical URL
    found = robots_line(text, "ttcrawl", HOST + path, reading)
    assert found.allowed is parse(text, "ttcrawl", reading).allows(HOST + path)
    if found.number:
        assert "allow" in found.text.lower()


@given(st.text(max_size=300), st.sampled_from(["rfc9309", "1996"]))
def test_any_text_is_taken(text, reading):
    assert robots_line(text, "ttcrawl", HOST + "/x", reading).allowed is parse(text, "ttcrawl", reading).allows(
        HOST + "/x"
    )


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
def test_hostile_patterns_take_no_time(reading):
    text = "User-agent: *\n" + ("Disallow: /" + "*a" * 50 + "b\n") * 1000 + "Disallow: /\n"
    began = time.process_time()
    assert robots_line(text, "ttcrawl", f"{HOST}/{'a' * 1900}", reading).number
    assert time.process_time() - began < 5
