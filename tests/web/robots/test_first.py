"""The reading of 1996: the first rule that matches decides, and robotexclusionrulesparser says which match."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robotexclusionrulesparser import RobotExclusionRulesParser

from ttcrawl.web.robots import parse

HOST = "http://a.test"
PIECES = ("/", "a", "b", "ab", "%2A", "%24", "%2F", "%2f", "%41", "%3F", "%25", "\u00e9", "?", "=", "&", "%C3%A9", "$")
PLAIN = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
PATHS = st.lists(PLAIN, min_size=1, max_size=3).map("*".join)  # no more stars than are taken as they stand
RULES = st.tuples(st.sampled_from(["Allow", "Disallow"]), st.sampled_from(["", "/", "/", "/"]), PATHS)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(RULES, min_size=1, max_size=40), st.lists(PLAIN, min_size=1, max_size=10))
def test_decisions_are_those_of_robotexclusionrulesparser(rules, paths):
    text = "User-agent: *\n" + "".join(f"{kind}: {slash}{path}\n" for kind, slash, path in rules if "%2A" not in path)
    oracle = RobotExclusionRulesParser()
    oracle.parse(text)
    ours = parse(text, "ttcrawl", "1996")
    for path in paths:
        url = f"{HOST}/{path.replace(chr(233), '%C3%A9')}"
        assert ours.allows(url) is oracle.is_allowed("ttcrawl", url), url


def test_too_many_stars_forbid_more_and_allow_less():
    text = "User-agent: *\nAllow: /a*a*a*b\nDisallow: /a*b*c*d*e\n"
    rules = parse(text, "ttcrawl", "1996")
    assert not rules.allows(f"{HOST}/axbxc") and rules.allows(f"{HOST}/axb")
    many = "User-agent: *\n" + "".join(f"Disallow: /{n}*x\n" for n in range(1000)) + "Allow: /y*z\nDisallow: /y*x\n"
    assert not parse(many, "ttcrawl", "1996").allows(f"{HOST}/y-z")
    assert parse(many, "ttcrawl", "1996").allows(f"{HOST}/999-z")


def test_the_first_record_for_us_is_the_only_one():
    text = "User-agent: ttcrawl\nDisallow: /a\n\nUser-agent: ttcrawl\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n"
    rules = parse(text, "ttcrawl", "1996")
    assert not rules.allows(f"{HOST}/a") and rules.allows(f"{HOST}/b")
