"""Table `revisit`: which pages stand for all."""

from dataclasses import replace

from ttcrawl.store.rows import NewUrl, RevisitRow
from ttcrawl.store.sqlite import SqliteStore
from ttcrawl.vocabulary.state import QUEUED

ROW = RevisitRow(
    url=0,
    next=0,
    visited=0,
    visits=1,
    not_modified=0,
    changes=0,
    missing=0,
    failures=0,
    trust="",
    evidence="",
    announced=None,
)


def test_slow_and_fast_pages_are_taken_as_there_are(tmp_path):
    """A third is slow: each later than all others in the queue."""
    store = SqliteStore(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, QUEUED, 0.0) for n in range(1, 901)])
    for url in range(1, 901):
        slow = url > 600
        store.revisits.save(replace(ROW, url=url, next=url + 1e6 * slow, evidence="slow" if slow else "fast"))
    taken = store.revisits.evidence(90)
    store.abandon()
    assert len(taken) == 90 and 20 <= taken.count("slow") <= 40
