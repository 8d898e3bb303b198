"""The search of a site in a real browser: from the disk, with the pages that `ttcrawl search` finds."""

import json

import pytest

from tests.support.crawls.crawling import crawl as run_crawl
from tests.support.web.site import Answer, Web
from ttcrawl.cli import main
from ttcrawl.config.browser import Browser
from ttcrawl.export.site_search.scripts import script
from ttcrawl.export.site_search.titles import common_ends, without_end
from ttcrawl.inspect.search.best_pages import best_pages

EVIL = "<img src=x onerror=document.title='evil'></script><script>document.title='evil'</script>"

#: Path -> title and text.
PAGES = {
    "/": ("Start - Example - Docs", "All about crawling: crawl the web, with links. " * 3),
    "/frontier": ("Frontier - Example - Docs", "The frontier is a queue of hosts. " * 5 + "Crawlers wait politely."),
    "/queue": ("Queue - Example - Docs", "A queue has a head. Frontier once. " + "Other words follow here. " * 20),
    "/cafe": ("Café größe - Example - Docs", "Œuvre ёлка İzmir: words with accents, classiﬁes."),
    "/tokyo": ("東京都 - Example - Docs", "日本の首都は東京です。全文検索"),
    "/evil": (f"{EVIL} - Example - Docs", f"hostile words {EVIL} " * 3),
    "/crawled": ("Crawled - Example - Docs", "They crawled and the crawler crawls. " * 4),
    "/long": ("Long", "filler words " * 2000 + "needle"),
}
QUERIES = (
    "queue",
    "frontier",
    "frontier queue",
    "crawling",
    "crawl",
    "café",
    "CAFE",
    "oeuvre",
    "елка",
    "words -hostile",
)
QUERIES += ("needle", "東京", "文検", "proto*", "hostile", "missing", "the", "classifies grosse", "izmir")


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    links = "".join(f"<a href={path}>{path}</a> " for path in PAGES)
    answers = {
        ("a.test", path): Answer(
            headers=(("Content-Type", "text/html; charset=utf-8"),),
            body=f"<title>{escaped(title)}</title><nav>{links}</nav><main><p>{escaped(text)}</main>".encode(),
        )
        for path, (title, text) in PAGES.items()
    }
    directory = tmp_path_factory.mktemp("searched") / "crawl"
    with Web(answers) as web:
        done = run_crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay")
        assert done.status == 0, done.err
        return directory, web.url("a.test", "")


@pytest.fixture(scope="module")
def exported(crawled, tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    assert main(["export", str(crawled[0]), "--format", "site-search", "-o", str(out)]) == 0
    return out / "search"


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api")
    from ttcrawl.browser.program import program as browser_program

    with api.sync_playwright() as playwright:
        program = browser_program(Browser(use="yes"))
        opened = playwright.chromium.launch(executable_path=program, chromium_sandbox=False)
        yield opened
        opened.close()


@pytest.mark.slow
def test_the_best_pages_are_those_of_the_command(crawled, exported, browser):
    page = browser.new_page()
    page.goto(f"{exported.as_uri()}/index.html")
    find = (
        "async q => Promise.all((await ttcrawlSearch.find(q)).pages.map(async n => (await ttcrawlSearch.page(n)).url))"
    )
    for query in QUERIES:
        urls = page.evaluate(find, query)
        assert urls == [hit.url for hit in best_pages(crawled[0], query, 100)], query
    urls = page.evaluate(find, "cra*")  # whose score is the sum of the words, not that of all together
    assert {*urls} == {hit.url for hit in best_pages(crawled[0], "cra*", 100)}


@pytest.mark.slow
def test_a_person_searches(crawled, exported, browser):
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{exported.as_uri()}/index.html")
    page.get_by_role("search").get_by_label("Words").fill("queue")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text(f"{len(best_pages(crawled[0], 'queue', 100))} pages").wait_for()
    first = page.get_by_role("listitem").first
    assert first.get_by_role("link").inner_text() == "Queue"  # without the end that all titles have
    assert first.get_by_role("link").get_attribute("href") == f"{crawled[1]}/queue"
    assert first.locator("mark").first.inner_text() == "queue"
    page.get_by_label("Words").fill("nothingatall")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("0 pages").wait_for()
    assert page.get_by_role("listitem").count() == 0 and errors == []


@pytest.mark.slow
def test_markup_of_pages_is_only_shown(exported, browser):
    page = browser.new_page()
    page.goto(f"{exported.as_uri()}/index.html?q=hostile")
    page.get_by_role("listitem").first.wait_for()
    assert EVIL in page.get_by_role("listitem").first.inner_text()
    assert page.title() == "Search" and page.locator("img").count() == 0


@pytest.mark.slow
def test_what_cannot_be_loaded_is_said(exported, browser, tmp_path):
    for name in ("index.html", "search.js"):
        (tmp_path / name).write_bytes((exported / name).read_bytes())
    page = browser.new_page()
    page.goto(f"{tmp_path.as_uri()}/index.html?q=x")
    page.get_by_role("status").get_by_text("The search failed: index.js cannot be loaded").wait_for()


def test_the_files_are_scripts_of_ascii_and_small(exported):
    files = sorted(exported.glob("*.js"))
    assert {path.name for path in files} >= {"index.js", "w0.js", "p0.js", "p1.js"}
    for path in files:
        if path.name != "search.js":
            data = path.read_bytes()
            assert data.isascii() and b"</" not in data and len(data) < 100_000
            assert data.startswith(b'ttcrawlSearch.add("%s",' % path.stem.encode())
    page = (exported / "index.html").read_text()
    assert "http" not in page and 'lang="en"' in page  # nothing from elsewhere


def test_conditions_select_the_pages(crawled, tmp_path):
    command = ["export", str(crawled[0]), "--format", "site-search", "-o", str(tmp_path), "--where", "url~*queue"]
    assert main(command) == 0
    assert b'"pages":1,' in (tmp_path / "search" / "index.js").read_bytes()


@pytest.mark.parametrize("options", [[], ["-o", "x"]])
def test_it_needs_a_directory(crawled, tmp_path, monkeypatch, capsys, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text("a file")
    assert main(["export", str(crawled[0]), "--format", "site-search", *options]) == 2
    assert "name the one that gets it with -o DIR" in capsys.readouterr().err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["a file"]


def test_the_directory_that_gets_it_is_made(crawled, tmp_path):
    assert main(["export", str(crawled[0]), "--format", "site-search", "-o", str(tmp_path / "public")]) == 0
    assert (tmp_path / "public" / "search" / "index.html").exists()


def test_an_earlier_index_is_not_mixed_with_another(crawled, tmp_path, capsys):
    (tmp_path / "search").mkdir()
    assert main(["export", str(crawled[0]), "--format", "site-search", "-o", str(tmp_path)]) == 2
    assert "exists: remove it, or name another directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    "titles,expected",
    [
        (["One - Docs", "Two - Docs", "Three - Docs"], ["One", "Two", "Three"]),
        (["One | A | B", "Two | A | B", "Three | C | B"], ["One", "Two", "Three | C"]),
        (["1.1 a — Docs 3.1", "b — Docs 3.1", "Docs 3.1"], ["1.1 a", "b", "Docs 3.1"]),
        (["One - Docs", "Two - Docs"], ["One - Docs", "Two - Docs"]),
        (["a-b", "c-b", "d-b"], ["a-b", "c-b", "d-b"]),
        ([" - Docs", "x - Docs", "y - Docs"], ["- Docs", "x", "y"]),
    ],
)
def test_titles_lose_the_end_that_most_have(titles, expected):
    ends = common_ends(("a.test", title) for title in titles)
    assert [without_end("a.test", title, ends) for title in titles] == expected
    assert without_end("b.test", titles[0], ends) == titles[0].strip()


def test_a_script_ends_nowhere_early():
    data = script("p0", "</script>\u2028\u2029é")
    assert data.isascii() and b"</script" not in data
    assert json.loads(data.decode().partition(",")[2].removesuffix(");\n")) == "</script>\u2028\u2029é"
