"""A URL that answers again: `page` and the tables beside it have the latest answer, `answer` has all of them."""

import json
import zlib

import pytest

from tests.support.crawls.any_messages import sample
from tests.support.crawls.crawling import query
from ttcrawl.ring.columns import Image, Metadata, Text
from ttcrawl.ring.messages import Archived, Moved, Page
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED


def archived(offset):
    return Archived(file="a.warc.gz", offset=offset, length=10)


def page(offset, title, *targets):
    return sample(
        Page,
        archived=archived(offset),
        digest=bytes([offset] * 16),
        title=title,
        targets=json.dumps(targets),
        kinds=b"a" * len(targets),
        regions=b"c" * len(targets),
        metadata=Metadata(description=title),
        text=Text(size=len(title), packed=zlib.compress(title.encode())),
        image=Image(name=title, size=1, width=1, height=1),
        document=None,
    )


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, QUEUED, 0.0) for n in (1, 2)])
    yield store
    store.abandon()


def test_the_latest_answer_is_the_page(store, tmp_path):
    store.answers.add(1, 10.0, 200, page(1, "first", 7, 8))
    store.answers.add(2, 11.0, 200, page(2, "other", 9))
    store.commit()
    store.answers.add(1, 20.0, 200, page(3, "second", 8))
    store.commit()
    store.answers.add(1, 30.0, 301, Moved(token=1, archived=archived(4), location="/2", target=None))
    store.commit()
    assert query(tmp_path, "SELECT url, time, status, title, offset FROM page ORDER BY url") == [
        (1, 30.0, 301, "", 4),
        (2, 11.0, 200, "other", 2),
    ]
    assert query(tmp_path, "SELECT time, title, offset FROM answer WHERE url = 1 ORDER BY time") == [
        (10.0, "first", 1),
        (20.0, "second", 3),
        (30.0, "", 4),
    ]
    assert query(tmp_path, "SELECT source, target, kind FROM link ORDER BY 1, 2") == [(1, 0, "R"), (2, 9, "a")]
    assert query(tmp_path, "SELECT time, targets FROM earlier_outlinks WHERE source = 1 ORDER BY time") == [
        (10.0, "[7, 8]"),
        (20.0, "[8]"),
    ]
    assert query(tmp_path, "SELECT time, description FROM earlier_metadata ORDER BY time") == [
        (10.0, "first"),
        (20.0, "second"),
    ]
    (first, second) = query(tmp_path, "SELECT url, text FROM earlier_text ORDER BY time")
    assert [zlib.decompress(text) for _, text in (first, second)] == [b"first", b"second"]
    assert query(
        tmp_path, "SELECT url FROM metadata UNION ALL SELECT url FROM text UNION ALL SELECT url FROM image"
    ) == [
        (2,),
        (2,),
        (2,),
    ]


def test_both_in_one_transaction(store, tmp_path):
    store.answers.add(1, 10.0, 200, page(1, "first", 7))
    store.flush()
    store.answers.add(1, 20.0, 200, page(2, "second", 8))
    store.commit()
    assert query(tmp_path, "SELECT title FROM answer ORDER BY time") == [("first",), ("second",)]
    assert query(tmp_path, "SELECT target FROM link") == [(8,)]


def test_both_before_anything_is_written(store, tmp_path):
    store.answers.add(1, 10.0, 200, page(1, "first", 7))
    store.answers.add(2, 11.0, 200, page(2, "other", 9))
    store.answers.add(1, 20.0, 200, page(3, "second", 8))
    store.answers.add(1, 30.0, 301, Moved(token=1, archived=archived(4), location="/2", target=None))
    store.commit()
    assert query(tmp_path, "SELECT title FROM answer WHERE url = 1 ORDER BY time") == [("first",), ("second",), ("",)]
    assert query(tmp_path, "SELECT url, description FROM metadata") == [(2, "other")]
    assert query(tmp_path, "SELECT time, targets FROM earlier_outlinks ORDER BY time") == [
        (10.0, "[7]"),
        (20.0, "[8]"),
    ]


def test_a_kill_between_the_answers_loses_neither_row(store, tmp_path):
    store.answers.add(1, 10.0, 200, page(1, "first", 7))
    store.commit()
    store.answers.add(1, 20.0, 200, page(2, "second", 8))
    store.flush()
    store.abandon()
    assert (
        query(tmp_path, "SELECT title FROM answer")
        == query(tmp_path, "SELECT description FROM metadata")
        == [("first",)]
    )
    assert query(tmp_path, "SELECT target FROM link") == [(7,)]
    for table in ("outlinks", "metadata", "text"):
        assert query(tmp_path, f"SELECT count(*) FROM earlier_{table}") == [(0,)]


@pytest.mark.parametrize("time", [10.0, 9.0])
def test_an_answer_that_is_not_later_is_refused(store, time):
    """An outcome that is processed twice by mistake does not look like a history."""
    store.answers.add(1, 10.0, 200, page(1, "first"))
    store.commit()
    store.answers.add(1, time, 200, page(1, "first"))
    with pytest.raises(UnstorableError):
        store.flush()
