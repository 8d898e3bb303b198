import pytest

from ttcrawl.inspect.search.expression import exact, wide
from ttcrawl.inspect.search.query import parse

FORMS = {"crawl": ["crawling", "crawls"], "page": ["pages"], "crawling": ["crawl"]}

WIDE = {
    "": "",
    "other": '"other"',
    "page": '( "page" OR "pages" )',
    "title:Page crawl": 'title : ( "page" OR "pages" ) AND ( "crawl" OR "crawling" OR "crawls" )',
    "page -crawl": '( ( "page" OR "pages" ) ) NOT "crawl"',
    "Page crawl": '( "page" OR "pages" ) AND ( "crawl" OR "crawling" OR "crawls" )',
    '"page"': '"page"',
    '"page" crawl': '"page" AND ( "crawl" OR "crawling" OR "crawls" )',
    '"crawl page"': '"crawl page"',
    "crawl-page": '"crawl page"',
    "page*": '"page" *',
    "page NOT crawl": '( "page" OR "pages" ) NOT "crawl"',
    "page NOT (crawl OR x) page": '( "page" OR "pages" ) NOT ( "crawl" OR "x" ) AND ( "page" OR "pages" )',
    "x NOT (a (crawl b) page) OR page": '"x" NOT ( "a" AND ( "crawl" AND "b" ) AND "page" ) OR ( "page" OR "pages" )',
    "日本語 page": '"日本 本語" AND ( "page" OR "pages" )',
    "日": '"日" *',
}


@pytest.mark.parametrize("text", WIDE)
def test_words_of_the_same_stem(text):
    query = parse(text)
    expression, added = wide(query, lambda word: FORMS.get(word, []))
    assert expression == WIDE[text]
    assert bool(added) == (" OR " in expression.replace('"crawl" OR "x"', "").replace(') OR ( "p', ""))
    assert wide(query, lambda word: []) == (exact(query), [])


def test_the_words_are_named():
    assert wide(parse("page crawl page"), lambda word: FORMS.get(word, []))[1] == ["pages", "crawling", "crawls"]
