"""Misspelled words of a query, beside the words of an index."""

from contextlib import closing

import pytest

from ttcrawl.inspect.search.correction import corrections
from ttcrawl.inspect.search.query import parse
from ttcrawl.store.search_db import open_search

TEXTS = [(text,) for text in ("the crawler crawls", "crawler of robots", "ёлка и дорога", "東京都", "γλωσσα")]


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with closing(open_search(tmp_path_factory.mktemp("index") / "search.db")) as db:
        db.executemany("INSERT INTO words (title, headings, anchors, text) VALUES ('', '', '', ?)", TEXTS)
        yield db


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("crawler", []),
        ("crwaler", [("crwaler", "crawler")]),
        ("crawlr robts", [("crawlr", "crawler"), ("robts", "robots")]),
        ("crawlerr", [("crawlerr", "crawler")]),
        ("crawlet", [("crawlet", "crawler")]),
        ("crowlr", [("crowlr", "")]),
        ("craw*", []),
        ("crow*", [("crow", "")]),
        ("thr", [("thr", "")]),
        ("crawler -nowhere", []),
        ('"crawler rbots"', [("rbots", "robots")]),
        ("дорха", [("дорха", "")]),
        ("дороха", [("дороха", "дорога")]),
        ("γλωσα", [("γλωσα", "γλωσσα")]),
        ("大阪", []),
        ("12345", [("12345", "")]),
        ("host:a.test", []),
    ],
)
def test_corrections(db, query, expected):
    assert corrections(db, parse(query)) == expected
