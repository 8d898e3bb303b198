"""Dropping earlier answers is part of the transaction of a visit."""

import pytest

from tests.support.crawls.any_messages import sample
from tests.support.crawls.crawling import query
from ttcrawl.ring.messages import Archived, Page
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED


@pytest.fixture
def store(tmp_path):
    """Two URLs; the first has had four answers."""
    store = Store(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, QUEUED, 0.0) for n in (1, 2)])
    for number in range(4):
        store.answers.add(1, 10.0 * number, 200, answer(number))
        store.commit()
    yield store
    store.abandon()


def answer(number):
    archived = Archived(file="a.warc.gz", offset=number, length=10)
    nothing = dict.fromkeys(("text", "record", "image", "document"))
    return sample(Page, archived=archived, digest=bytes([number] * 16), **nothing)


def times(directory):
    return [time for (time,) in query(directory, "SELECT time FROM answer WHERE url = 1 ORDER BY time")]


def dropped(directory):
    return query(directory, "SELECT * FROM dropped")


def test_what_is_not_committed_is_not_dropped(store, tmp_path):
    store.retention.limit(2, 0)
    store.retention.visited(1, 30.0)
    store.flush()
    assert times(tmp_path) == [0.0, 10.0, 20.0, 30.0]  # as another process reads it
    store.rollback()
    store.commit()
    assert times(tmp_path) == [0.0, 10.0, 20.0, 30.0] and dropped(tmp_path) == []
    store.retention.visited(1, 30.0)
    store.rollback()
    store.commit()
    assert times(tmp_path) == [0.0, 10.0, 20.0, 30.0]
    store.retention.visited(1, 30.0)
    store.commit()
    assert times(tmp_path) == [20.0, 30.0] and dropped(tmp_path) == [(1, 2, 20.0)]


def test_the_answer_of_the_visit_counts(store, tmp_path):
    """Its row is written before answers are dropped."""
    store.retention.limit(2, 0)
    store.retention.visited(1, 40.0)
    store.answers.add(1, 40.0, 200, answer(9))
    store.commit()
    assert times(tmp_path) == [30.0, 40.0]


def test_only_visited_urls_lose_answers(store, tmp_path):
    store.retention.limit(1, 0)
    store.retention.visited(2, 40.0)
    store.commit()
    assert len(times(tmp_path)) == 4


@pytest.mark.parametrize(
    ("payload", "digest", "left"),
    [
        (1, 1, [10.0, 30.0]),
        (1, 7, [30.0]),  # it refers to other bytes of that URL
        (None, 1, [30.0]),
    ],
)
@pytest.mark.parametrize("earlier", [False, True])
def test_what_another_answer_refers_to_stays(store, tmp_path, payload, digest, left, earlier):
    store.answers.add(2, 5.0, 200, answer(digest), payload)
    store.commit()
    if earlier:
        store.answers.add(2, 6.0, 200, answer(8))
    store.retention.limit(1, 0)
    store.retention.visited(1, 40.0)
    store.commit()
    assert times(tmp_path) == left
    assert dropped(tmp_path) == [(1, 4 - len(left), 30.0)]
    assert store.retention.holds(1, bytes([1] * 16)) == (10.0 in left)
    assert store.retention.holds(1, bytes([3] * 16)) and not store.retention.holds(2, bytes([3] * 16))


def test_without_limits_nothing_is_dropped_nor_made(store, tmp_path):
    store.retention.limit(0, 0)
    store.retention.visited(1, 1e9)
    store.commit()
    assert len(times(tmp_path)) == 4 and store.retention.holds(7, b"")
    assert query(tmp_path, "SELECT name FROM sqlite_master WHERE name LIKE '%payload'") == []
