import re
import sqlite3

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.inspect.search.query import parse

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
    "title:x intitle:y": 'title : "x" AND title : "y"',
    'title:"two words" title:pre*': 'title : "two words" AND title : "pre" *',
    "heading:x": '"heading x"',
    "a -b": '( "a" ) NOT "b"',
    '-b a -"c d" OR e': '( "a" OR "e" ) NOT "b" NOT "c d"',
    "a -title:b -pre*": '( "a" ) NOT title : "b" NOT "pre" *',
    "a - b a-b": '"a" AND "b" AND "a b"',
    "(a -b) OR c": '( ( "a" ) OR "c" ) NOT "b"',
    "ﬁsh Ｆｕｌｌ zero\u200bwidth": '"fish" AND "full" AND "zerowidth"',
    "http://a.test/": '"http a test"',
    "NEAR(a b)": '"near" AND ( "a" AND "b" )',
    "-- !!": "",
    "": "",
    "host:a.test": "",
    "größe host:a.test Ünder": '"grosse" AND "under"',
}


@pytest.mark.parametrize("text", QUERIES)
def test_expressions(text):
    expression = parse(text).match
    assert expression == QUERIES[text]
    if expression:  # FTS5 reads it
        with sqlite3.connect(":memory:") as db:
            db.execute("CREATE VIRTUAL TABLE words USING fts5 (title, text)")
            assert db.execute("SELECT * FROM words WHERE words MATCH ?", (expression,)).fetchall() == []


def test_filters_and_words():
    query = parse('Größe host:A.test lang:en "two words" pre* after:2026-01-31 type:"application/pdf" größe')
    assert query.words == ("grosse", "two", "words", "pre*")
    assert query.filters == (
        ("host", "a.test"),
        ("lang", "en"),
        ("after", "2026-01-31"),
        ("type", "application/pdf"),
    )


def test_filters_by_other_names_and_without():
    query = parse("site:a.test -site:b.test inurl:Doc -url:old -lang:en x")
    assert query.filters == (
        *(("host", "a.test"), ("-host", "b.test"), ("url", "doc")),
        *(("-url", "old"), ("-lang", "en")),
    )
    assert query.match == '"x"'


WRONG = {
    "-a": "only excludes: write words that pages must have",
    "-a host:b": "only excludes",
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
