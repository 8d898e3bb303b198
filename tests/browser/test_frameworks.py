"""Applications of front-end frameworks: nothing is found statically, everything by a browser."""

import zlib
from pathlib import Path

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.shops import ABOUT, HOST, LISTS, NAMES, PAGES, TEXTS, built, needs_npm, served
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.long_tables import few
from tests.support.web.site import Web

MANUAL = Path(__file__).parents[2] / "docs" / "browser.md"
#: A busy machine needs long for the scripts of a page.
OPTIONS = ("--no-obey-delay", "--set", "browser.scrolls=0", "--set", "browser.wait=20", "--set")


@pytest.fixture(scope="module")
def shops(tmp_path_factory):
    """Name -> the answers of its server; each application is built once."""
    answers = dict[str, object]()

    def answers_of(name):
        if name not in answers:
            answers[name] = served(built(name, tmp_path_factory.mktemp(name)))
        return answers[name]

    return answers_of


def texts(crawled):
    """Path -> the text of its page, of pages that have one."""
    rows = query(crawled.directory, "SELECT url.url, text FROM text JOIN url ON url.id = text.url")
    return {"/" + url.split("/", 3)[3]: text for url, packed in rows if (text := zlib.decompress(packed).decode())}


def pages(paths, answers):
    """The paths requested that are none of a file."""
    return sorted(path for path in paths if (HOST, path) not in answers)


def expected(path):
    """The texts that a page shows; the first page is the first list."""
    kind, _, number = path[1:].partition("/")
    if kind == "about":
        return [ABOUT]
    return [TEXTS[int(number)]] if kind == "item" else [f"Item {each}" for each in LISTS[int(number or 1)]]


def test_the_table_of_the_manual_is_what_is_expected():
    everything = len(PAGES)
    lines = [f"| {title} | 1 | {everything} | {everything} |" for title in NAMES.values()]
    table = ["| application | static | `auto` | `yes` |", "|---|---|---|---|", *lines]
    assert "\n".join(table) in MANUAL.read_text()


@needs_npm
@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("name", few(1, NAMES))
def test_an_application_is_empty_statically(shops, tmp_path, name):
    answers = shops(name)
    with Web(answers) as web:
        crawled = crawl(web, web.url(HOST, "/"), tmp_path / "c", *OPTIONS, "browser.use=no")
        paths = [hit.path for hit in web.log()]
    assert crawled.status == 0, crawled.err
    assert pages(paths, answers) == ["/"]
    assert texts(crawled) == {}


@needs_npm
@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("use", few(1, ["auto", "yes"]))
@pytest.mark.parametrize("name", NAMES)
def test_an_application_is_complete_through_a_browser(shops, tmp_path, name, use):
    answers = shops(name)
    with Web(answers) as web:
        crawled = crawl(web, web.url(HOST, "/"), tmp_path / "c", *OPTIONS, f"browser.use={use}", timeout=300)
        paths = [hit.path for hit in web.log()]
    assert crawled.status == 0, crawled.err
    found = texts(crawled)
    assert found.keys() == PAGES
    assert [(path, text) for path in PAGES for text in expected(path) if text not in found[path]] == []
    assert pages(paths, answers) == sorted(PAGES)  # each of them once
    if use == "auto":
        assert query(crawled.directory, "SELECT DISTINCT way, reason FROM browser_use") == [("browser", "empty shell")]
    assert verified(crawled.directory) == ""
