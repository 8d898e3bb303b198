"""XHTML is read as a browser reads it: by the rules of XML."""

import time

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from ttcrawl.parse.xhtml import as_html
from ttcrawl.vocabulary.html import XHTML


@pytest.mark.parametrize(
    ("xhtml", "html"),
    [
        (b'<script src="s.js"/><p>a</p>', b'<script src="s.js"></script><p>a</p>'),
        (b"<title/><p/>", b"<title></title><p></p>"),
        (b"<br/><img alt='/>' src='a'/><BR />", b"<br/><img alt='/>' src='a'/><BR />"),
        (b'<a href="a/>b" title=\'"\'/>', b'<a href="a/>b" title=\'"\'></a>'),
        (b'<a href="/a/b/">x</a>', b'<a href="/a/b/">x</a>'),
        (b"<!-- <p/> <![CDATA[x]]> --><p>", b"<!-- <p/> <![CDATA[x]]> --><p>"),
        (b"<p><![CDATA[<b/> & ]] >]]></p>", b"<p>&lt;b/&gt; &amp; ]] &gt;</p>"),
        (b"<svg:path d='M0'/>", b"<svg:path d='M0'></svg:path>"),
        (b'<?xml version="1.0"?><!DOCTYPE html><html/>', b'<?xml version="1.0"?><!DOCTYPE html><html></html>'),
        (b"<a b='<c/>'/>", b"<a b='<c></c>'/>"),  # no XML
        (b"<p/><![CDATA[ without an end <p/>", b"<p></p><![CDATA[ without an end <p/>"),
        (b"<p/><!-- without an end <p/>", b"<p></p><!-- without an end <p/>"),
    ],
)
def test_xml_becomes_html(xhtml, html):
    assert as_html(xhtml, XHTML) == html


@pytest.mark.parametrize("piece", [b'<a "', b"<a b='", b"<!--", b"<![CDATA[", b"<a /", b"<a ", b"</", b"<a/>"])
def test_hostile_markup_takes_no_time(piece):
    begun = time.process_time()
    as_html(piece * (1 << 18), XHTML)
    assert time.process_time() - begun < 5


PAGE = b"""<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title><script src="s.js"/>
</head><body><p>text <a href="/next">next</a> <![CDATA[1 < 2]]></p></body></html>"""


@pytest.mark.parametrize(("type_", "text"), [(XHTML, "text next 1 < 2"), ("text/html", "")])
def test_the_type_decides(tmp_path, type_, text):
    answer = Answer(body=PAGE, headers=(("Content-Type", type_),))
    with Web({("a.test", "/"): answer, ("a.test", "/next"): Answer(body=b"<p>b")}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "crawl")
        assert done.status == 0, done.err
        assert ttcrawl.open(tmp_path / "crawl").text(web.url("a.test", "/")) == text
