"""What a converter found in a document, as the crawl records it."""

import json

from tests.parse.reading import read
from tests.read.documents.made import ODT
from ttcrawl.read.documents.converted import Converted
from ttcrawl.read.documents.converters import Converters


def test_texts_of_links_are_as_long_as_those_of_pages(tmp_path, monkeypatch):
    links = (("http://b.test/1", " a \n b "), ("http://b.test/2", "word " * 100), ("http://b.test/3", ""))
    monkeypatch.setattr(Converters, "convert", lambda self, body, mime: Converted(text="x", links=links))
    page = read(tmp_path / "warc", "http://a.test/x", b"PK", headers=(("Content-Type", ODT),))
    assert json.loads(page.outlinks.anchors) == ["a b", ("word " * 100)[:200], ""]
