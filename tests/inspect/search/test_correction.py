"""Misspelled words of a query, beside the words of an index."""

from contextlib import closing

import pytest

from ttcrawl.inspect.search.bigrams import is_plain
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


class Counted:
    """A database that counts what it is asked."""

    def __init__(self, db):
        self.db, self.queries = db, 0

    def execute(self, *query):
        self.queries += 1
        return self.db.execute(*query)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000,
        "".join(each for each in map(chr, range(0x3B1, 0x1100, 40)) if each.isalpha() and is_plain(each))[:40],
        " ".join(f"wrng{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(100)),
    ],
    ids=["long", "alphabets", "words"],
)
def test_no_query_asks_for_more_than_a_second(db, text):
    counted = Counted(db)
    assert {near for _, near in corrections(counted, parse(text))} == {""}
    assert counted.queries < 5_000
