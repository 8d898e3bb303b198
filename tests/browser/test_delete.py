"""Deletion of pages in a browser: the answers to their scripts go with the last page that needs them."""

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

JSON = (("Content-Type", "application/json"),)


def fetching(name):
    return Answer(body=f"<p>{name}<script>fetch('/data/{name}').then(r => r.text()).then(t => 0)</script>".encode())


SITE = {
    ("a.test", "/"): Answer(body=b"<a href=/one>x</a><a href=/two>x</a>"),
    **{("a.test", f"/{name}"): fetching(name) for name in ("one", "two")},
    **{("a.test", f"/data/{name}"): Answer(body=b'"x"', headers=JSON) for name in ("one", "two")},
}


def records(directory):
    """{(type, path)} of what the archive has."""
    found = set()
    for path in (directory / "warc").iterdir():
        with open(path, "rb") as file:
            for each in ArchiveIterator(file):
                url = (each.rec_headers.get_header("WARC-Target-URI") or "").removeprefix("urn:dom:")
                found.add((each.rec_type, "/" + url.partition("//")[2].partition("/")[2]))
    return found


@needs_chromium
@pytest.mark.slow
def test_purging_a_page_removes_the_answers_to_its_scripts(tmp_path):
    with Web(SITE) as web:
        options = ("--no-obey-delay", "--set", "browser.use=path:/one path:/two", "--set", "browser.robots=no")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        assert done.status == 0, done.err
        before = records(done.directory)
        gone = {(kind, path) for kind, path in before if path in ("/one", "/data/one")}
        assert {kind for kind, path in gone if path == "/data/one"} == {"request", "response"}
        deleted = run("delete", done.directory, "--url", web.url("a.test", "/one"), "--purge", "--yes")
    assert deleted.returncode == 0, deleted.stderr
    assert before - records(done.directory) == gone
    assert done.query("SELECT count(*) FROM resource JOIN url ON url.id = page WHERE url LIKE '%/two'") == [(2,)]
    assert done.query("SELECT count(*) FROM resource") == [(2,)]  # the answer, and the document after it
    assert verified(done.directory) == ""
