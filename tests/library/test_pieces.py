"""Rows that are read in pieces while a crawl goes on, and what whoever waits between two of them keeps open."""

import sqlite3
from contextlib import closing
from operator import attrgetter

import pytest

import ttcrawl
from tests.library.sample_crawl import HOME, OTHER, URLS, make
from ttcrawl.snapshot.pieces import of_query
from ttcrawl.snapshot.snapshot import view

ITERATORS = {
    **{f"iter_{name}": () for name in ("pages", "urls", "links", "sites", "growth", "visits", "images", "documents")},
    **{"iter_metadata": (), "iter_duplicates": (), "groups": (), "history": (HOME,), "diff": ()},
}


@pytest.fixture
def writer(tmp_path):
    """The connection of a crawl that goes on in the directory `c`."""
    with closing(sqlite3.connect(make(tmp_path / "c") / "crawl.db", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("INSERT INTO growth VALUES (1, 1, 1, 1, 1, 1, 1) ON CONFLICT DO NOTHING")
        yield db


def ends_the_log(db):
    """Whether nobody keeps the log from its end."""
    db.execute("UPDATE crawl SET value = value || '' WHERE name = 'seeds'")
    busy, _, _ = db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchone()
    return not busy


@pytest.mark.parametrize("name", ITERATORS)
def test_an_iterator_that_waits_keeps_no_snapshot(tmp_path, writer, name):
    with ttcrawl.open(tmp_path / "c") as crawl:
        items = getattr(crawl, name)(*ITERATORS[name])
        next(items, None)
        assert ends_the_log(writer)
        assert (tmp_path / "c" / "crawl.db-wal").stat().st_size == 0
        list(items)


def test_the_sample_has_more_than_one_of_each(tmp_path):
    """Else the iterators of the other test had ended."""
    crawl = ttcrawl.open(make(tmp_path / "c"))
    lengths = {name: len(list(getattr(crawl, name)(*ITERATORS[name]))) for name in ITERATORS}
    assert {name for name, length in lengths.items() if length > 1} >= {"iter_pages", "iter_urls", "iter_links"}


@pytest.mark.parametrize("keys", [1, 2, 3, len(URLS), 100])
def test_pieces_have_the_rows_up_to_the_last_one_at_the_start(tmp_path, writer, keys):
    pieces = of_query("url, state", "url", "url.id", lambda *row: row, keys=keys)
    with view(tmp_path / "c") as db:
        rows = pieces.rows(db)
        got = [next(rows)]
        writer.execute(
            "INSERT INTO url SELECT id + 100, key + 100, url || 'x', site, '', 'queued', '', NULL, 1, 0, 0, 0,"
            " 0, 0, 0, 0, 0, 1, NULL, 0, NULL, 0, 0 FROM url"
        )
        writer.execute("UPDATE url SET state = 'failed'")
        got += rows
    assert [url for url, _ in got] == list(URLS)
    assert [state for _, state in got[keys:]] == ["failed"] * len(URLS[keys:])
    assert "failed" not in [state for url, state in got[:keys] if url in (HOME, OTHER)]


@pytest.mark.parametrize("ends", [1, 2, 5])
def test_a_piece_may_end_early_and_nothing_is_left_out_or_twice(tmp_path, ends):
    pieces, rests, seen = of_query("url", "url", "url.id", str, keys=4), [], []
    with view(make(tmp_path / "c")) as db:
        for url in pieces.rows_in_snapshots(db, lambda: not len(seen) % ends, lambda: rests.append(len(seen))):
            seen.append(url)
    assert seen == list(URLS) and len(rests) == len({*rests}) and rests[-1] == len(URLS)


def test_links_are_those_of_the_tables(tmp_path):
    crawl = ttcrawl.open(make(tmp_path / "c"))
    with view(tmp_path / "c") as db:
        links = db.execute(
            "SELECT s.url, position, t.url FROM link JOIN url AS s ON s.id = source LEFT JOIN url AS t"
            " ON t.key = target ORDER BY source, position"
        ).fetchall()
    assert list(map(attrgetter("source", "position", "target"), crawl.iter_links())) == links
