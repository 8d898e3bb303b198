"""The screens URLs and URL: every filter, hostile names, and crawls of which something is missing."""

import html
import re
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.inspect.listing.varied_crawl import varied
from tests.library.sample_crawl import HOME, OLD, OTHER, URLS, make
from tests.support.crawls.crawl_db import crawl_of, insert
from tests.support.window import window
from ttcrawl.cli import main
from ttcrawl.inspect.listing.keeping import Listing
from ttcrawl.web.url import canonical, key

OLDER = Path(__file__).parents[1] / "store"
HOSTILE = canonical("http://a.test/<script>alert(1)</script>\x1b[31m\u202e\"'&{{7*7}}")
LONG = "http://a.test/" + "x" * 65_000


def urls_in(page):
    """The URLs of the list."""
    return [html.unescape(each) for each in re.findall(r'<th scope="row"><a href="[^"]*">(.*?)</a>', page)]


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = varied(tmp_path_factory.mktemp("window") / "varied", 230)
    Listing(directory).bring_up_to_date()
    return directory


@pytest.fixture(scope="module")
def opened(directory):
    with window(directory) as each:
        yield each


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    directory = make(tmp_path_factory.mktemp("window") / "sample")
    Listing(directory).bring_up_to_date()
    with window(directory) as each:
        yield each


@pytest.mark.parametrize(
    "query",
    [
        "",
        "state=failed",
        "state=fetched&status=404",
        "host=h1.test&depth=2",
        "q=document-1*7",
        "soft_404=yes",
        "failed=yes",
        "reason=none",
        "status=404,301",
        "state=failed,refused&reason=dns,%22a,%20b%22",
    ],
)
def test_csv_is_what_the_command_of_the_screen_writes(opened, directory, tmp_path, query):
    page = opened.get(f"/varied/urls?{query}").text
    command = html.unescape(re.search(r"In a terminal: <code>(.*?)</code>", page)[1])
    import shlex

    assert main([*shlex.split(command)[1:], "-o", str(tmp_path / "urls.csv")]) == 0
    link = html.unescape(re.search(r'href="([^"]*urls\.csv[^"]*)"', page)[1])
    answer = opened.get(link)
    assert answer.body == (tmp_path / "urls.csv").read_bytes()
    assert answer.headers["content-disposition"] == 'attachment; filename="varied-urls.csv"'
    total = re.search(r"([\d,]+) in all", page)
    assert total is None or int(total[1].replace(",", "")) == answer.body.count(b"\n") - 1
    assert bool(total) == (query not in ("host=h1.test&depth=2", "q=document-1*7"))


def test_all_pages_forward_and_back(opened):
    first, page = [], opened.get("/varied/urls").text
    while link := re.search(r'rel="next" href="([^"]*)"', page):
        first += urls_in(page)
        page = opened.get(html.unescape(link[1])).text
    first += urls_in(page)
    back = urls_in(page)
    while link := re.search(r'rel="prev" href="([^"]*)"', page):
        page = opened.get(html.unescape(link[1])).text
        back = urls_in(page) + back
    assert len(first) == 230 == len(set(first))
    assert back == first


@pytest.mark.parametrize("sort", ["status", "-depth", "-language"])
def test_sorted_pages_forward_and_back(opened, sort):
    """Each page leads to the next one and back to the one before, and a second choice of a heading turns the order."""
    page = opened.get(f"/varied/urls?sort={sort}").text
    assert f'aria-sort="{"de" if sort[0] == "-" else "a"}scending"' in page
    heading = re.search(rf'href="([^"]*)">{sort.removeprefix("-").capitalize()} [▲▼]', page)[1]
    assert "sort=-status" in heading or f"sort={sort[1:]}" in heading
    first, pages = urls_in(page), 1
    while link := re.search(r'rel="next" href="([^"]*)"', page):
        before, page = urls_in(page), opened.get(html.unescape(link[1])).text
        back = re.search(r'rel="prev" href="([^"]*)"', page)
        assert urls_in(opened.get(html.unescape(back[1])).text) == before
        first, pages = first + urls_in(page), pages + 1
    assert pages == 5 and len(first) == 230 == len({*first})


def test_several_values_of_a_filter(opened):
    page = html.unescape(opened.get("/varied/urls?status=404&state=fetched").text)
    assert 'urls?state=fetched&status=404%2C301"' in page and "or 301" in page  # one more
    both = html.unescape(opened.get("/varied/urls?status=404,301").text)
    assert "status: 404 or 301" in both and 'urls?status=404"' in both  # one less
    assert "--where status=404,301" in both


def test_what_if_is_offered_where_a_rule_can_say_it(opened):
    page = html.unescape(opened.get("/varied/urls?host=h1.test&depth=3&q=/print/").text)
    rules = re.findall(r"what-if\?rule=([^\"]*)", page)
    assert rules == ["exclude%3Dhost%3Ah1.test", "crawl.max_depth%3D2", "exclude%3D%2A%2Fprint%2F%2A"]
    assert "what-if?" not in opened.get("/varied/urls?state=failed").text


@pytest.mark.parametrize(
    "query", ["status=4x4", "status=404,x", "after=-1", "before=x", "after=" + "9" * 30, "sort=title", "state=a+OR+b=c"]
)
def test_an_address_that_says_nothing(opened, query):
    answer = opened.get(f"/varied/urls?{query}")
    assert answer.status == 400
    assert "write" in answer.text or "sorted by" in answer.text


def test_an_empty_result_says_what_to_try(opened):
    page = opened.get("/varied/urls?q=Nothing&state=failed&depth=2").text
    assert "Capitals count" in page and "Remove one of the filters" in page


def test_the_life_of_each_url(sample):
    for url in URLS:
        answer = sample.get(f"/sample/url?u={quote(url, safe='')}")
        assert answer.status == 200, url
        assert '<h2 id="life">' in answer.text
    assert "redirects" not in sample.get(f"/sample/url?u={quote(HOME)}").text
    assert f"u={quote(OTHER, safe='')}" in sample.get(f"/sample/url?u={quote(OLD)}").text


def test_links_to_a_url_with_anchor_and_landmark(sample):
    page = sample.get(f"/sample/url?u={quote(OTHER)}").text
    into = page[page.index('id="in"') : page.index('id="headers"')]
    assert "2 pages" in into and "2 links" in into  # HOME and the redirect
    assert "again" in into and "nav" in into and "<b>" not in into


def test_a_url_that_was_never_discovered(sample):
    answer = sample.get("/sample/url?u=http://a.test/b/")
    assert answer.status == 404
    assert "never discovered" in answer.text and "u=http%3A%2F%2Fa.test%2Fb" in answer.text
    assert sample.get("/sample/url?u=").status == sample.get("/sample/url?u=%ff%00").status == 400
    assert sample.get(f"/sample/url?u={quote(HOME)}&at=now").status == 400


@pytest.fixture
def odd(tmp_path):
    """URLs that no crawl should have, and one to which all others link."""
    hub = "http://a.test/hub"
    links = {hub: [], **{f"http://a.test/{n}": [hub, hub] for n in range(45)}, HOSTILE: [hub], LONG: [hub]}
    directory = crawl_of(tmp_path / "odd", links, titles={HOSTILE: "<img src=x onerror=alert(1)>\ud7ff\x00"})
    (directory / "config.ini").touch()
    return directory


@pytest.mark.parametrize("indexed", [True, False])
def test_urls_that_no_crawl_should_have(odd, indexed):
    if indexed:
        Listing(odd).bring_up_to_date()
    with window(odd) as opened:
        page = opened.get("/odd/urls").text
        assert len(urls_in(page)) == 48
        assert "<script>alert" not in page and "<img" not in page and "\x1b" not in page and "\u202e" not in page
        assert len(page) < 200_000
        for url in (HOSTILE, LONG):
            answer = opened.get(f"/odd/url?u={quote(url, safe='')}")
            assert answer.status == 200 and "<script>alert" not in answer.text
        page, sources = opened.get("/odd/url?u=http://a.test/hub").text, 0
        while link := re.search(r'rel="next" href="([^"]*#in)"', page):
            sources += page.count("2 links")
            page = opened.get(html.unescape(link[1]).partition("#")[0]).text
        assert sources + page.count("2 links") == 45


def test_a_url_with_half_a_surrogate_pair_in_the_address(opened):
    assert opened.get("/varied/urls?q=%ed%a0%80").status == 200
    assert opened.get("/varied/url?u=http://h0.test/%ed%a0%80").status in (200, 404)


def test_a_file_that_is_not_ours_is_left_alone(tmp_path):
    directory = varied(tmp_path / "varied", 60)
    with closing(sqlite3.connect(directory / "view.db")) as db, db:
        db.execute("CREATE TABLE precious (a)")
    with window(directory) as opened:
        page = opened.get("/varied/urls?state=failed").text
        assert "move it away" in page
        assert set(re.findall(r'class="state (\w+)"', page)) == {"failed"}
    with closing(sqlite3.connect(directory / "view.db")) as db:
        assert db.execute("SELECT count(*) FROM precious").fetchone() == (0,)


@pytest.mark.parametrize("number", [5, 8, 15])
def test_a_crawl_of_an_earlier_version(tmp_path, number):
    with tarfile.open(OLDER / f"version-{number}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    (database,) = tmp_path.glob("*/crawl.db")
    name = database.parent.name
    with window(database.parent) as opened:
        page = opened.get(f"/{name}/urls?state=fetched").text
        urls = urls_in(page)
        assert urls
        assert opened.get(f"/{name}/url?u={quote(urls[0], safe='')}").status == 200


def test_a_crawl_that_goes_on_under_the_window(tmp_path):
    """Queued again, deleted, discovered: the list has what crawl.db has, even before view.db has it."""
    directory = varied(tmp_path / "varied", 40)
    Listing(directory).bring_up_to_date()
    with window(directory) as opened, closing(sqlite3.connect(directory / "crawl.db")) as db:
        db.execute("UPDATE url SET state = 'queued', reason = '', processed = NULL WHERE id = 1")
        db.execute("DELETE FROM page WHERE url = 1")
        db.execute(
            insert(db, "url", "id", "key", "url", "site", "state", discovered=1), (99, key("x:"), "x:", 1, "failed")
        )
        db.commit()
        assert "x:" in urls_in(opened.get("/varied/urls?state=failed").text)
        gone = "http://h1.test/document-1"
        assert gone not in urls_in(opened.get("/varied/urls?state=fetched").text)
        shutil.rmtree(directory)
        assert opened.get("/varied/urls").status == 503
