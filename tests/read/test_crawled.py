"""A crawl from outside: what is in the tables of what pages said."""

from __future__ import annotations

import json
import zlib

import pytest

from tests.read.documents.documents import body as document
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web

SENTENCE = "All human beings are born free and equal in dignity and rights and should act in a spirit of brotherhood."
PAGE = f"""<!DOCTYPE html><html lang=en-GB><head><title>T</title><meta name=description content="D">
<link rel=canonical href="/c"><meta property="og:type" content="article"><meta name=author content="A"></head>
<body><nav><a href="/text">Text</a> <a href="/pdf">PDF</a> <a href="/koi">KOI</a></nav><h1>He<i>ad</i></h1>
<p>{SENTENCE}</p><p>{SENTENCE}</p></body></html>"""
MARKDOWN = f"# Title\n\n  {SENTENCE} {SENTENCE}\n{SENTENCE}\n"
RUSSIAN = (
    "<html><p>" + 3 * "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом."
)


def typed(mime: str, body: bytes) -> Answer:
    return Answer(headers=(("Content-Type", mime), ("Last-Modified", "Sat, 21 Nov 2020 10:00:00 GMT")), body=body)


@pytest.fixture(scope="module")
def pages() -> dict[tuple[str, str], Answer]:
    return {
        ("a.test", "/"): typed("text/html; charset=utf-8", PAGE.encode()),
        ("a.test", "/text"): typed("text/markdown", MARKDOWN.encode()),
        ("a.test", "/pdf"): typed("text/plain", b"%PDF-1.7\n\0\1\2"),
        ("a.test", "/koi"): typed("text/html", RUSSIAN.encode("koi8-r")),
    }


def rows(done, columns: str) -> dict[str, tuple]:
    sql = f"SELECT url.url, {columns} FROM url JOIN page ON page.url = url.id"
    sql += " LEFT JOIN metadata ON metadata.url = url.id LEFT JOIN text ON text.url = url.id WHERE status = 200"
    return {url.rpartition("/")[2]: row for url, *row in done.query(sql)}


@pytest.mark.slow
def test_records(tmp_path, pages):
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
    types = rows(done, "type, declared_type, page.charset, declared_charset, charset_from")
    assert types == {
        "": ["text/html", "text/html", "utf-8", "utf-8", "header"],
        "text": ["text/markdown", "text/markdown", "utf-8", "", "content"],
        "pdf": ["application/pdf", "text/plain", "", "", ""],
        "koi": ["text/html", "text/html", "koi8-r", "", "detected"],
    }
    said = rows(
        done, "description, author, modified, headings, language, declared_language, open_graph, words, main_words"
    )
    assert said[""][:2] == ["D", "A"] and said[""][2] == "2020-11-21T10:00:00Z"
    assert json.loads(said[""][3]) == [[1, "Head"]] and json.loads(said[""][6]) == {"og:type": "article"}
    assert said[""][4:6] == ["en", "en-GB"] and said[""][7:] == [44, 41]
    assert said["text"][4:] == ["en", "", "{}", 62, 62] and said["koi"][4] == "ru"
    assert rows(done, "canonical")[""][0].endswith("/c")
    texts = rows(done, "text.size, text.text, main_size, main")
    whole, main = (zlib.decompress(texts[""][at]).decode() for at in (1, 3))
    assert main == f"Head\n{SENTENCE}\n{SENTENCE}" and whole == f"Text PDF KOI\n{main}"
    assert zlib.decompress(texts["text"][1]).decode() == MARKDOWN and texts["text"][3] is None


def test_nothing_is_recorded_that_was_not_asked_for(tmp_path, pages):
    off = [f"--set=record.{each}=no" for each in ("sniff", "metadata", "text", "main", "language")]
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *off)
    assert done.query("SELECT count(*) FROM text") == [(0,)]
    assert rows(done, "type, metadata.url")["pdf"] == ["text/plain", None]
    assert rows(done, "type, metadata.url")[""] == ["text/html", None]


CANONICAL = {
    # headers Link, type, body -> the path of the canonical URL
    "/page": (("</next>; rel=next", '</h>; title="a, b"; rel="canonical"'), "text/html", b"<base href=/d/><p>x", "/h"),
    "/quoted": (('<y>; rel="next", <../z?a,b>; x="rel"; rel="canonical"',), "text/html", b"<p>x", "/z?a,b"),
    "/both": (("</h>; rel=canonical",), "text/html", b"<link rel=canonical href=/own>", "/own"),
    "/text": (("<h>; rel=canonical",), "text/plain", b"x", "/h"),
    "/pdf": (("</h>; rel=canonical",), "application/pdf", document("text.pdf"), "/h"),
    "/other": (("</h>; rel=canonical; anchor=/else",), "text/html", b"<p>x", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("parser", ["lexbor", "html5lib", "regex"])
def test_whatever_finds_the_links_and_names_the_canonical_url(tmp_path, parser):
    answers = {
        ("a.test", path): Answer(headers=(("Content-Type", kind), *(("Link", each) for each in links)), body=body)
        for path, (links, kind, body, _) in CANONICAL.items()
    }
    with Web(answers) as web:
        seeds = [web.url("a.test", path) for path in CANONICAL]
        done = crawl(web, seeds, tmp_path / "c", "--no-obey-delay", "--inline", "--max-depth", "0", "--parser", parser)
        home = web.url("a.test", "")
    found = {path: canonical.removeprefix(home) for path, (canonical,) in rows(done, "canonical").items()}
    assert found == {path[1:]: expected for path, (*_, expected) in CANONICAL.items()}
