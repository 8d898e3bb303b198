"""Both vocabularies of a crawl are read in one pass over its texts."""

import sqlite3
import zlib
from contextlib import closing

import pytest

from tests.report.laws.vocabularies import vocabulary
from tests.support.crawls.crawl_db import crawl_of, insert
from ttcrawl.output.steps import silent
from ttcrawl.report.laws.texts import read
from ttcrawl.snapshot.snapshot import view

#: The text of each page, and its main text; None: it has no other.
TEXTS = [("menu one two", "one two"), ("menu three", None), ("menu two four", "two four")]
MAIN = [main or text for text, main in TEXTS]
COMPLETE = [text for text, _ in TEXTS]


@pytest.fixture
def directory(tmp_path):
    pages = [f"http://a.test/{number}" for number in range(len(TEXTS))]
    crawl = crawl_of(tmp_path / "crawl", {page: [] for page in pages})
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        for number, (text, main) in enumerate(TEXTS, 1):
            packed = [None if each is None else zlib.compress(each.encode()) for each in (text, main)]
            sizes = (len(text), 0 if main is None else len(main))
            columns = "(url, size, text, main_size, main)"
            db.execute(
                f"INSERT INTO text {columns} VALUES (?, ?, ?, ?, ?)", (number, sizes[0], packed[0], sizes[1], packed[1])
            )
    return crawl


@pytest.mark.parametrize(
    "most, main, complete",
    [
        (1000, MAIN, COMPLETE),
        (22, MAIN[:2], COMPLETE[:2]),
        (17, MAIN[:2], COMPLETE[:1]),
        (11, MAIN[:1], []),
        (0, [], []),
    ],
)
def test_each_kind_ends_at_its_own_limit(directory, most, main, complete):
    with view(directory) as db:
        found = read(db, silent, most)
    for (vocabulary_, how), texts, all_ in ((found.main, main, MAIN), (found.complete, complete, COMPLETE)):
        expected = vocabulary(texts)
        assert (vocabulary_.tokens, vocabulary_.words) == (expected.tokens, expected.words)
        assert vocabulary_.counts == expected.counts
        assert ("Only the first" in how) == (texts != all_)


def test_a_text_without_another_main_text_is_split_once(directory, monkeypatch):
    split = []
    monkeypatch.setattr("zlib.decompress", lambda packed, of=zlib.decompress: split.append(packed) or of(packed))
    with view(directory) as db:
        read(db, silent)
    assert len(split) == 5


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("en", "de"), {"the": 1, "die": 1, "und": 1}),
        (("en", ""), {"the": 2}),  # the only language of the crawl
        (("", ""), {"the": 2, "die": 2, "und": 1}),
        (("xx", "en"), {"the": 1}),
    ],
)
def test_function_words_are_counted_by_the_language_of_each_page(tmp_path, languages, expected):
    texts = ["the die rolls", "die und the war"]
    crawl = crawl_of(tmp_path / "crawl", {f"http://a.test/{number}": [] for number in range(2)})
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        add_text = insert(db, "text", "url", "size", "text")
        add_language = insert(db, "metadata", "url", "language", headings="[]", open_graph="{}")
        for number, (text, language) in enumerate(zip(texts, languages, strict=True), 1):
            db.execute(add_text, (number, len(text), zlib.compress(text.encode())))
            db.execute(add_language, (number, language))
    with view(crawl) as db:
        found = read(db, silent)
    counted = {word: count for word, count in found.function_words.items() if word != "war"}
    assert counted == expected and found.main[0].counts["die"] == 2
