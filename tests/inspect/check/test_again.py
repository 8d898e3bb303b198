"""A check of the same seeds visits the pages of the last one, and reads only those that have changed."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

from tests.inspect.check.sick_site import fine, link
from tests.support.crawls.crawling import options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

SITE = "a.test"
SETTINGS = ("--set", "fetch.retries=0", "--set", "duplicates.soft_404=0")
MISSING = Answer(status=404, body=b"missing")
BUSY = Answer(status=500, body=b"busy")


def tagged(answer, tag):
    return replace(answer, headers=(*answer.headers, ("ETag", f'"{tag}"')), conditional=True)


def site(*, later=()):
    """`later`: what the second request for a page gets."""
    links = "".join(map(link, ("/stays", "/goes", "/breaks", "/changes")))
    pages = {
        "/": fine("front", links),
        "/stays": fine("stays", "<h2>early</h2><h4>skipped</h4>"),
        "/goes": fine("goes", link("/lost-with-it")),
        "/breaks": fine("breaks", link("/")),
        "/changes": fine("changes", link("/mended")),
    }
    answers = {path: tagged(answer, path) for path, answer in pages.items()}
    return {(SITE, path): (answer, *([later[path]] if path in later else ())) for path, answer in answers.items()}


def check(web, directory, *options):
    words = ("-d", directory, *options_for(web), "--no-obey-delay", "--progress", "none", "--format", "json", *SETTINGS)
    done = run("check", web.url(SITE, "/"), *words, *options)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def links(web, report):
    prefix = web.url(SITE, "")
    return {
        (each["url"].removeprefix(prefix), each["source"].removeprefix(prefix), each["detail"])
        for each in report["problems"]
        if each["kind"] == "broken-link"
    }


def test_unchanged_pages_are_not_sent_again_and_missing_ones_are_reported_at_once(tmp_path):
    later = {"/goes": MISSING, "/breaks": BUSY, "/changes": tagged(fine("changes", link("/stays")), "new")}
    with Web(site(later=later)) as web:
        first = check(web, tmp_path / "c")
        before = len(web.log())
        second = check(web, tmp_path / "c")
        hits = {hit.path: hit for hit in web.log()[before:]}
    assert links(web, first) == {("/mended", "/changes", "http 404"), ("/lost-with-it", "/goes", "http 404")}
    assert links(web, second) == {("/goes", "/", "http 404"), ("/breaks", "/", "http 500")}
    assert [hits[path].status for path in ("/", "/stays", "/changes")] == [304, 304, 200]
    mended = {each["url"].removeprefix(web.url(SITE, "")) for each in second["last_check"]["mended"]}
    assert mended == {"/mended", "/lost-with-it"}
    assert second["pages"] == 3


def test_pages_that_did_not_change_are_not_read_again(tmp_path):
    """Without the archive, only what the last check has kept can tell their problems, and where they are."""
    with Web(site()) as web:
        first = check(web, tmp_path / "c")
        directory = tmp_path / "c"
        (directory / "warc").rename(tmp_path / "warc")
        again = json.loads(run("check", directory, "--offline", "--format", "json").stdout)
        assert [each["line"] for each in again["problems"] if each["kind"] == "skipped-heading"] == [1]
        assert again["problems"] == first["problems"] and again["unread"] == 0
        links_alone = json.loads(run("check", directory, "--offline", "--format", "json", "--only", "fragment").stdout)
        assert links_alone["unread"] == 0


def test_what_an_interrupted_crawl_did_not_reach_is_not_mended(tmp_path):
    with Web(site()) as web:
        check(web, tmp_path / "c", "--only", "broken-link")
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:  # as if it was stopped before this page
        (id,) = db.execute("SELECT id FROM url WHERE url LIKE '%/changes'").fetchone()
        db.execute("UPDATE url SET state = 'queued' WHERE id = ?", (id,))
        db.execute("UPDATE crawl SET value = 'interrupted' WHERE name = 'finished'")
        db.execute("DELETE FROM page WHERE url = ?", (id,))
        db.execute("DELETE FROM outlinks WHERE source = ?", (id,))
    words = ("check", tmp_path / "c", "--offline", "--only", "broken-link")
    for _ in range(2):  # it is not forgotten either
        last = json.loads(run(*words, "--format", "json").stdout)["last_check"]
        assert (last["new"], last["mended"], last["unreached"]) == ([], [], 1)
    assert "0 new, 0 mended, 1 not reached since the check of" in run(*words).stdout


def test_another_crawl_in_the_directory_is_left_alone(tmp_path):
    with Web(site()) as web:
        options = (*options_for(web), "--no-obey-delay", "--progress", "none", "-d", tmp_path / "c")
        run("crawl", web.url(SITE, "/"), *options)
        done = run("check", web.url(SITE, "/"), *options)
    assert done.returncode == 2 and "already contains a crawl" in done.stderr
