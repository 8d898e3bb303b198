"""Both readings of robots.txt."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.conformance import cases
from ttcrawl.web.robots import parse, sitemaps


def test_the_cases_on_which_all_agree():
    wrong = []
    for case in cases("robots.jsonl"):
        if not case["consensus"] or not case["url"] or not case["agent"]:
            continue
        text = case["robots"].encode("latin-1").decode("utf-8", "replace")
        if parse(text, case["agent"]).allows(case["url"]) != case["allowed"]:
            wrong.append((case["suite"], case["test"], case["agent"], case["url"], case["allowed"], case["robots"]))
    assert not wrong


LONGEST_OR_FIRST = """
User-agent: *
Disallow: /a
Allow: /a/b
Crawl-delay: 0.05
Sitemap: http://a.test/map.xml
"""


@pytest.mark.parametrize(("reading", "allowed"), [("rfc9309", True), ("1996", False)])
def test_longest_match_or_first_match(reading, allowed):
    rules = parse(LONGEST_OR_FIRST, "ttcrawl", reading)
    assert rules.allows("http://a.test/a/b/c") is allowed
    assert not rules.allows("http://a.test/a/c") and rules.allows("http://a.test/b")
    assert rules.delay == 0.05
    assert sitemaps(LONGEST_OR_FIRST) == ("http://a.test/map.xml",)


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize("rule", ["/$*", "/$**", "/$*$"])
def test_a_dollar_before_a_last_star_ends_nothing(reading, rule):
    rules = parse(f"User-agent: *\nDisallow: {rule}\n", "ttcrawl", reading)
    assert not rules.allows("http://a.test/$") and not rules.allows("http://a.test/$x")
    assert rules.allows("http://a.test/") and rules.allows("http://a.test/x")


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize(
    ("text", "allowed", "delay"),
    [
        ("", True, None),
        ("\ufeffUser-agent: *\nDisallow: /\n", False, None),
        ("User-agent: other\nDisallow: /\n", True, None),
        ("User-agent: *\nDisallow: /\n\nUser-agent: ttcrawl\nDisallow:\n", True, None),
        ("User-agent: *\r\nDisallow: /\r\nCrawl-delay: 2\r\n", False, 2.0),
        ("User-agent: *\nDisallow: /x\nCrawl-delay: soon\n", True, None),
        ("User-agent: *\nDisallow: /x\nCrawl-delay: -1\n", True, None),
        ("User-agent: *\nDisallow: /x\nCrawl-delay: nan\n", True, None),
        ("User-agent: *\nDisallow: /x\nCrawl-delay: inf\n", True, None),
        ("<html>not found</html>", True, None),
    ],
)
def test_both_readings(reading, text, allowed, delay):
    agent = "ttcrawl"
    if reading == "1996" and text.startswith("User-agent: *\nDisallow: /\n\n"):
        return  # the group of `*` comes first and, first match, decides
    rules = parse(text, agent, reading)
    assert rules.allows("http://a.test/page") is allowed
    assert rules.delay == delay


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize(
    "rule",
    [
        "\nDisallow: /" + "*a" * 50 + "b",
        "\nAllow: /" + "*a" * 50 + "b",
        "\nDisallow: *a*a$",
        "\nDisallow: /" + "%2Aa" * 50 + "b",
        "\rDisallow: /" + "*a" * 50 + "b",
        "\n\x0bDisallow: /" + "*a" * 50 + "b",
    ],
)
def test_many_stars_take_no_time(reading, rule):
    began = time.process_time()
    rules = parse(f"User-agent: *{rule}\n", "ttcrawl", reading)
    rules.allows("http://a.test/" + "a" * 1900)
    assert time.process_time() - began < 1


@given(st.text(max_size=500), st.sampled_from(["rfc9309", "1996"]))
def test_any_text_is_taken(text, reading):
    rules = parse(text, "ttcrawl", reading)
    assert rules.allows("http://a.test/x") in (True, False)
    assert rules.delay is None or rules.delay >= 0
