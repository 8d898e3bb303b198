"""Scripts that many pages share: how often they are requested, and that each page has them in the archive."""

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

pytestmark = [needs_chromium, pytest.mark.slow]

PAGES = 4
BUNDLE = b"document.body.innerHTML += '<a href=/from/' + location.pathname.slice(6) + '>x</a>'"
SCRIPT = ("Content-Type", "text/javascript")


def site(*scripts):
    """Pages with the same scripts."""
    body = "<body>" + "".join(f"<script src={path}></script>" for path in scripts)
    return {
        ("a.test", "/"): Answer(body="".join(f"<a href=/page/{n}>x</a>" for n in range(PAGES)).encode()),
        **{("a.test", f"/page/{n}"): Answer(body=body.encode()) for n in range(PAGES)},
        **{("a.test", f"/from/{n}"): Answer(body=b"<p>x") for n in range(PAGES)},
    }


def crawled(tmp_path, web, *options):
    options = ("--no-obey-delay", "--set", "browser.use=path:/page/", "--set", "crawl.fetchers=1", *options)
    options += ("--set", "browser.scrolls=0", "--set", "browser.robots=no")
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
    assert done.status == 0, done.err
    assert sum("/from/" in url for url in done.states()) == PAGES
    assert verified(done.directory) == ""
    return done


def records(directory, path):
    """[(type, profile)] of the records of the answers to this path."""
    found = []
    for file in sorted((directory / "warc").iterdir()):
        with open(file, "rb") as data:
            for each in ArchiveIterator(data):
                header = each.rec_headers.get_header
                if each.rec_type in ("response", "revisit") and header("WARC-Target-URI").endswith(path):
                    found.append((each.rec_type, (header("WARC-Profile") or "").rpartition("/")[2]))
    return found


def documents(directory):
    """How many documents after scripts the archive has."""
    files = sorted((directory / "warc").iterdir())
    return sum(each.rec_type == "conversion" for file in files for each in ArchiveIterator(file.open("rb")))


def test_a_script_is_requested_once_a_process_and_each_page_names_its_record(tmp_path):
    pages = site("/bundle.js") | {("a.test", "/bundle.js"): Answer(body=BUNDLE, headers=(SCRIPT,))}
    with Web(pages) as web:
        done = crawled(tmp_path, web, "--set", "crawl.parsers=1")
        hits = [hit.path for hit in web.log()]
        assert hits.count("/bundle.js") == 1
        assert done.query("SELECT sum(requests) FROM visit") == [(len(hits),)]
        (pages, files, written), *_ = done.query(
            "SELECT count(DISTINCT page), count(DISTINCT file), count(DISTINCT file || offset) FROM resource"
        )
        assert pages == PAGES == documents(done.directory)
        assert files == len(records(done.directory, "/bundle.js")) == written - PAGES  # by parse processes
        for which in ("0", "*"):
            url = web.url("a.test", f"/page/{which}")
            assert run("delete", done.directory, "--url", url, "--purge", "--yes").returncode == 0
            (left,) = done.query("SELECT count(DISTINCT file || offset) FROM resource")
            assert left == (len(records(done.directory, "/bundle.js")) + documents(done.directory),)
            assert left[0] == (0 if which == "*" else written - 1)
    assert verified(done.directory) == ""


def test_a_stale_script_is_confirmed(tmp_path):
    headers = (SCRIPT, ("ETag", '"1"'), ("Cache-Control", "no-cache"))
    pages = site("/bundle.js") | {("a.test", "/bundle.js"): Answer(body=BUNDLE, headers=headers, conditional=True)}
    with Web(pages) as web:
        done = crawled(tmp_path, web, "--set", "crawl.parsers=1")
        statuses = [hit.status for hit in web.log() if hit.path == "/bundle.js"]
    assert statuses == [200] + [304] * (PAGES - 1)
    found = records(done.directory, "/bundle.js")
    assert found == [("response", "")] + [("revisit", "server-not-modified")] * (PAGES - 1)


def test_without_a_cache_each_page_requests_its_scripts(tmp_path):
    pages = site("/bundle.js") | {("a.test", "/bundle.js"): Answer(body=BUNDLE, headers=(SCRIPT,))}
    with Web(pages) as web:
        crawled(tmp_path, web, "--set", "browser.cache=0")
        assert sum(hit.path == "/bundle.js" for hit in web.log()) == PAGES
