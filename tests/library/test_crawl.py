"""What an opened crawl says of one URL, how it is closed, and what it says when something is not there."""

import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

import ttcrawl
from tests.library.sample_crawl import (
    BASE,
    BODIES,
    BOMB,
    EVIL,
    GONE,
    HOME,
    LINKS,
    MAIN,
    OLD,
    OTHER,
    PAPER,
    PICTURE,
    PRIVATE,
    QUEUED,
    TEXT,
)
from ttcrawl.errors import UsageError, install_line
from ttcrawl.report.summarize import summarize
from ttcrawl.snapshot.errors import NotACrawl, NotThere


def test_importing_the_package_imports_nothing_else():
    code = "import sys; before = set(sys.modules); import ttcrawl; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ttcrawl"]


@pytest.mark.parametrize("form", [str, lambda path: path, os.fspath])
def test_directory_as_text_or_path(directory, form):
    assert ttcrawl.open(form(directory)).urls().url[1] == HOME


def test_no_crawl(tmp_path):
    with pytest.raises(NotACrawl, match="contains no"):
        ttcrawl.open(tmp_path)


# -- one URL ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", [url for url in BODIES if url != BOMB])
def test_body(opened, url):
    assert opened.body(url) == BODIES[url]


def test_response_is_as_it_came(opened):
    found = opened.response(HOME)
    assert (found.status, found.phrase, found.version, found.address) == (200, "OK", "HTTP/1.1", "127.0.0.1")
    assert found.header("content-ENCODING") == "gzip" and found.header("x-none") == ""
    assert found.body[:2] == b"\x1f\x8b" and not found.truncated
    assert found.at.timestamp() == 1e9 + 1


def test_text(opened):
    assert opened.text(HOME) == TEXT
    assert opened.text(HOME, main=True) == MAIN


def test_page(opened):
    home = opened.page(HOME)
    assert home.page.title == EVIL and home.url.state == "fetched"
    assert home.metadata.language == "en" and home.image is home.document is None
    assert [link.anchor for link in home.links] == [anchor for *_, anchor in LINKS]
    assert opened.page(PICTURE).image.width == 3 and opened.page(PAPER).document.name == "x.pdf"
    assert opened.page(OLD).page.location == f"/b {EVIL}"


@pytest.mark.parametrize(
    "text", ["http://A.test", "http://a.test:80/#top", " http://a.test/x/.. ", "HTTP://user:pw@a.test/"]
)
def test_urls_as_people_write_them(opened, text):
    assert opened.page(text).url.url == HOME


def test_urls_by_the_rules_of_the_crawl(directory, tmp_path):
    copy = shutil.copytree(directory, tmp_path / "copy")
    (copy / "config.ini").write_text("[url]\nstrip_www = yes\n")
    crawl = ttcrawl.open(copy)
    assert crawl.page("http://www.a.test/b?utm_source=x").url.url == OTHER


def test_why_and_summary(opened, directory):
    assert opened.why(PRIVATE).startswith(f"{PRIVATE}\n  state       refused, robots.txt")
    assert "never" in opened.why("http://a.test/never")
    assert opened.summary() == summarize(directory)
    assert opened.study().summary == opened.summary()
    assert opened.graph().labels == [HOME, OTHER, PAPER]  # a picture cannot link


# -- what is not there ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["page", "text", "body", "response"])
@pytest.mark.parametrize(
    "url, why",
    [
        (GONE, "it is failed (dns)"),
        (QUEUED, "it is queued"),
        (PRIVATE, "it is refused (robots.txt)"),
        ("http://a.test/never", "was never discovered"),
        (f"{BASE}/{EVIL}", "was never discovered"),
    ],
)
def test_not_there(opened, method, url, why):
    with pytest.raises(KeyError) as caught:
        getattr(opened, method)(url)
    assert isinstance(caught.value, NotThere)
    assert why in str(caught.value) and str(caught.value).isprintable() and len(str(caught.value)) < 400


def test_no_text_was_kept(opened):
    with pytest.raises(NotThere, match="has no text: of http 200, image/png, none was kept"):
        opened.text(PICTURE)


@pytest.mark.parametrize("text", ["", "mailto:x@a.test", "http://", "\x00"])
def test_no_url(opened, text):
    with pytest.raises(UsageError, match="is not an http or https URL"):
        opened.page(text)


def test_a_bomb_stays_packed(opened):
    with pytest.raises(NotThere, match="cannot be decoded"):
        opened.body(BOMB)
    assert len(opened.response(BOMB).body) < 100_000


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE page SET offset = offset + 1",
        "UPDATE page SET offset = 0",
        "UPDATE page SET size = 10",
        "UPDATE page SET file = 'none.warc.gz'",
        "UPDATE page SET file = '../warc/ttcrawl-0-00000.warc.gz'",
        "UPDATE page SET file = '/etc/passwd', offset = 0",
        "UPDATE page SET offset = (SELECT max(offset) FROM page), size = (SELECT size FROM page ORDER BY offset DESC)",
    ],
)
def test_the_bytes_are_not_where_the_table_says(directory, tmp_path, change):
    copy = shutil.copytree(directory, tmp_path / "copy")
    with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
        db.execute(change)
    with pytest.raises(NotThere, match="see ttcrawl verify") as caught:
        ttcrawl.open(copy).body(HOME)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "change, call",
    [
        ("UPDATE text SET text = x'00'", lambda crawl: crawl.text(HOME)),
        ("UPDATE text SET size = 3", lambda crawl: crawl.text(HOME)),
        ("UPDATE outlinks SET targets = '[1, 2'", lambda crawl: list(crawl.iter_links())),
        ("UPDATE outlinks SET targets = '[1, 2'", lambda crawl: crawl.links()),
        ("UPDATE outlinks SET kinds = x'61'", lambda crawl: list(crawl.iter_links())),
        ("UPDATE outlinks SET kinds = x'61'", lambda crawl: crawl.links()),
        ("UPDATE outlinks SET anchors = '[]' WHERE anchors != ''", lambda crawl: list(crawl.iter_links())),
        ("UPDATE outlinks SET anchors = '[1, 2, 3, 4, 5]' WHERE anchors != ''", lambda crawl: list(crawl.iter_links())),
        ("UPDATE outlinks SET anchors = '[1, 2, 3, 4, 5]' WHERE anchors != ''", lambda crawl: crawl.links()),
        ("UPDATE outlinks SET targets = '[1, 2, 3, 4, \"x\"]' WHERE anchors != ''", lambda crawl: crawl.links()),
        ("UPDATE outlinks SET targets = '[1, 2, 3, 4, 1e40]' WHERE anchors != ''", lambda crawl: crawl.links()),
        ("UPDATE page SET length = 'many'", lambda crawl: crawl.pages()),
        ("UPDATE page SET title = CAST(x'ff' AS TEXT)", lambda crawl: crawl.pages()),
        ("UPDATE page SET title = CAST(x'ff' AS TEXT)", lambda crawl: list(crawl.iter_pages())),
        ("UPDATE url SET discovered = 1e300", lambda crawl: crawl.urls()),
        ("UPDATE url SET discovered = 'once'", lambda crawl: crawl.urls()),
    ],
)
def test_damaged_rows(directory, tmp_path, change, call):
    copy = shutil.copytree(directory, tmp_path / "copy")
    with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
        db.execute(change)
    with pytest.raises(NotACrawl, match="is damaged"):
        call(ttcrawl.open(copy))


# -- closed -----------------------------------------------------------------------------------------------------------


def test_closing_ends_the_iterators(directory):
    with ttcrawl.open(directory) as crawl:
        urls, left = crawl.iter_urls(), crawl.iter_links()
        assert next(urls).url == HOME and next(left).source == HOME
    with pytest.raises(ValueError, match="closed"):
        list(urls)
    with pytest.raises(ValueError, match="closed"):
        list(left)


def test_a_crawl_is_sent_to_another_process_while_it_is_read(directory):
    crawl = ttcrawl.open(directory)
    urls = crawl.iter_urls()
    next(urls)
    assert pickle.loads(pickle.dumps(crawl)).text(HOME) == TEXT
    next(urls)


def test_nothing_is_held_by_a_crawl_that_is_not_read(directory, tmp_path):
    crawl = ttcrawl.open(directory)
    crawl.pages()
    rows = crawl.iter_pages()
    next(rows)
    del rows
    held = [os.readlink(f"/proc/self/fd/{each.name}") for each in os.scandir("/proc/self/fd") if os.path.exists(each)]
    assert not [path for path in held if path.startswith(str(directory))]


def test_reading_changes_no_byte(directory):
    before = (directory / "crawl.db").read_bytes()
    crawl = ttcrawl.open(directory)
    crawl.links(), list(crawl.iter_links()), crawl.page(HOME), crawl.why(HOME)
    assert (directory / "crawl.db").read_bytes() == before


@pytest.mark.slow
def test_without_the_extra(directory):
    """In a process where pandas cannot be imported: the iterators serve, a frame says what to install."""
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "import ttcrawl; crawl = ttcrawl.open(sys.argv[1])\n"
        "print(sum(1 for _ in crawl.iter_links()))\n"
        "try: crawl.pages()\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(directory)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == str(len(LINKS) + 1)
    assert "UsageError pandas is missing" in done.stdout and install_line("frames") in done.stdout


@pytest.mark.parametrize("call", ["page", "text", "body", "group", "why"])
def test_what_is_no_text_is_no_damage(opened, call):
    with pytest.raises(UsageError, match=r"b'http://a\.test/' is not an http or https URL"):
        getattr(opened, call)(b"http://a.test/")


@pytest.mark.parametrize("other", ["crawl", 5])
def test_what_is_no_crawl_is_not_compared(opened, other):
    with pytest.raises(UsageError, match=rf"{other!r} is not an opened crawl: write ttcrawl\.open\(DIR\)"):
        next(opened.diff(other))
