import re
import sqlite3

import pytest

from ttcrawl.ask.search.query import folded, parse
from ttcrawl.errors import UsageError

QUERIES = {
    "web": '"web"',
    "web crawler": '"web" AND "crawler"',
    "web OR crawler": '"web" OR "crawler"',
    "web NOT crawler": '"web" NOT "crawler"',
    "web AND crawler": '"web" AND "crawler"',
    "and or not": '"and" AND "or" AND "not"',
    '"crawl delay"': '"crawl delay"',
    '"crawl-delay"': '"crawl delay"',
    "crawl-delay": '"crawl delay"',
    '"not closed': '"not closed"',
    "pre*": '"pre" *',
    "a.b.pre*": '"a b pre" *',
    "(a OR b) c": '( "a" OR "b" ) AND "c"',
    "a (b c)": '"a" AND ( "b" AND "c" )',
    "c++ snake_case": '"c" AND "snake case"',
    "it's": '"it s"',
    "title:x": '"title x"',
    "http://a.test/": '"http a test"',
    "NEAR(a b)": '"NEAR" AND ( "a" AND "b" )',
    "-- !!": "",
    "": "",
    "host:a.test": "",
    "größe host:a.test Ünder": '"größe" AND "Ünder"',
}


@pytest.mark.parametrize("text", QUERIES)
def test_expressions(text):
    expression = parse(text).match
    assert expression == QUERIES[text]
    if expression:  # FTS5 reads it
        with sqlite3.connect(":memory:") as db:
            db.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
            assert db.execute("SELECT * FROM words WHERE words MATCH ?", (expression,)).fetchall() == []


def test_filters_and_words():
    query = parse('Größe host:A.test lang:en "two words" pre* after:2026-01-31 type:"application/pdf" größe')
    assert query.words == ("große", "two", "words", "pre*")
    assert query.filters == (
        ("host", "a.test"),
        ("lang", "en"),
        ("after", "2026-01-31"),
        ("type", "application/pdf"),
    )


WRONG = {
    "OR a": "OR stands without words before it",
    "a AND": "parentheses or words are missing",
    "NOT a": "NOT stands without words before it",
    "(a": "parentheses or words are missing",
    "a)": "parentheses or words are missing",
    "()": ") stands without words before it",
    "a OR OR b": "OR stands without words before it",
    "after:soon": "after:soon is not a day: write after:2026-01-31",
    'host:""': "host: has no value",
    "a " * 101: "the query is too long: write at most 100 words and filters",
    "host:a " * 101: "the query is too long",
    f'"{"a " * 101}"': "the query is too long",
    "(" * 500 + "a" + ")" * 500: "the query is too long",
    "(" * 21 + "a" + ")" * 21: "more than 20 parentheses inside of each other",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_queries(text):
    with pytest.raises(UsageError, match=re.escape(WRONG[text])):
        parse(text)


@pytest.mark.parametrize("word", ["Größe", "naïve", "ÉTÉ", "straße", "İstanbul", "日本", "ﬁn", "x"])
def test_words_are_folded_as_in_the_index(word):
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')")
        db.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab (words, row)")
        db.execute("INSERT INTO words VALUES (?)", (word,))
        ((token,),) = db.execute("SELECT term FROM tokens").fetchall()
    assert folded(word) == token
