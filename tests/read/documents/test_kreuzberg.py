"""What is made of the fields of Word and of the links in what kreuzberg says."""

import sys
from types import SimpleNamespace

from ttcrawl.read.documents.kreuzberg import FIELD, read


def test_fields_of_word():
    text = 'see  HYPERLINK  \\l "x"this and HYPERLINK "http://a.test/" \\o "y" that'
    assert FIELD.sub(" ", text).split() == ["see", "this", "and", "that"]
    assert [url for url in FIELD.findall(text) if url] == ["http://a.test/"]


def test_the_number_of_a_page_is_no_link(monkeypatch, tmp_path):
    uris = [{"url": "1", "label": "contents"}, {"url": "http://a.test/", "label": "there"}]
    settings = dict.fromkeys(("ExtractionConfig", "PostProcessorConfig", "PdfConfig"), lambda **values: None)
    said = SimpleNamespace(metadata={}, uris=uris, content="")
    library = SimpleNamespace(**settings, extract_file_sync=lambda path, kind, settings: said)
    monkeypatch.setitem(sys.modules, "kreuzberg", library)
    (tmp_path / "x.rtf").write_bytes(b"")
    assert read(tmp_path / "x.rtf", "text/rtf").links == [("http://a.test/", "there")]
