"""What decides how a body is read, as one number."""

import pytest

from ttcrawl.config import Agent, Config, Crawl, Files, Links, Politeness, Record, Scope
from ttcrawl.fetch.head import grouped
from ttcrawl.fetch.parse_context import parse_contexts, settings

URL = "http://a.test/d/e/page.html?x=1"
HTML = (("Content-Type", "text/html"),)
MORE = ("Content-Language", "de"), ("Link", "</x>; rel=next")


def in_directory(url, headers, *, sitemap=False, by=""):
    return parse_contexts(url, grouped(headers)[1], sitemap=sitemap, by=by)[0]


def in_any(url, headers):
    return parse_contexts(url, grouped(headers)[1], sitemap=False)[1]


FIRST = in_directory(URL, HTML)
EQUAL = {
    "another query": ("http://a.test/d/e/page.html?y", HTML),
    "no query": ("http://a.test/d/e/page.html", HTML),
    "another name": ("http://a.test/d/e/other.php", HTML),
    "a slash in the query": ("http://a.test/d/e/page?to=/x/y", HTML),
    "the directory itself": ("http://a.test/d/e/", HTML),
    "names of headers in capitals": (URL, (("CONTENT-TYPE", "text/html"),)),
    "headers that decide nothing": (
        URL,
        (*HTML, ("Date", "x"), ("ETag", '"1"'), ("Server", "s"), ("Set-Cookie", "a=1")),
    ),
}
OTHER = {
    "another directory": ("http://a.test/d/page.html", HTML),
    "a directory of that name": ("http://a.test/d/e/page.html/", HTML),
    "another host": ("http://b.test/d/e/page.html", HTML),
    "another port": ("http://a.test:81/d/e/page.html", HTML),
    "another scheme": ("https://a.test/d/e/page.html", HTML),
    "no type": (URL, ()),
    "a parameter": (URL, (("Content-Type", "text/html; charset=koi8-r"),)),
    "two types": (URL, (*HTML, ("Content-Type", "text/plain"))),
    **{
        name: (URL, (*HTML, (name, "x")))
        for name in (
            *("Content-Encoding", "Content-Language", "Content-Disposition", "X-Content-Type-Options"),
            *("Last-Modified", "Link", "Refresh", "X-Robots-Tag"),
        )
    },
}


@pytest.mark.parametrize(("url", "headers"), EQUAL.values(), ids=EQUAL)
def test_read_in_the_same_way(url, headers):
    assert in_directory(url, headers) == FIRST


@pytest.mark.parametrize(("url", "headers"), OTHER.values(), ids=OTHER)
def test_read_in_another_way(url, headers):
    assert in_directory(url, headers) != FIRST


@pytest.mark.parametrize("said", ["", "application/octet-stream", "text/plain", "application/xml"])
def test_the_extension_counts_where_the_type_is_not_sure(said):
    headers = (("Content-Type", said),) if said else ()
    tar, html, same = (in_directory(f"http://a.test/{name}", headers) for name in ("a.tar", "a.html", "b.html?x=y.tar"))
    assert tar != html == same


@pytest.mark.parametrize("place", ["a.test/d", "a.test", "b.test/d", "a.test:81/d/e"])
def test_the_directory_does_not_count_for_what_is_the_same_anywhere(place):
    pdf = (("Content-Type", "application/pdf"),)
    first = in_any("http://a.test/d/e/x.pdf", pdf)
    assert in_any(f"https://{place}/y.pdf?z", pdf) == first
    assert in_directory(f"https://{place}/y.pdf?z", pdf) != first
    others = (in_any(f"http://{place}/y.txt", pdf), in_any(URL, HTML))
    assert first not in others


def test_a_name_without_extension_does_not_count():
    pdf = (("Content-Type", "application/pdf"),)
    assert in_directory("http://a.test/bitstream/1", pdf) == in_directory("http://a.test/bitstream/2", pdf)
    assert in_any("http://a.test/bitstream/1", pdf) == in_any("http://a.test/12/3", pdf)


def test_a_sitemap_is_read_otherwise():
    assert in_directory(URL, HTML, sitemap=True) != FIRST


def test_the_order_of_values_counts_and_that_of_names_does_not():
    back, forth = ((*HTML, *more) for more in (MORE[::-1], MORE))
    assert in_directory(URL, back) == in_directory(URL, forth)
    back, forth = ((*HTML, *more) for more in ((("Link", "<a>"), ("Link", "<b>")), (("Link", "<b>"), ("Link", "<a>"))))
    assert in_directory(URL, back) != in_directory(URL, forth)


def test_a_number_as_sqlite_has_them():
    numbers = {in_directory(f"http://a.test/{n}/", HTML) for n in range(1000)}
    assert len(numbers) == 1000 and 0 not in numbers and min(numbers) < 0 < max(numbers)
    assert all(-(1 << 63) <= each < 1 << 63 for each in numbers)


SETTINGS = {
    "the same": (Config(), True),
    "what decides nothing of it": (Config(crawl=Crawl(max_pages=7, parsers=3), politeness=Politeness(delay=9.0)), True),
    "links": (Config(links=Links(kinds="anchor image")), False),
    "text": (Config(record=Record(text=False)), False),
    "scope": (Config(scope=Scope(scope="any")), False),
    "the name of the crawler": (Config(agent=Agent(name="other")), False),
    "saved files": (Config(files=Files(save=True)), False),
}


@pytest.mark.parametrize(("config", "same"), SETTINGS.values(), ids=SETTINGS)
def test_settings(config, same):
    first, other = (in_directory(URL, HTML, by=settings(each)) for each in (Config(), config))
    assert (first == other) is same
