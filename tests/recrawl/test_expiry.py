"""Until when servers call their answers fresh, and a crawl that obeys it."""

from email.utils import formatdate
from itertools import pairwise

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, Server
from tests.support.crawls.crawling import query, verified
from ttcrawl.recrawl.expiry import fresh_until

NOW = 1_700_000_000.0
STALE = 0.0


def date(seconds):
    return formatdate(NOW + seconds, usegmt=True)


#: Headers -> seconds for which the answer is fresh; None: not stated; STALE: not at all.
RFC_9111 = {
    "4.2.1 max-age": ({"Cache-Control": "max-age=3600"}, 3600),
    "4.2.1 Expires minus Date": ({"Expires": date(3600), "Date": date(0)}, 3600),
    "4.2.1 the first of two": ({"Cache-Control": "max-age=60, max-age=3600"}, 60),
    "4.2.1 the most restrictive of max-age and no-cache": ({"Cache-Control": "max-age=60, no-cache"}, STALE),
    "4.2.1 max-age that is no integer": ({"Cache-Control": "max-age=soon", "Expires": date(9)}, STALE),
    "4.2.2 no guess": ({"Last-Modified": date(-9e6), "Date": date(0)}, None),
    "4.2.3 Age": ({"Cache-Control": "max-age=3600", "Age": "600"}, 3000),
    "4.2.3 apparent age": ({"Cache-Control": "max-age=3600", "Date": date(-600)}, 3000),
    "4.2.3 the greater of both ages": ({"Cache-Control": "max-age=3600", "Date": date(-60), "Age": "600"}, 3000),
    "4.2.3 a clock that is ahead": ({"Cache-Control": "max-age=3600", "Date": date(9e6)}, 3600),
    "5.1 the first Age": ({"Cache-Control": "max-age=60", "Age": "10, 50"}, 50),
    "5.1 an Age that is none": ({"Cache-Control": "max-age=60", "Age": "-10"}, 60),
    "5.2 quoted": ({"Cache-Control": 'max-age="60"'}, 60),
    "5.2 case": ({"Cache-Control": "MAX-AGE=60"}, 60),
    "5.2.2.4 no-cache": ({"Cache-Control": "no-cache", "Expires": date(60), "Date": date(0)}, STALE),
    "5.2.2.4 qualified no-cache": ({"Cache-Control": 'no-cache="set-cookie, x", max-age=60'}, 60),
    "5.2.2.5 no-store": ({"Cache-Control": "no-store"}, STALE),
    "5.2.2.10 s-maxage is for shared caches": ({"Cache-Control": "s-maxage=9, private"}, None),
    "5.2.3 an unknown directive": ({"Cache-Control": 'community="UCI", max-age=60'}, 60),
    "5.3 max-age is before Expires": ({"Cache-Control": "max-age=60", "Expires": date(9), "Date": date(0)}, 60),
    "5.3 Expires: 0": ({"Expires": "0"}, STALE),
    "5.3 without Date": ({"Expires": date(60)}, 60),
    "5.4 Pragma is for requests": ({"Pragma": "no-cache"}, None),
}
#: Of the tests of Mark Nottingham (https://cache-tests.fyi), by their ids.
CACHE_TESTS = {
    "freshness-none": ({}, None),
    "freshness-max-age-0": ({"Cache-Control": "max-age=0"}, STALE),
    "freshness-max-age-negative": ({"Cache-Control": "max-age=-3600"}, STALE),
    "freshness-max-age-leading-zero": ({"Cache-Control": "max-age=003600"}, 3600),
    "freshness-max-age-decimal-zero": ({"Cache-Control": "max-age=0.5"}, STALE),
    "freshness-max-age-single-quoted": ({"Cache-Control": "max-age='60'"}, STALE),
    "freshness-max-age-ignore-quoted": ({"Cache-Control": 'extension="max-age=3600", max-age=1'}, 1),
    "freshness-max-age-ignore-quoted-rev": ({"Cache-Control": 'max-age=1, extension="max-age=3600"'}, 1),
    "freshness-max-age-max": ({"Cache-Control": "max-age=2147483648"}, 2**31),
    "freshness-max-age-100a": ({"Cache-Control": "max-age=100a"}, STALE),
    "freshness-max-age-endless": ({"Cache-Control": "max-age=" + "9" * 4000}, 2**31),
    "freshness-max-age-s-maxage-private": ({"Cache-Control": "max-age=60, s-maxage=1"}, 60),
    "freshness-max-age-0-expires": ({"Cache-Control": "max-age=0", "Expires": date(60)}, STALE),
    "freshness-max-age-date": ({"Cache-Control": "max-age=3600", "Date": date(-7200)}, -3600),
    "freshness-expires-past": ({"Expires": date(-60), "Date": date(0)}, STALE),
    "freshness-expires-present": ({"Expires": date(0), "Date": date(0)}, STALE),
    "freshness-expires-invalid": ({"Expires": "tomorrow"}, STALE),
    "freshness-expires-rfc850": ({"Expires": "Wednesday, 15-Nov-23 22:13:20 GMT", "Date": date(0)}, DAY),
    "freshness-expires-ansi-c": ({"Expires": "Wed Nov 15 22:13:20 2023", "Date": date(0)}, DAY),
    "freshness-expires-far-future": ({"Expires": "Sun, 21 Nov 9999 04:46:39 GMT", "Date": date(0)}, 2**31),
    "freshness-expires-age-slow-date": ({"Expires": date(10), "Date": date(-10), "Age": "5"}, 10),
    "freshness-expires-age-fast-date": ({"Expires": date(20), "Date": date(10), "Age": "5"}, 5),
    "age-parse-nonnumeric": ({"Cache-Control": "max-age=60", "Age": "abc"}, 60),
    "age-parse-dup-old": ({"Cache-Control": "max-age=60", "Age": "7200, 0"}, -7140),
    "an invalid Date": ({"Cache-Control": "max-age=60", "Date": "now"}, 60),
}
CASES = RFC_9111 | CACHE_TESTS


@pytest.mark.parametrize(("headers", "seconds"), CASES.values(), ids=CASES)
def test_an_answer_is_fresh_until(headers, seconds):
    values = ([headers[name]] if name in headers else [] for name in ("Cache-Control", "Expires", "Date", "Age"))
    found = fresh_until(*values, sent=NOW, received=NOW)
    assert found == (None if seconds is None else NOW + seconds)


def test_the_time_of_the_request_counts_for_the_age():
    """Section 4.2.3: an answer that was 10 s old when the request began is that old, and the time of the request."""
    assert fresh_until(["max-age=60"], [], [], ["10"], sent=NOW, received=NOW + 5) == NOW + 50
    assert fresh_until(["max-age=60"], [], [], [], sent=NOW, received=NOW + 5) == NOW + 60


# -- in a crawl -------------------------------------------------------------------------------------------------------

#: Host -> its headers, by the day of the answer.
HOSTS = {
    "silent": lambda now: {},
    "week": lambda now: {"Cache-Control": f"max-age={7 * DAY:.0f}"},
    "expires": lambda now: {"Expires": formatdate(now + 4 * DAY, usegmt=True), "Date": formatdate(now, usegmt=True)},
    "endless": lambda now: {"Cache-Control": "max-age=999999999"},
    "never": lambda now: {"Cache-Control": "no-store, max-age=999999999"},
}
DAYS, LONGEST = 29, 10


def days_between_visits(tmp_path, **settings):
    """Host -> the days from each request for its page to the next."""
    clock, pages = Clock(), {f"{name}.test": Server() for name in HOSTS}
    for name, page in pages.items():
        page.fields = HOSTS[name.partition(".")[0]]
    keys = {f"revisit.{name}": value for name, value in settings.items()}
    with served(pages, clock) as port:
        recrawl(tmp_path / "c", pages, port, clock, DAYS * DAY, {"revisit.longest": LONGEST * DAY, **keys})
    assert verified(tmp_path / "c") == ""
    rows = query(
        tmp_path / "c", "SELECT host, started FROM visit JOIN site ON site.id = site WHERE kind = 'page' ORDER BY 2"
    )
    moments = {name: [started for host, started in rows if host.startswith(name)] for name in HOSTS}
    return {name: {round((after - before) / DAY) for before, after in pairwise(each)} for name, each in moments.items()}


@pytest.mark.slow
def test_the_expiry_is_recorded_and_not_obeyed_by_default(tmp_path):
    assert set(map(frozenset, days_between_visits(tmp_path).values())) == {frozenset({1})}
    rows = query(
        tmp_path / "c", "SELECT url.url, fresh_until FROM page JOIN url ON url.id = page.url WHERE status = 200"
    )
    recorded = {url.partition("//")[2].partition(".")[0]: until for url, until in rows}
    assert recorded["silent"] is None
    # by the last answer, a 304
    assert recorded["week"] == pytest.approx(BEGIN + (DAYS - 1 + 7) * DAY, abs=DAY)
    assert recorded["endless"] > recorded["week"] > recorded["expires"] > recorded["never"]


@pytest.mark.slow
@pytest.mark.parametrize("budget", [{}, {"policy": "uniform", "budget": len(HOSTS), "shortest": DAY}])
def test_no_visit_before_the_expiry(tmp_path, budget):
    between = days_between_visits(tmp_path, obey_expiry="yes", **budget)
    if not budget:
        assert between == {"silent": {1}, "never": {1}, "expires": {4}, "week": {7}, "endless": {LONGEST}}
    assert all(min(between[name]) >= days for name, days in {"expires": 4, "week": 7, "endless": LONGEST}.items())


@pytest.mark.slow
def test_the_first_visit_waits_for_the_expiry_of_the_first_answer(tmp_path):
    """In another run, too."""
    clock, page, obeys = Clock(), Server(), {"revisit.obey_expiry": "yes"}
    page.fields = HOSTS["week"]
    with served({"a.test": page}, clock) as port:
        recrawl(tmp_path / "c", ["a.test"], port, clock, 1, obeys)
        recrawl(tmp_path / "c", ["a.test"], port, clock, 6.5 * DAY, obeys)
        assert page.asked == 1
        recrawl(tmp_path / "c", ["a.test"], port, clock, DAY, obeys)
    assert page.asked == 2
