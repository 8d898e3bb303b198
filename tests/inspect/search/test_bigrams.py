"""Every part of a text without spaces is found by its letters, and by nothing else, in FTS5 itself."""

import os
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.inspect.search.bigrams import in_bigrams, indexed, phrase_in_bigrams
from ttcrawl.inspect.search.expression import exact
from ttcrawl.inspect.search.query import parse

TEXTS = (
    "東京都庁は新宿にあります。",
    "SQLiteの全文検索、Python3入門",
    "我们使用网络爬虫收集网页。",
    "การค้นหาเว็บไซต์ภาษาไทย",
    "ພາສາລາວ",
    "ការស្វែងរក",
    "မြန်မာဘာသာ",
    "검색엔진은 웹을 수집한다",
    "ﾊﾝｶｸカタカナ・コンピューター",
    "naïve Größe, plain words",
)


def matches(text, query):
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')")
        db.execute("INSERT INTO words VALUES (?)", (indexed(text),))
        expression = exact(parse(query))
        return bool(db.execute("SELECT 1 FROM words WHERE words MATCH ?", (expression,)).fetchall())


@pytest.mark.parametrize("text", TEXTS[:-1])
def test_every_part_is_found(text):
    parts = [text[start:end] for start in range(len(text)) for end in range(start + 1, min(len(text), start + 6) + 1)]
    # Latin words and numbers are words: a part of one is not found.
    parts = [part for part in parts if not any(letter.isascii() for letter in part) and any(map(str.isalnum, part))]
    assert len(parts) > 20
    missing = [part for part in parts if not matches(text, part)]
    assert missing == []


@pytest.mark.parametrize("text", TEXTS)
def test_the_complete_text_is_found(text):
    assert matches(text, text) and matches(text, f'"{text}"')


NOT_THERE = (
    (TEXTS[0], "京東"),
    (TEXTS[0], "東都"),
    (TEXTS[0], "新宿東京都庁"),
    (TEXTS[0], "検"),
    (TEXTS[1], "検索全文"),
    (TEXTS[1], "SQLite検索"),
    (TEXTS[3], "ภาษาไทยเว็บ"),
    (TEXTS[7], "엔진검색"),
    (TEXTS[9], "plai"),
    ("日 本", "日本人"),
    ("か", "が"),
)


@pytest.mark.parametrize(("text", "query"), NOT_THERE)
def test_other_words_are_not_found(text, query):
    assert not matches(text, query)


CASES = (
    ("plain words", "plain words", ("plain words", False)),
    ("größe", "größe", ("größe", False)),
    ("日", " 日 ", ("日", True)),
    ("日本", " 日本 本 ", ("日本", False)),
    ("日本語", " 日本 本語 語 ", ("日本 本語", False)),
    ("a日本b", "a 日本 本 b", ("a 日本 本 b", False)),
    ("a 日", "a  日 ", ("a 日", True)),
    ("・", "・", ("・", False)),
)


@pytest.mark.parametrize(("text", "bigrams", "phrase"), CASES)
def test_cases(text, bigrams, phrase):
    assert (in_bigrams(text), phrase_in_bigrams(text)) == (bigrams, phrase)


@pytest.mark.slow
def test_a_manual_in_japanese():
    """Words of the text are found on the pages that have them, and on no others."""
    paths = sorted(Path("/usr/share/doc/aptitude/html/ja").rglob("*.html"))
    if not paths:
        assert os.environ.get("CI") != "true", "aptitude-doc-ja is not installed"
        pytest.skip("aptitude-doc-ja is not installed")
    texts = [LexborHTMLParser(path.read_bytes()).body.text(separator=" ") for path in paths]
    chance = random.Random(1)
    runs = sorted({run for text in texts for run in re.findall(r"[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]+", text)})
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')")
        db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(map(indexed, texts)))
        for run in chance.sample(runs, 500):
            begin = chance.randrange(len(run))
            part = run[begin : begin + chance.randint(1, 6)]
            rows = db.execute("SELECT rowid FROM words WHERE words MATCH ?", (exact(parse(part)),))
            assert {id for (id,) in rows} == {id for id, text in enumerate(texts) if part in text}, part
