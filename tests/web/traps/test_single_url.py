"""URLs that are traps by themselves, and honest ones that look like it."""

import pytest

from ttcrawl import config
from ttcrawl.config.compiled import compile_traps
from ttcrawl.vocabulary.reason import CALENDAR, LONG_PATH, LONG_QUERY, REPEATED_SEGMENTS
from ttcrawl.web.traps import pattern

YEAR = 2026
MANY = "&".join(f"p{n}=1" for n in range(20))
TRAPS = [
    ("/a/a/a/a", REPEATED_SEGMENTS),
    ("/a/a/a/a/", REPEATED_SEGMENTS),
    ("/a/b/a/b/a/b/a/b", REPEATED_SEGMENTS),
    ("/a/1/a/2/a/3/a/4.html?x", REPEATED_SEGMENTS),
    ("/x/////y", REPEATED_SEGMENTS),
    ("/" + "/".join(f"s{n}" for n in range(21)), LONG_PATH),
    ("/" + "9/" * 21, LONG_PATH),
    ("/?q=1&" + MANY, LONG_QUERY),
    ("/cal?month=2032-01", CALENDAR),
    ("/cal?date=2032-01-05&view=day", CALENDAR),
    ("/calendar/2040/1", CALENDAR),
    ("/events/2126/11/", CALENDAR),
    ("/events/2040-10-12-party", CALENDAR),
    ("/schedule/2040-05.html", CALENDAR),
    ("/2032/01/05/", CALENDAR),
    ("/x/2032-01-05", CALENDAR),
    ("/c.php?year=2032&month=1", CALENDAR),
    ("/c.php?month=1&year=2032", CALENDAR),
]
HONEST = [
    "/",
    "/a/a/a",
    "/a/a/a/",
    "/a/a/a?x=/a/a/a/a/a",
    "/en/docs/en/api/en",
    "/tiles/0/0/3/0/0/0/0.png",
    "/" + "/".join(f"s{n}" for n in range(20)) + "/",
    "/?" + MANY,
    "/cal?month=2031-12",
    "/1066/10/14/",
    "/newspaper/1923-05-12/page-1",
    "/2031/12/31/",
    "/gallery/2150/4",
    "/gallery/2150/04/",
    "/part/2150-04",
    "/part/2150-04-33-1",
    "/local/2150/4",
    "/issues/9504/11",
    "/?year=2150",
    "/x/12032-01-05",
    "/rfc/rfc9309.html",
    "/events/5021-10-year-anniversary",
    "/calendar/45678-12-angry-men",
    "/event/12345/1",
    "/schedule/4021/3/",
    # numbers of something else, with the number of a page or the like behind it
    "/event/12345/10",
    "/event/4567/10",
    "/events/12026/11/",
    "/schedule/9001-12.html",
    "/day/12345/10",
    "/calendar/7364/05",
    "/part/4567-10-12",
    "/order/8021/11/05/",
    "/c.php?year=4711&month=1",
    "/c.php?month=1&year=12032",
    "/cal?month=2140-01",
    "/report-2732-10-29",
]


@pytest.mark.parametrize(("path", "reason"), TRAPS + [(path, "") for path in HONEST])
def test_refusal(path, reason):
    assert compile_traps(config.Traps(), YEAR).refusal("http://a.test" + path) == reason


def test_a_host_is_no_path():
    traps = compile_traps(config.Traps(max_segments=1), YEAR)
    assert traps.refusal("http://2150-01-01.test/a") == "" and traps.refusal("http://a.a.a.a.a/") == ""


@pytest.mark.parametrize(
    ("settings", "allowed", "refused"),
    [
        (config.Traps(repeats=1), "/a/b", "/a/a"),
        (config.Traps(max_segments=1), "/a/", "/a/b"),
        (config.Traps(max_parameters=1), "/?a", "/?a&b"),
        (config.Traps(years_ahead=0), "/2026/12/31", "/2027/01/01"),
    ],
)
def test_limits(settings, allowed, refused):
    traps = compile_traps(settings, YEAR)
    assert (traps.refusal("http://a" + allowed) == "") and traps.refusal("http://a" + refused)


def test_a_limit_of_0_is_none():
    traps = compile_traps(config.Traps(repeats=0, max_segments=0, max_parameters=0), YEAR)
    assert traps.refusal("http://a/" + "a/" * 500 + "?" + "&" * 500) == ""


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/", "/"),
        ("/a/17/b3c.html", "/a/#/b#c.html"),
        ("/x?b=1&a=2&b=3", "/x?a&b"),
        ("/x?p17=1&p18", "/x?p#"),
        ("/2031-05", "/#-#"),
    ],
)
def test_pattern(path, shape):
    assert pattern("http://a1.test:80" + path) == "http://a1.test:80" + shape
