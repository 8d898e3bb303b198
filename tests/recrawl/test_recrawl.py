"""A continuous crawl of servers that answer conditional requests rightly and wrongly."""

import pytest

from tests.recrawl import servers
from tests.recrawl.recrawled import Clock, recrawl, served, warc
from tests.recrawl.servers import BEGIN, DAY
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check

#: Visits, one a day, and when each page changes, in days.
VISITS = 60
CHANGES = (3.5, 4.2, 20.3, 21.3, 40.7, 41.6, 42.5, 55.2)

#: Server -> visits in a row after which the copy may be stale: an audit comes after 4 at that time.
KINDS = {
    servers.Server: 0,
    servers.OnlyDates: 0,
    servers.WeakTags: 0,
    servers.NoValidators: 0,
    servers.NewTagEachTime: 0,
    servers.AlwaysNotModified: 4,
    servers.AlwaysNotModifiedUnasked: 4,
    servers.DateInTheFuture: 0,
    servers.DateIsNow: 0,
    servers.SameDate: 4,
    servers.SameTag: 4,
    servers.SameWeakTag: 4,
    servers.DateBeforeTag: 4,
    servers.OtherTagInNotModified: 4,
    servers.Ignorant: 0,
    servers.Unable: 0,
    servers.Overloaded: 0,
    servers.EmptyInsteadOfNotModified: 0,
    servers.LongTags: 0,
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """(directory, host -> its server)."""
    clock, directory = Clock(), tmp_path_factory.mktemp("recrawl") / "c"
    pages = {f"{kind.__name__.lower()}.test": kind(changes=CHANGES) for kind in KINDS}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, VISITS * DAY)
    return directory, pages


@pytest.mark.slow
def test_no_page_is_stale_for_long(done):
    directory, pages = done
    rows = query(directory, "SELECT url.url, time, title FROM answer JOIN url ON url.id = answer.url ORDER BY time")
    for (host, server), most in zip(pages.items(), KINDS.values(), strict=True):
        answers = [(time, title) for url, time, title in rows if f"//{host}:" in url]
        late, longest = 0, 0
        for day in range(VISITS):
            now = BEGIN + (day + 0.1) * DAY  # a host that answers 503 is left alone for a minute
            copy = [title for time, title in answers if time <= now][-1]
            late = 0 if int(copy.split()[0]) == server.version(now) else late + 1
            longest = max(longest, late)
        assert longest <= most, host


@pytest.mark.slow
def test_every_page_is_visited_once_a_day(done):
    directory, _ = done
    rows = query(directory, "SELECT url.url, visits, not_modified FROM revisit JOIN url ON url.id = revisit.url")
    assert {visits for _, visits, _ in rows} <= {VISITS - 1, VISITS} and len(rows) == len(KINDS)
    unmodified = {url.partition("//")[2].partition(".")[0]: count for url, _, count in rows}
    assert unmodified["server"] > VISITS / 2 and unmodified["novalidators"] == unmodified["ignorant"] == 0


@pytest.mark.slow
def test_an_answer_304_is_a_visit_and_a_record(done):
    directory, _ = done
    foreign_check(directory / "warc")
    records = list(warc(directory))
    (visits,) = query(directory, "SELECT count(*) FROM visit WHERE status = 304 AND kind = 'page'")[0]
    (confirmed,) = query(directory, "SELECT sum(not_modified) FROM revisit")[0]
    unmodified = [each for each in records if each.get("WARC-Profile", "").endswith("/server-not-modified")]
    unconditional = [each for each in records if each["WARC-Type"] == "response" and each["status"] == "304"]
    assert visits == len(unmodified) + len(unconditional) and len(unmodified) >= confirmed > VISITS
    bytes_of = {(each["WARC-Target-URI"], each["WARC-Date"]) for each in records if each["WARC-Type"] == "response"}
    for each in unmodified:
        assert each["Content-Length"] == "0"
        assert (each["WARC-Refers-To-Target-URI"], each["WARC-Refers-To-Date"]) in bytes_of


@pytest.mark.slow
def test_the_crawl_is_consistent(done):
    assert verified(done[0]) == ""


@pytest.mark.slow
def test_a_head_that_is_answered_with_304_needs_no_get(tmp_path):
    clock, server = Clock(), servers.Server(changes=(1.5,))
    with served({"a.test": server}, clock) as port:
        recrawl(tmp_path / "c", ["a.test"], port, clock, 4.1 * DAY, {"fetch.head_first": "yes"})
    rows = query(tmp_path / "c", "SELECT status, requests FROM visit WHERE kind = 'page' ORDER BY id")
    assert rows == [(200, 2), (304, 1), (200, 2), (304, 1), (304, 1)]
    assert verified(tmp_path / "c") == ""
