"""Where the time went, by visits whose seconds can be added up in the head."""

from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import NOW, insert, new_db
from ttcrawl.report.parts.waiting import read
from ttcrawl.report.sources import Sources
from ttcrawl.web.url import key


def db_of(directory, visits, started=0.0, seconds=0.0, settled=None):
    """`visits` are (site, path, started, ended, delay, address_delay, backoff); `settled`: path -> moment."""
    db = new_db(directory)
    db.executemany(
        insert(db, "visit", "site", "url", "started", "ended", "delay", "address_delay", "backoff", kind="page"),
        [(site, f"http://a.test/{path}", NOW + a, NOW + b, *more) for site, path, a, b, *more in visits],
    )
    for number, (path, moment) in enumerate((settled or {}).items(), 1):
        url = f"http://a.test/{path}"
        db.execute(insert(db, "url", "id", "key", "url", site=1, state="fetched"), (number, key(url), url))
        db.execute(insert(db, "page", "url", "time"), (number, NOW + moment))
    db.executemany("INSERT INTO crawl VALUES (?, ?)", [("started", str(NOW + started)), ("seconds", str(seconds))])
    return closing(db)


CASES = {
    # network, politeness, idle, stopped
    "nothing": ([], 0, (0, 0, 0, 0)),
    "one": ([(1, "", 0, 2, 1, 0, None)], 2, (2, 0, 0, 0)),
    "a delay and a second more": ([(1, "", 0, 2, 1, 0, None), (1, "x", 4, 5, 1, 0, None)], 5, (3, 1, 1, 0)),
    "two hosts side by side": ([(1, "", 0, 2, 1, 0, None), (2, "x", 0, 5, 1, 0, None)], 5, (7, 0, 0, 0)),
    "the delay of the address": ([(1, "", 0, 1, 1, 0, None), (1, "x", 4, 5, 1, 3, None)], 5, (2, 3, 0, 0)),
    "a back-off": ([(1, "", 0, 1, 1, 0, 5), (1, "", 7, 8, 1, 0, None)], 8, (2, 5, 1, 0)),
    "at once on one host": ([(1, "", 0, 4, 0, 0, None), (1, "x", 1, 3, 0, 0, None)], 4, (4, 0, 0, 0)),
    # an hour between two runs, of 2 and of 3 seconds; the delay was over long before
    "stopped": ([(1, "", 0, 2, 1, 0, None), (1, "x", 3602, 3605, 1, 0, None)], 5, (5, 0, 0, 3600)),
    "stopped, with a delay": ([(1, "", 0, 2, 1, 0, None), (1, "x", 3604, 3605, 1, 0, None)], 5, (3, 1, 1, 3600)),
    "stopped twice": (
        [(1, "", 0, 1, 1, 0, None), (2, "x", 101, 102, 1, 0, None), (1, "y", 302, 303, 1, 0, None)],
        3,
        (3, 1, 0, 300),  # the first host was left alone for the second that the second run took
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_host_seconds(tmp_path, name):
    visits, seconds, expected = CASES[name]
    with db_of(tmp_path, visits, seconds=seconds) as db:
        found = read(Sources(db))
    assert (found.network, found.politeness, found.idle, found.stopped) == pytest.approx(expected, abs=1e-5)


def test_parsing_begins_at_the_last_exchange_of_a_page(tmp_path):
    visits = [
        (1, "twice", 0, 1, 0, 0, None),
        (1, "once", 2, 3, 0, 0, None),
        (1, "twice", 5, 6, 0, 0, None),
        (1, "failed", 7, 9, 0, 0, None),
    ]
    with db_of(tmp_path, visits, seconds=9, settled={"twice": 6.5, "once": 3.25}) as db:
        found = read(Sources(db))
    assert (found.parsing, found.parsing_mean) == pytest.approx((0.75, 0.375), abs=1e-5)
