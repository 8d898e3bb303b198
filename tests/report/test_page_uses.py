"""What the report counts as pages: those that can link, what they load, and other files."""

import json

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from tests.support.web.topic_web import RELEVANT, TERMS
from ttcrawl.cli import main
from ttcrawl.output.layout import Row
from ttcrawl.report.graph.read import read
from ttcrawl.report.parts.summary import sections
from ttcrawl.report.summarize import summarize
from ttcrawl.web.mime.kind import is_loaded

PNG, PDF = b"\x89PNG\r\n\x1a\n", b"%PDF-1.4\n"
LOADED = '<img src="/1.png"><link rel=stylesheet href="/s.css"><script src="/s.js"></script><iframe src="/f"></iframe>'


def of_type(kind: str, body: bytes = b"1") -> Answer:
    return Answer(headers=(("Content-Type", kind),), body=body)


SITE = {
    ("a.test", "/"): Answer(body=page("/1", "/2", "/d.pdf", "/d.json", content=LOADED)),
    ("a.test", "/1"): Answer(body=page("/", content='<img src="/1.png"><img src="/2.png">')),
    ("a.test", "/2"): Answer(status=404, body=page()),
    ("a.test", "/f"): Answer(body=page()),
    ("a.test", "/1.png"): of_type("image/png", PNG + b"1"),
    ("a.test", "/2.png"): of_type("image/png", PNG + b"2"),
    ("a.test", "/s.css"): of_type("text/css", b'@font-face{src:url("/f.woff2")} a{cursor:url("/data")}'),
    ("a.test", "/s.js"): of_type("text/javascript"),
    ("a.test", "/f.woff2"): of_type("font/woff2", b"wOF2"),
    ("a.test", "/data"): of_type("application/json", b"{}"),
    ("a.test", "/favicon.ico"): Answer(status=404, headers=(("Content-Type", "text/plain"),)),
    ("a.test", "/d.pdf"): of_type("application/pdf", PDF),
    ("a.test", "/d.json"): of_type("application/json", b"{}"),
}

#: Options -> pages that can link, requisites, other files. Without requisites favicon.ico is not fetched.
CRAWLS = {
    (): (5, 0, 1),
    ("--page-requisites",): (5, 7, 1),
    ("--files",): (5, 2, 1),
}


@pytest.mark.parametrize(("options", "expected"), CRAWLS.items(), ids=["links", "requisites", "files"])
def test_each_page_is_counted_under_one_use(tmp_path, capsys, options, expected):
    with Web(SITE) as web:
        directory = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options).directory
    crawled = summarize(directory)
    assert (crawled.linking, crawled.requisites, crawled.other_pages) == expected
    assert crawled.pages == sum(expected) and len(read(directory).ids) == crawled.linking
    assert crawled.linking_per_second == pytest.approx(crawled.linking / crawled.seconds)

    assert main(["report", str(directory), "--format", "json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["pages"], figures["linking"], figures["requisites"]) == (sum(expected), *expected[:2])
    assert main(["report", str(directory), "--format", "csv"]) == 0
    table = capsys.readouterr().out
    for name, count in zip(("HTML pages and documents", "page requisites", "other files"), expected, strict=True):
        assert f"URLs,Pages crawled / {name},{directory},,{count}\n" in table


def test_pages_of_which_only_the_score_is_stored(tmp_path):
    pages = {("a.test", "/"): Answer(body=page("/1", "/d.pdf", content=RELEVANT))}
    pages |= {("a.test", "/1"): Answer(body=page("/")), ("a.test", "/d.pdf"): of_type("application/pdf", PDF)}
    (tmp_path / "terms").write_text(TERMS)
    scored = (
        "--set",
        f"topic.terms={tmp_path / 'terms'}",
        "--set",
        "topic.irrelevant=count",
        "--set",
        "topic.tunnel=0",
    )
    with Web(pages) as web:
        directory = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *scored).directory
    crawled = summarize(directory)
    assert (crawled.pages, crawled.linking, crawled.only_scored, crawled.other_pages) == (3, 1, 2, 0)
    assert Row(label="  irrelevant, only scored", values=(2,)) in next(
        each.rows for each in sections([crawled]) if each.title == "URLs"
    )


@pytest.mark.parametrize(
    ("kind", "loaded"),
    [
        ("image/svg+xml", True),
        ("font/ttf", True),
        ("text/css", True),
        ("text/javascript", True),
        ("application/javascript", True),
        ("application/font-woff", True),
        ("text/html", False),
        ("application/json", False),
        ("video/mp4", False),
        ("", False),
    ],
)
def test_types_that_pages_load(kind, loaded):
    assert is_loaded(kind) == loaded
