"""Pages that were read in the browser: crawldb has their documents after scripts, and so does `ttcrawl page`."""

import re
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import replace

import pytest
from xxhash import xxh3_128_hexdigest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import command, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web
from ttcrawl import open as open_crawl
from ttcrawl.cli import main

pytestmark = [needs_chromium, pytest.mark.slow]

#: Pages with the same bytes that differ after their scripts, but for /app/c1 and /app/c2.
SHELL = Answer(
    headers=(("Content-Type", "text/html; charset=iso-8859-2"),),
    body="<html><body><script>const name = location.pathname.slice(5, 6); document.currentScript.remove();"
    "document.body.innerHTML = `<p>č${name} ${'word '.repeat(40)}</p>`</script></body></html>".encode("iso-8859-2"),
)
APPS = ("/app/a1", "/app/b1", "/app/c1", "/app/c2")
SITE = {
    ("a.test", "/"): Answer(body="".join(f"<a href={path}>x</a>" for path in (*APPS, "/static")).encode()),
    ("a.test", "/static"): Answer(body=b"<p>no scripts"),
    **{("a.test", path): SHELL for path in APPS},
}
OPTIONS = ("--no-obey-delay", "--set", "browser.use=path:/app/", "--set", "browser.scrolls=0")


def made(path):
    return f"<!DOCTYPE html><html><head></head><body><p>č{path[5]} {'word ' * 40}</p></body></html>"


def in_crawldb(server):
    rows = server.query("SELECT url, page_type_code, html_content, html_content_hash FROM crawldb.page")
    return {re.sub(r"http://a.test:\d+", "", url): values for url, *values in rows}


def test_the_document_after_scripts_is_the_content_of_a_page(server, tmp_path):
    directory = tmp_path / "c"
    with Web(SITE) as web:
        done = crawl(web, web.url("a.test", "/"), directory, *OPTIONS)
        urls = {path: web.url("a.test", path) for _, path in SITE}
    assert done.status == 0, done.err
    assert verified(directory) == ""
    assert main(["mirror", str(directory), server.url]) == 0
    of = in_crawldb(server)
    for path in APPS:
        text = made(path)
        first = path != "/app/c2"
        code, content = ("HTML", text) if first else ("DUPLICATE", None)
        assert of[path] == [code, content, xxh3_128_hexdigest(text.encode())], path
    assert of["/static"] == ["HTML", "<p>no scripts", xxh3_128_hexdigest(b"<p>no scripts")]
    report = run("report", directory).stdout
    assert re.search(r"duplicates among HTML pages +1 +1\n +duplicates, byte for byte +1 +1\n", report), report

    def printed(path, *options):
        done = subprocess.run(command("page", directory, urls[path], "--document", *options), capture_output=True)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    assert printed("/app/a1") == (0, made("/app/a1"), "ttcrawl: this is the document after its scripts\n")
    received = "ttcrawl: this is the body as received: the page was not read in the browser\n"
    assert printed("/static") == (0, "<p>no scripts", received)
    with open_crawl(directory) as opened:
        assert opened.document(urls["/app/b1"]) == made("/app/b1").encode() and opened.document(urls["/static"]) is None
        assert opened.body(urls["/app/b1"]) == SHELL.body

    # in a crawl of an earlier version no table says where the documents are
    copy = tmp_path / "earlier"
    shutil.copytree(directory, copy)
    with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
        db.execute("DELETE FROM resource")
    with open_crawl(copy) as opened:
        assert [opened.document(urls[path]) for path in APPS] == [made(path).encode() for path in APPS]
        assert opened.document(urls["/static"]) is None
    for path in (copy / "warc").iterdir():  # and here they are gone
        path.write_bytes(path.read_bytes().replace(b"\x1f\x8b\x08", b"\x1f\x8b\x09"))
    assert run("page", copy, urls["/app/a1"], "--document").returncode == 1

    # the record with the body of all shells goes, and the documents of the others stay
    for purge in (), ("--purge",):
        deleted = run("delete", directory, "--url", urls["/app/a1"], *purge, "--yes")
        assert deleted.returncode == 0, deleted.stderr
        assert verified(directory) == ""
        assert printed("/app/a1")[0] == 1
        assert [printed(path)[1] for path in APPS[1:]] == [made(path) for path in APPS[1:]]
    assert main(["mirror", str(directory), server.url]) == 0
    assert in_crawldb(server) == {path: row for path, row in of.items() if path != "/app/a1"}


def test_an_earlier_answer_has_its_own_document(server, tmp_path):
    directory = tmp_path / "c"
    often = ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
    with Web(SITE) as web:
        done = crawl(web, web.url("a.test", "/"), directory, *OPTIONS, *often)
        assert done.status == 0, done.err
        web.change({("a.test", "/app/a1"): replace(SHELL, body=SHELL.body.replace(b"word ", b"other "))})
        time.sleep(1)  # the interval: then the last page is due, too
        again = run("recrawl", directory, "--once", timeout=300)
        url = web.url("a.test", "/app/a1")
    assert again.returncode == 0, again.stderr
    second_document = made("/app/a1").replace("word", "other")
    with open_crawl(directory) as opened:
        first, second = (answer.time for answer in opened.history(url))
        assert opened.document(url, at=first) == made("/app/a1").encode()
        assert opened.document(url, at=second) == opened.document(url) == second_document.encode()
    assert main(["mirror", str(directory), server.url]) == 0
    assert in_crawldb(server)["/app/a1"][1] == second_document
