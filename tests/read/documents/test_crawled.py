"""One line in [converters] is a format more, whatever its type would be without it."""

import zlib

import pytest

from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web, page

TYPES = {
    "/note": "application/x-note",
    "/scan": "image/x-scan",
    "/text": "text/x-shout",
    "/xml": "application/x-notes+xml",
    "/page": "text/html",
    "/other": "application/x-other",
}
LOUD = "LOUD WORDS"
CONFIG = "[converters]\n" + "".join(
    f"{media_type} = sed -e 's/.*/{LOUD}/' {{file}}\n" for path, media_type in TYPES.items() if path != "/other"
)


@pytest.mark.parametrize(("convert", "converted"), [("yes", {"/note", "/scan", "/text", "/xml"}), ("no", set())])
def test_a_format_more(tmp_path, convert, converted):
    (tmp_path / "config.ini").write_text(CONFIG)
    answers = {path: Answer(headers=(("Content-Type", kind),), body=b"<a>soft") for path, kind in TYPES.items()}
    pages = {("a.test", "/"): Answer(body=page(*TYPES)), **{("a.test", path): answers[path] for path in answers}}
    options = ("--no-obey-delay", "-c", tmp_path / "config.ini", "--set", f"documents.convert={convert}")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, "--set", "duplicates.exact=no")
    assert done.status == 0, done.err
    base = web.url("a.test", "")
    rows = done.query("SELECT url.url, document.converter, error FROM document JOIN url ON url.id = document.url")
    assert {url.removeprefix(base): (by, error) for url, by, error in rows if by} == dict.fromkeys(
        converted, ("sed", "")
    )
    rows = done.query("SELECT url.url, text FROM text JOIN url ON url.id = text.url")
    loud = {url.removeprefix(base) for url, packed in rows if LOUD in zlib.decompress(packed).decode()}
    assert loud == converted
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize(("recorded", "kinds"), [("text", "dT"), ("image", "d")])
def test_urls_in_the_text_of_documents(tmp_path, recorded, kinds):
    """An option, as for pages and texts; what is a link anyhow is none twice."""
    source = r"{\rtf1 {\field{\*\fldinst HYPERLINK http://b.test/}{\fldrslt http://b.test/}} http://c.test/x_(y).}"
    pages = {("a.test", "/"): Answer(headers=(("Content-Type", "application/rtf"),), body=source.encode())}
    with Web(pages) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", f"links.recorded={recorded}"
        )
    rows = done.query("SELECT kind, region, url.url FROM link LEFT JOIN url ON url.key = target")
    expected = [("d", "c", "http://b.test/"), ("T", "r", "http://c.test/x_(y)")]
    assert rows == expected[: len(kinds)]
    assert verified(tmp_path / "c") == ""
