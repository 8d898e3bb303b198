"""What is wrong with the tables of duplicates is found by name; repair and resume make them anew."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.engine.duplicates.near import HOST, ONE, SITE
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.crawling import query as rows
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main
from ttcrawl.inspect.verify.duplicates import CHECKS

MARKS = "SELECT * FROM duplicate ORDER BY url"
BY_BYTES = "(SELECT url FROM duplicate WHERE same = 'bytes' LIMIT 1)"

SPOILT = {
    "fingerprint: of a page that was not fetched": "UPDATE url SET state = 'failed' WHERE id = 2",
    "bucket: lacks a page": "DELETE FROM bucket WHERE n = 2",
    "bucket: its first page is not the first, or not there": (
        f"UPDATE bucket SET n = (SELECT n FROM fingerprint WHERE url = {BY_BYTES}) WHERE n = 2"
    ),
    "bucket: its first page is not in it": "UPDATE bucket SET n = 1 WHERE n = 2",
    "duplicate: of nothing, or of two pages": f"UPDATE duplicate SET near_duplicate_of = 1 WHERE url = {BY_BYTES}",
    "duplicate: of a page that does not come before it, or was not fetched": (
        f"UPDATE duplicate SET duplicate_of = url WHERE url = {BY_BYTES}"
    ),
    "duplicate: not of the bytes or the text of its original": (
        f"UPDATE duplicate SET duplicate_of = 1 WHERE url = {BY_BYTES}"
    ),
    "duplicate: shares no bucket with the original that it is near": (
        "UPDATE duplicate SET near_duplicate_of = 1 WHERE same = 'near'"
    ),
    "duplicate: of a duplicate": (
        f"UPDATE duplicate SET duplicate_of = {BY_BYTES} WHERE same = 'bytes' AND url != {BY_BYTES}"
    ),
    "duplicate: lacks a page with the bytes or the text of another": f"DELETE FROM duplicate WHERE url = {BY_BYTES}",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    copies = {(HOST, path): SITE[HOST, "/a"] for path in ("/x", "/y")}
    with Web(SITE | copies | {(HOST, "/"): Answer(body=page("/a", "/b", "/x", "/y"))}) as web:
        done = crawl(web, web.url(HOST, "/"), tmp_path_factory.mktemp("whole") / "c", *ONE)
    assert [row[2] for row in done.query(MARKS)] == ["near", "bytes", "bytes"] and verified(done.directory) == ""
    return done.directory


def test_everything_is_spoilt():
    assert set(SPOILT) == set(CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "query"), SPOILT.items(), ids=SPOILT)
def test_what_is_spoilt_is_found_and_mended(tmp_path, whole, kind, query):
    place = tmp_path / "c"
    shutil.copytree(whole, place)
    with closing(sqlite3.connect(place / "crawl.db", isolation_level=None)) as db:
        assert db.execute(query).rowcount > 0
    assert f"\n{kind}: " in f"\n{verified(place)}"
    if kind.startswith("fingerprint"):
        return  # the URL is to be asked for again, which is another matter
    assert main(["verify", "--repair", str(place)]) == 1 and verified(place) == ""
    done = run("resume", place, "--progress", "none")
    assert done.returncode == 0, done.stderr
    assert rows(place, MARKS) == rows(whole, MARKS) and verified(place) == ""
    assert rows(place, "SELECT * FROM bucket") == rows(whole, "SELECT * FROM bucket")
