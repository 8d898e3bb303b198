"""To whom a robots.txt speaks: the groups for us, in both readings."""

import pytest

from ttcrawl.web.robots import decoded, parse

NO = "\nDisallow: /\n"


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("User-agent: ttcrawl", True),
        ("User-agent: TTCrawl", True),
        ("User-agent: ttcrawl/0.1", True),
        ("User-agent: ttcrawl/0.1 (+http://a.test/bot)", True),
        ("User-agent: ttcrawl 0.1", True),
        ("User-agent: ttcrawl v2", True),
        ("User-agent: ttcrawl, other", True),
        ("User-agent: other, ttcrawl", True),
        ("User-agent: other,ttcrawl/0.1,third", True),
        ("User-agent: other; ttcrawl", True),
        ("User-agent: Mozilla/5.0 (compatible; ttcrawl/0.1; +http://a.test/)", True),
        ("User-agent: ttcrawl # the crawler", True),
        ("User-agent: ttcrawl#", True),
        ("User-agent: ttcrawl*", True),
        ("User-agent: *ttcrawl*", True),
        ("User-agent:ttcrawl", True),
        ("User-agent :\tttcrawl\t", True),
        ("User agent: ttcrawl", True),
        ("useragent: ttcrawl", True),
        ("User-agent ttcrawl", True),
        ("\ufeffUser-agent: ttcrawl", True),
        ("  User-agent: ttcrawl", True),
        ("User-agent: other\nUser-agent: ttcrawl", True),
        ("User-agent: ttcrawl\nUser-agent: other", True),
        ("User-agent: ttcrawl\nX-Unknown: 1\nUser-agent: other", True),
        ("User-agent: ttcrawl\nwhat is this\nUser-agent: other", True),
        ("User-agent: ttcrawl\n# others too\nUser-agent: other", True),
        ("User-agent: ttcrawl\nSitemap: http://a.test/map.xml\nUser-agent: other", True),
        ("User-agent: ttcrawl\nHost: a.test\nVisit-time: 0600-0845\nUser-agent: other", True),
        ("User-agent: *", True),
        ("User-agent: * ", True),
        ("User-agent: **", True),
        ("User-agent: * # all", True),
        ("User-agent: *, other", True),
        ("User-agent: other, *", True),
        ("User-agent: tt", False),
        ("User-agent: tt*", False),
        ("User-agent: crawl", False),
        ("User-agent: ttcrawler", False),
        ("User-agent: ttcrawl2", False),
        ("User-agent: ttcrawl-images", False),
        ("User-agent: ttcrawl_images/1.0", False),
        ("User-agent: my-ttcrawl", False),
        ("User-agent: other/ttcrawl", False),
        ("User-agent: other ttcrawl", False),  # one name of two words
        ("User-agent: *bot", False),
        ("User-agent:", False),
        ("User-agent: ,", False),
        ("User-agent: # ttcrawl", False),
        ("X-User-agent: ttcrawl", False),
        ("User-agent: ttcrawl\nDisallow: /x\nUser-agent: other", False),
        ("User-agent: ttcrawl\nCrawl-delay: 1\nUser-agent: other", False),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_which_lines_name_us(reading, line, ours, end):
    text = (line + NO).replace("\n", end)
    assert parse(text, "ttcrawl", reading).allows("http://a.test/page") is not ours


@pytest.mark.parametrize("agent", ["ttcrawl", "TTcrawl", "ttcrawl/0.1", "ttcrawl/0.1 (+http://a.test)"])
def test_we_are_named_by_the_product_token_alone(agent):
    text = "User-agent: *\nDisallow: /all\n\nUser-agent: ttcrawl/2\nDisallow: /ours\n"
    rules = parse(text, agent)
    assert rules.agent == "ttcrawl" and rules.allows("http://a.test/all") and not rules.allows("http://a.test/ours")


def test_all_groups_for_us_are_one_and_the_one_for_everybody_is_none_of_them():
    text = "User-agent: ttcrawl/1\nDisallow: /a\nCrawl-delay: 3\n\nUser-agent: *\nDisallow: /b\nCrawl-delay: 9\n\n"
    rules = parse(text + "User-agent: x, ttcrawl\nDisallow: /c\n", "ttcrawl")
    assert [rules.allows(f"http://a.test/{path}") for path in "abc"] == [False, True, False]
    assert rules.delay == 3


def test_empty_lines_within_a_group_end_it_in_the_reading_of_1996_alone():
    text = "User-agent: *\nDisallow: /a\n\nDisallow: /b\n"
    found = {reading: parse(text, "ttcrawl", reading).allows("http://a.test/b") for reading in ("rfc9309", "1996")}
    assert found == {"rfc9309": False, "1996": True}


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize("other", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_no_other_character_ends_a_line(reading, other):
    """RFC 9309 section 2.2 has CR and LF alone; `str.splitlines` has these too."""
    text = f"User-agent: *\nDisallow: /private\n# was:{other}Allow: /private/\n# and{other}Disallow: /public\n"
    rules = parse(text, "ttcrawl", reading)
    assert [rules.allows(f"http://a.test/{path}/x") for path in ("private", "public")] == [False, True]


# -- the cut ----------------------------------------------------------------------------------------------------------

HEAD = b"User-agent: *\nDisallow: /\n"
LIMIT = 500 * 1024


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_text_that_is_too_long_is_cut_at_the_end_of_a_line(end):
    head = HEAD.replace(b"\n", end)
    last = b"Allow: /public/" + end
    for missing in range(len(last)):
        text = decoded(head + b"#" * (LIMIT - len(head) - len(last) - len(end) + missing) + end + last + last)
        complete = missing < len(end)  # the first character of the end of its line is there
        assert len(text) <= LIMIT and text.count("/public/") == complete
        rules = parse(text, "ttcrawl")
        assert not rules.allows("http://a.test/x") and rules.allows("http://a.test/public/") == complete


@pytest.mark.parametrize(
    ("data", "cut", "text"),
    [
        (b"Disallow: /a\nAllow: /publ", True, "Disallow: /a\n"),
        (b"Disallow: /a\nAllow: /publ", False, "Disallow: /a\nAllow: /publ"),
        (b"Disallow: /a\n", True, "Disallow: /a\n"),
        (b"Disallow: /a\rAllow: /publ", True, "Disallow: /a\r"),
        (b"Allow: /publ", True, ""),
        (b"", True, ""),
        (b"Disallow: /caf\xc3\xa9\nAllow: /\xc3", True, "Disallow: /caf\u00e9\n"),
        (b"Disallow: /\xff\n", False, "Disallow: /\ufffd\n"),
    ],
)
def test_what_was_cut_before(data, cut, text):
    assert decoded(data, cut=cut) == text


def test_a_text_that_nobody_has_cut():
    text = HEAD.decode() + "#" * (LIMIT - len(HEAD) - 10) + "\nAllow: /public/\n"
    assert len(text) > LIMIT and not parse(text, "ttcrawl").allows("http://a.test/x")
