"""Table `revisit`: which pages stand for all."""

from msgspec.structs import replace

from tests.recrawl.visits import NEVER
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED


def test_slow_and_fast_pages_are_taken_as_there_are(tmp_path):
    """A third is slow: each later than all others in the queue."""
    store = Store(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, QUEUED, 0.0) for n in range(1, 901)])
    for url in range(1, 901):
        slow = url > 600
        store.recrawls.save(
            replace(NEVER, url=url, visits=1, next=url + 1e6 * slow, evidence="slow" if slow else "fast")
        )
    samples = [store.recrawls.sample(90, seed) for seed in (0, 90, 90, 180)]
    every = store.recrawls.sample(10_000, 7)
    store.abandon()
    for rows, total in samples:
        taken = [row.evidence for row in rows]
        assert total == 900 and 80 <= len(taken) <= 100 and 20 <= taken.count("slow") <= 40
    assert samples[1] == samples[2] != samples[3]
    assert len(every[0]) == every[1] == 900
