"""Pages that are not read yet: what reading brings is written once, and together."""

import sqlite3
import zlib
from contextlib import closing

import pytest
from msgspec.structs import replace

from tests.support.crawls.any_messages import sample
from tests.support.crawls.crawling import query
from ttcrawl.ring.columns import Document, Fingerprint, Metadata, Reading, Text
from ttcrawl.ring.messages import Archived, Page, ReadPage, Same
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.storable import replace as changed

RESULTS = ReadPage(
    token=1,
    title="title",
    parse_error="",
    kinds=b"aa",
    landmarks=b"nm",
    anchors='["one","two"]',
    reading=Reading(
        metadata=Metadata(description="about"),
        text=Text(size=4, packed=zlib.compress(b"text")),
        fingerprint=Fingerprint(text=b"t" * 16, bands=b"b" * 8, signature=b"s" * 4, shingles=b"h" * 4),
    ),
    uses_page_url=False,
)
ALL = "SELECT text.size, description, landmarks, anchors, fingerprint.text, bands, parse_context, title, parse_error"
ALL += " FROM page LEFT JOIN text USING (url) LEFT JOIN metadata USING (url) LEFT JOIN fingerprint USING (url)"
ALL += " LEFT JOIN outlinks ON source = page.url WHERE page.url = 1"


def page(number, **values):
    facts = {
        "archived": Archived(file="ttcrawl-0-00000.warc.gz", offset=number, length=10),
        **{"digest": bytes([number] * 16), "title": "title", "length": 7, "unread": True},
        **{"targets": "[7,8]", "kinds": b"aa", "regions": b"cc", "anchors": ""},
        **dict.fromkeys(("metadata", "text", "image", "document")),
    }
    return sample(Page, **(facts | values))


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, FETCHED, 0.0, processed=1.0) for n in (1, 2, 3)])
    for number in (1, 2):
        store.answers.add(number, 10.0, 200, page(number))
        store.fingerprints.add(number, 10.0, 5, bytes([number] * 16), Fingerprint())
    store.commit()
    yield store
    store.abandon()


def test_they_come_in_order_with_their_records(store):
    assert [each.id for each in store.unread.after(0, 9)] == [1, 2] and store.unread.count() == 2
    assert [each.id for each in store.unread.after(0, 1)] == [1] and store.unread.after(2, 9) == []
    (second,) = store.unread.after(1, 9)
    assert second.url == "http://a.test/2" and second.digest == b"\2" * 16 and second.payload is None
    assert (second.record.offset, second.length, second.status) == (2, 7, 200)


def test_a_copy_of_an_unread_page_is_unread_and_has_the_bytes_of_its_original(store):
    same = sample(Same, archived=Archived(file="ttcrawl-1-00000.warc.gz", offset=3, length=10), original=1)
    store.answers.copy(3, 3, 11.0, 200, same, 1)
    third = store.unread.after(2, 9)[0]
    assert third.record == same.archived and third.payload == Archived(
        file="ttcrawl-0-00000.warc.gz", offset=1, length=10
    )
    store.unread.read(1, RESULTS)
    store.commit()
    assert store.unread.after(2, 9) == [replace(third)]  # each is read by itself


def test_the_results_and_the_end_of_the_row_are_one_transaction(store, tmp_path):
    before = query(tmp_path, ALL)
    store.unread.read(1, RESULTS)
    store.flush()
    store.rollback()
    assert query(tmp_path, ALL) == before and store.unread.count() == 2
    store.unread.read(1, RESULTS)
    store.commit()
    results = (4, "about", b"nm", '["one","two"]', b"t" * 16, b"b" * 8, 5, "title", "")
    assert query(tmp_path, ALL) == [results] and store.unread.count() == 1


@pytest.mark.parametrize(
    ("values", "column", "expected"),
    [
        ({"uses_page_url": True}, "(SELECT parse_context FROM fingerprint WHERE url = 1)", 0),
        ({"reading": changed(RESULTS.reading, fingerprint=None)}, "(SELECT bands FROM fingerprint WHERE url = 1)", b""),
        ({"kinds": b"ag"}, "(SELECT landmarks FROM outlinks WHERE source = 1)", b""),  # other links
        ({"kinds": b"", "landmarks": b"", "anchors": ""}, "(SELECT anchors FROM outlinks WHERE source = 1)", ""),
        ({"title": "of a document"}, "(SELECT title FROM page WHERE url = 1)", "of a document"),
        ({"reading": changed(RESULTS.reading, metadata=None)}, "(SELECT count(*) FROM metadata)", 0),
        ({"reading": changed(RESULTS.reading, text=None)}, "(SELECT count(*) FROM text)", 0),
    ],
)
def test_what_each_field_changes(store, tmp_path, values, column, expected):
    store.unread.read(1, changed(RESULTS, **values))
    store.commit()
    assert query(tmp_path, f"SELECT {column}") == [(expected,)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [("", "", ""), ("too large", "", "too large"), ("", "timeout", "timeout"), ("too large", "x", "x; too large")],
)
def test_errors_of_a_document_are_joined(store, tmp_path, before, after, expected):
    store.answers.add(3, 10.0, 200, page(3, document=Document(name="d", size=1, error=before)))
    document = Document(name="", size=1, pages=4, converter="c", error=after)
    store.unread.read(3, changed(RESULTS, reading=changed(RESULTS.reading, document=document)))
    store.commit()
    assert query(tmp_path, "SELECT name, pages, converter, error FROM document") == [("d", 4, "c", expected)]


@pytest.mark.parametrize(("before", "expected"), [("", "parse: X"), ("lexbor: y", "lexbor: y; parse: X")])
def test_a_page_that_cannot_be_read(store, tmp_path, before, expected):
    store.answers.add(3, 10.0, 200, page(3, parse_error=before))
    store.unread.failed(3, "parse: X")
    store.commit()
    assert query(tmp_path, "SELECT parse_error FROM page WHERE url = 3") == [(expected,)]
    assert [each.id for each in store.unread.after(0, 9)] == [1, 2]


def test_another_answer_is_the_one_that_is_unread(store):
    store.answers.add(1, 20.0, 200, page(9, unread=False))
    store.answers.add(2, 20.0, 200, page(8))
    store.commit()
    assert [(each.id, each.record.offset) for each in store.unread.after(0, 9)] == [(2, 8)]


def test_results_that_are_refused_name_their_url(store):
    store.unread.read(1, changed(RESULTS))
    store.unread.read(1, RESULTS)
    with pytest.raises(UnstorableError) as refused:
        store.flush()
    assert refused.value.urls == {"http://a.test/1": "IntegrityError"}


def test_marks_are_decided_anew(store, tmp_path):
    store.set(marked_by="True True 0.9", bucketed=2, judged="{}")
    store.unread.begin()
    store.commit()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        names = dict(db.execute("SELECT name, value FROM crawl WHERE name IN ('marked_by', 'bucketed', 'judged')"))
        assert names == {"marked_by": ""} and db.execute("SELECT n FROM unsettled").fetchall() == [(1,)]
