"""Nobody else reads crawl.db and the archive of a crawl that keeps cookies, or that logs in."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawling import options_for
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main

PAGES = {
    ("a.test", "/"): Answer(body=page("/1", "/2"), headers=(("Content-Type", "text/html"), ("Set-Cookie", "sid=1"))),
    ("a.test", "/1"): Answer(body=page(title="same")),
    ("a.test", "/2"): Answer(body=page(title="same")),
}
KEPT = ("--set", "fetch.cookies=kept")
FAST = ("--progress", "none", "--no-obey-delay", "--inline")


@pytest.fixture(autouse=True)
def umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="module")
def web():
    with Web(PAGES) as web:
        yield web


@pytest.fixture(scope="module")
def crawls(web, tmp_path_factory):
    """A crawl that keeps cookies, and one that does not, both stopped with work left."""
    top = tmp_path_factory.mktemp("crawls")
    before = os.umask(0o022)
    for name, more in (("kept", KEPT), ("no", ())):
        words = ("crawl", web.url("a.test", "/"), "-d", str(top / name), *options_for(web), *FAST, "--max-pages", "2")
        assert main([*words, *more]) == 3
    os.umask(before)
    return top


@pytest.fixture
def top(crawls, tmp_path):
    return shutil.copytree(crawls, tmp_path / "top")


def modes(directory):
    files = [*directory.glob("crawl.db*"), *(directory / "warc").iterdir(), *directory.glob("search.db*")]
    return {path.stat().st_mode & 0o777 for path in files}


def resumed(directory, *options):
    assert main(["resume", str(directory), *FAST, "--max-pages", "0", *options]) == 0


def test_by_what_the_crawl_keeps(top):
    assert modes(top / "kept") == {0o600} and modes(top / "no") == {0o644}


def test_the_log_is_like_the_database(top):
    with closing(sqlite3.connect(top / "kept" / "crawl.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("INSERT INTO crawl VALUES ('x', '1')")
        db.commit()
        assert (top / "kept" / "crawl.db-wal").exists() and modes(top / "kept") == {0o600}


@pytest.mark.parametrize("more", [KEPT, ("--set", "fetch.login=b.test=me:x")], ids=["cookies", "login"])
def test_a_crawl_that_begins_to_keep_secrets(top, more):
    resumed(top / "no", *more)
    assert len(list((top / "no" / "warc").iterdir())) > 1 and modes(top / "no") == {0o600}


def test_what_was_kept_stays_private(top):
    """The cookies are still in the tables."""
    resumed(top / "kept", "--set", "fetch.cookies=no")
    assert modes(top / "kept") == {0o600}


def test_a_crawl_of_an_earlier_version(top):
    for path in (top / "kept" / "crawl.db", *(top / "kept" / "warc").iterdir()):
        path.chmod(0o644)
    resumed(top / "kept")
    assert modes(top / "kept") == {0o600}


@pytest.mark.parametrize(("name", "mode"), [("kept", 0o600), ("no", 0o644)])
def test_copies(top, name, mode):
    """Of a purge, with a payload that moves; a package of the archive; the words."""
    resumed(top / name)
    before = {path.name for path in (top / name / "warc").iterdir()}
    main(["search", str(top / name), "same"])
    assert (top / name / "search.db").exists() and modes(top / name) == {mode}
    assert main(["export", str(top / name), "--format", "wacz", "-o", str(top / "x.wacz")]) == 0
    assert (top / "x.wacz").stat().st_mode & 0o777 == mode
    assert main(["delete", str(top / name), "--path", "/1", "--yes", "--purge"]) == 0
    assert {path.name for path in (top / name / "warc").iterdir()} - before and modes(top / name) == {mode}
