"""Screenshots and PDFs: what they show, how a user gets them, and that they go with their page."""

import struct
import subprocess

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import command, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web
from ttcrawl import open as open_crawl
from ttcrawl.browser.pictures import HEIGHT

pytestmark = [needs_chromium, pytest.mark.slow]

#: name -> height of the page, pixels
PAGES = {"short": 10, "long": 3_000, "endless": 50_000}
SITE = {
    ("a.test", "/"): Answer(body="".join(f"<a href=/{name}>x</a>" for name in PAGES).encode()),
    **{
        ("a.test", f"/{name}"): Answer(
            body=f"<body style='margin:0'><script>document.write('<p style=\"margin:0;height:{height}px\">x</p>')"
            "</script>".encode()
        )
        for name, height in PAGES.items()
    },
}


KINDS = {"image/png", "application/pdf"}


def shown_in_archive(directory):
    """{(content type, URL)} of the pictures in the archive."""
    found = set()
    for path in (directory / "warc").iterdir():
        with open(path, "rb") as file:
            for each in ArchiveIterator(file):
                target = each.rec_headers.get_header("WARC-Target-URI") or ""
                found.add((each.rec_headers.get_header("Content-Type"), target[target.find("http") :]))
    return {(kind, url) for kind, url in found if kind in KINDS}


def test_pictures_are_kept_written_and_purged(tmp_path):
    with Web(SITE) as web:
        keys = {"use": "regex:/[a-z]+$", "screenshot": "yes", "pdf": "yes", "scrolls": 0, "max_time": 600}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options, timeout=400)
        urls = {name: web.url("a.test", f"/{name}") for name in ("", *PAGES)}
    assert done.status == 0, done.err
    assert verified(done.directory) == ""
    with open_crawl(done.directory) as opened:
        pictures = {name: opened.screenshot(urls[name]) for name in PAGES}
        documents = [opened.pdf(urls[name]) for name in PAGES]
    heights = {name: struct.unpack(">I", data[20:24])[0] for name, data in pictures.items()}  # PNG, section 11.2.2
    assert heights == {"short": 720, "long": 3_000, "endless": HEIGHT}
    assert all(data.startswith(b"%PDF-") for data in documents)
    shown = subprocess.run(command("page", done.directory, urls["long"], "--screenshot"), capture_output=True)
    assert (shown.returncode, shown.stdout) == (0, pictures["long"])
    without = run("page", done.directory, urls[""], "--pdf")
    assert without.returncode == 1
    assert "application/pdf: it was not read in the browser, see ttcrawl why" in without.stderr
    assert shown_in_archive(done.directory) == {(kind, urls[name]) for kind in KINDS for name in PAGES}
    assert run("delete", done.directory, "--url", urls["long"], "--purge", "--yes").returncode == 0
    assert shown_in_archive(done.directory) == {(kind, urls[name]) for kind in KINDS for name in ("short", "endless")}
    assert done.query("SELECT count(*) FROM resource WHERE page = (SELECT id FROM url WHERE url LIKE '%/long')") == [
        (0,)
    ]
    assert verified(done.directory) == ""


@pytest.mark.parametrize(
    ("keys", "cause"),
    [
        ({"pdf": "yes"}, "image/png: the crawl kept none, [browser] screenshot = no"),
        # a mebibyte is for the results besides the records: pictures.py
        ({"screenshot": "yes", "max_bytes": (1 << 20) + 4096}, "image/png: it did not fit into what the page had left"),
    ],
)
def test_why_a_page_has_no_picture(tmp_path, keys, cause):
    options = [part for name, value in ({"use": "yes"} | keys).items() for part in ("--set", f"browser.{name}={value}")]
    with Web({("a.test", "/"): Answer(body=b"<p>text")}) as web:
        done = crawl(web, url := web.url("a.test", "/"), tmp_path / "c", *options)
    assert done.status == 0, done.err
    without = run("page", done.directory, url, "--screenshot")
    assert without.returncode == 1 and cause in without.stderr
