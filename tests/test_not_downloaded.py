"""Files that are looked at and not downloaded: their type and length are in the tables, the report and the library."""

import json

import pytest

import ttcrawl
from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, moved, page

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def of(kind, size=5000, *headers):
    return Answer(headers=(("Content-Type", kind), *headers), body=b"x" * size)


def sent(head, body=b""):
    return Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body)


CHUNKS = b"2328\r\n" + b"x" * 9000 + b"\r\n0\r\n\r\n"
SITE = {
    "/a.pdf": of("application/pdf"),
    "/b.docx": of("application/octet-stream"),
    "/no-extension": of("application/msword"),
    "/405.pdf": [Answer(status=405), of("application/pdf", 4000)],
    "/moved": moved("/target.pdf"),
    "/target.pdf": of("application/pdf", 3000),
    "/image": of("image/png", 2000),
    "/about.pdf": Answer(body=page(title="about")),
    "/lost.pdf": Answer(status=404, body=page(title="lost")),
    "/large.html": of("text/html", 9000),
    "/large.txt": of("text/plain", 9000),
    "/large.pdf": of("application/pdf", 9000),
    "/large": sent(b"Content-Length: 9000", b"x" * 9000),
    "/chunks": sent(b"Content-Type: application/pdf\r\nTransfer-Encoding: chunked", CHUNKS),
    "/chunks.html": sent(b"Content-Type: text/html\r\nTransfer-Encoding: chunked", CHUNKS),
}
PAGES = {("a.test", "/"): Answer(body=page(*SITE)), **{("a.test", path): answer for path, answer in SITE.items()}}

TYPE, LARGE = ("refused", "type"), ("refused", "too large")
TEXTS = {"/large.html": (*LARGE, "text/html", 9000), "/large.txt": (*LARGE, "text/plain", 9000)}
#: Of both: no type is stated.
UNKNOWN = {"/large": (*LARGE, "", 9000), "/chunks.html": (*LARGE, "text/html", None)}
SMALL = {
    "/a.pdf": (*TYPE, "application/pdf", 5000),
    "/b.docx": (*TYPE, WORD, 5000),
    "/no-extension": (*TYPE, "application/msword", 5000),
    "/405.pdf": (*TYPE, "application/pdf", 4000),
    "/target.pdf": (*TYPE, "application/pdf", 3000),
    "/image": (*TYPE, "image/png", 2000),
}
#: Options -> what is looked at: state, reason, type, length that was stated.
CRAWLS = {
    ("--no-files",): {
        **(SMALL | TEXTS | UNKNOWN),
        "/large.pdf": (*TYPE, "application/pdf", 9000),
        "/chunks": (*TYPE, "application/pdf", None),
    },
    ("--set", "fetch.types=text/*", "--set", "fetch.head_first=yes"): {
        **(SMALL | TEXTS | UNKNOWN),
        "/large.pdf": (*TYPE, "application/pdf", 9000),
        "/chunks": (*TYPE, "application/pdf", None),
    },
    (): {
        **(TEXTS | UNKNOWN),
        "/large.pdf": (*LARGE, "application/pdf", 9000),
        "/chunks": (*LARGE, "application/pdf", None),
    },
}
NAMES = {"application/pdf": "PDF", WORD: "Word (docx)", "application/msword": "Word (doc)"}


@pytest.mark.parametrize("transport", some_fast(["curl", "urllib3"], "curl"))
@pytest.mark.parametrize("options", CRAWLS, ids=lambda options: " ".join(options) or "too large")
def test_files_that_are_looked_at(tmp_path, options, transport):
    expected, directory = CRAWLS[options], tmp_path / "c"
    keys = ("--set", "fetch.max_body=8k", "--set", f"fetch.transport={transport}", "--no-obey-delay", "--inline")
    with Web(PAGES) as web:
        done = crawl(web, web.url("a.test", "/"), directory, *keys, *options)
    assert done.status == 0, done.err
    with ttcrawl.open(directory) as opened:
        rows = {url.url: url for url in opened.iter_urls()}
        pages = {each.url.rpartition("/")[2]: each for each in opened.iter_pages() if each.state == "refused"}
    found = {
        f"/{name}": (each.state, rows[each.url].reason, each.type, each.declared_length) for name, each in pages.items()
    }
    assert found == expected
    binary = {}
    for *_, kind, _ in expected.values():
        if kind and not kind.startswith("text/"):
            binary[NAMES.get(kind, kind)] = binary.get(NAMES.get(kind, kind), 0) + 1
    report = json.loads(run("report", directory, "--format", "json").stdout)["sites"]["all"]
    downloaded = {} if options else {"PDF": 2, "Word (doc)": 1, "Word (docx)": 1, "image/png": 1}
    assert report["not_downloaded"] == sum(binary.values())
    assert report["binary"] == {
        name: binary.get(name, 0) + downloaded.get(name, 0) for name in binary.keys() | downloaded.keys()
    }
    assert verified(directory) == ""
