"""Search, and the search that is open to visitors."""

import shutil

import pytest

from tests.library.sample_crawl import make
from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web
from tests.support.window import window

PAGES = {
    ("a.test", "/"): Answer(
        body=b"<html lang=en><title>Home &lt;b&gt;</title><main><p>The garden has apples and pears, and a "
        b"&lt;script&gt;alert(1)&lt;/script&gt; between them.</main><a href=/1>one</a><a href=/2>two</a>"
    ),
    ("a.test", "/1"): Answer(body=b"<html lang=en><title>One</title><main><p>Apples grow in the garden of pears."),
    ("a.test", "/2"): Answer(body=b"<html lang=de><title>Zwei</title><main><p>Im Garten wachsen apples und mehr."),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    directory = tmp_path_factory.mktemp("search") / "crawl"
    with Web(PAGES) as web:
        assert crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay", "--inline").status == 0
    return directory


@pytest.fixture(scope="module")
def opened(crawled):
    with window(crawled) as each:
        while "is being made" in each.get("/crawl/search?q=apples").text:
            pass
        yield each


def test_the_index_is_made_by_the_first_search_and_the_page_says_so(crawled, tmp_path):
    shutil.copytree(crawled, tmp_path / "crawl", ignore=lambda *_: ["search.db"])
    with window(tmp_path / "crawl") as each:
        while "is being made" in (text := each.get("/crawl/search?q=apples").text):
            assert 'http-equiv="refresh"' in text and "No page" not in text
        assert "3 pages match" in text
    assert (tmp_path / "crawl" / "search.db").is_file()


def test_pages_with_their_words_marked(opened):
    text = opened.get("/crawl/search?q=garden").text
    assert "The <mark>garden</mark> has apples" in text
    assert "&lt;script&gt;alert(1)" in text and "<script>alert" not in text
    assert "Home &lt;b&gt;" in text
    assert 'href="/crawl/url?u=http%3A%2F%2Fa.test%3A' in text
    assert "search" in text and "--limit 10" in text  # the command


def test_facets_lead_to_narrower_searches(opened):
    text = opened.get("/crawl/search?q=apples").text
    assert 'href="/crawl/search?q=apples&amp;lang=de"' in text
    narrow = opened.get("/crawl/search?q=apples&lang=de").text
    assert "1 page matches" in narrow and "Zwei" in narrow and "One" not in narrow
    assert "remove this filter" in narrow and "lang:&#34;de&#34;" in narrow


WRONG = [
    ("q=(apples", 400, "parentheses or words are missing"),
    ("q=after:x", 400, "is not a day"),
    ("q=zebra", 200, "No page has zebra"),
    ("q=aples", 200, "did you mean"),
    ("q=%3Cscript%3Ealert(1)%3C/script%3E", 200, "&lt;script&gt;"),
    ("q=apples&most=999", 200, "3 pages match"),
    ("q=apples&most=1e9", 400, "most=1e9: write a number"),
    ("q=apples&lang=%22)%20OR%20(", 200, "No page has all of these words"),
    ("", 200, "a phrase"),
]


@pytest.mark.parametrize(("query", "status", "message"), WRONG)
def test_what_finds_nothing_says_why(opened, query, status, message):
    answer = opened.get(f"/crawl/search?{query}")
    assert (answer.status, message in answer.text) == (status, True), answer.text


def test_a_public_search_is_this_screen_alone(crawled):
    with window(crawled, public_search=True) as public:
        while "is being made" in (answer := public.get("/crawl/search?q=apples", cookie=None)).text:
            pass
        assert answer.status == 200 and answer.headers["x-robots-tag"] == "noindex, nofollow"
        assert 'href="http://a.test' in answer.text and "/crawl/url" not in answer.text
        assert str(crawled) not in answer.text and "<nav" not in answer.text
        assert public.get("/", cookie=None).headers["location"] == "/crawl/search"
        for path in (
            "/crawl/",
            "/crawl/urls",
            "/crawl/what-if",
            "/crawl/url?u=x",
            "/crawl/screenshot?u=x",
            "/crawl/events",
        ):
            assert public.get(path, cookie=None).status == 404
        assert public.get(f"/crawl/archived/{public.safety.archived}/1/http://a.test/", cookie=None).status == 404
        assert public.post("/crawl/do/requeue", {}).status in (404, 405)


REFUSED = [
    (("--host", "0.0.0.0"), "--host 0.0.0.0 is for --public-search"),
    (("--public-search", "--control"), "--public-search is for one crawl, without --control"),
    (("--public-search", "--host", "192.0.2.1"), "port 0 of 192.0.2.1 cannot be used"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_another_address_is_for_a_public_search_alone(crawled, options, message):
    done = run("view", crawled, *options)
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr


def test_visitors_of_a_public_search_may_ask_so_often_in_a_minute(crawled):
    with window(crawled, public_search=True) as public:
        answers = [public.get("/crawl/search?q=apples", cookie=None) for _ in range(31)]
        assert [each.status for each in answers] == [200] * 30 + [429]
        assert 0 < int(answers[-1].headers["retry-after"]) <= 60
        assert public.get("/crawl/search", cookie=None).status == 200
        other = {"cookie": None, "x_forwarded_for": "192.0.2.7"}  # named by the web server in front of it
        assert public.get("/crawl/search?q=apples", **other).status == 200


def test_a_crawl_without_pages_has_an_empty_search(tmp_path):
    make(tmp_path / "crawl")
    with window(tmp_path / "crawl") as each:
        assert each.get("/crawl/search").status == 200
