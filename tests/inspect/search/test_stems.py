import sqlite3
from contextlib import closing

import pytest

from ttcrawl.inspect.search.stems import ALGORITHMS, MOST_WORDS, same_stem, stemmers
from ttcrawl.store.database import Database
from ttcrawl.store.search_db import open_search

WORDS = """crawl crawls crawled crawling crawler crawl2 use using used user happy happiness happily go going
    haus häuser hauses études étude йод книга книги книгу книгой 日本 naïve x xs"""


@pytest.fixture
def db(tmp_path):
    with closing(open_search(tmp_path / "search.db")) as db:
        db.execute("INSERT INTO words (rowid, text) VALUES (1, ?)", (WORDS,))
        yield db


def put(db: Database, *languages):
    rows = [(n, n, 0, 0, "", "", language, "", "", b"") for n, language in enumerate(languages)]
    db.executemany("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


CASES = (
    ("en", "crawl", {"crawls", "crawled", "crawling"}),
    ("en", "crawling", {"crawl", "crawls", "crawled"}),
    ("en", "crawlings", {"crawl", "crawls", "crawled", "crawling"}),  # a word that the index does not have
    ("en", "use", {"using", "used"}),
    ("en", "using", {"use", "used"}),
    ("en", "happiness", {"happy"}),
    ("en", "go", set()),  # too short
    ("en", "crawl2", set()),
    ("en", "日本", set()),
    ("en", "", set()),
    ("en", "_x%", set()),
    ("de", "hauser", {"haus", "hauses"}),  # folded
    ("de", "crawls", {"crawl", "crawler"}),
    ("fr", "etude", {"etudes"}),
    ("ru", "книга", {"книги", "книгу", "книгой"}),
    ("en-US", "crawls", {"crawl", "crawled", "crawling"}),
    ("EN_gb", "crawls", {"crawl", "crawled", "crawling"}),
    ("zh", "crawls", set()),
    ("xx", "crawls", set()),
    ("", "crawls", set()),
)


@pytest.mark.parametrize(("language", "word", "same"), CASES)
def test_words(db, language, word, same):
    assert set(same_stem(db, word, stemmers(db, [language] if language else []))) == same


def test_languages_are_those_of_the_pages(db):
    assert stemmers(db) == []
    put(db, "en", "de", "de", "", "zh")
    german, english = stemmers(db)
    assert german("häuser") == "haus" and english("happiness") == "happi"
    assert stemmers(db, ["en"]) == [english]


def test_no_more_than_some_words_and_languages(db):
    put(db, *ALGORITHMS)
    assert len(stemmers(db)) == 5
    many = " ".join(f"{'abcdefghij'[n % 10]}{'abcdefghij'[n // 10]}" for n in range(100))
    db.execute("INSERT INTO words (rowid, text) VALUES (2, ?)", (many,))
    assert len(same_stem(db, "aaaa", [lambda word: "aaa"])) <= MOST_WORDS


def test_every_language_has_a_stemmer():
    import snowballstemmer

    assert len(set(ALGORITHMS.values()) & set(snowballstemmer.algorithms())) > 20


def test_other_processes_may_have_an_older_sqlite(tmp_path):
    """The table of words belongs to the connection: the file has none."""
    open_search(tmp_path / "search.db").close()
    with closing(sqlite3.connect(tmp_path / "search.db")) as db:
        assert not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'terms'").fetchall()
