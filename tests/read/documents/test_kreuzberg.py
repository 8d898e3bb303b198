"""What is made of the fields of Word and of the links in what kreuzberg says."""

from types import SimpleNamespace

from ttcrawl.read.documents.kreuzberg import FIELD, _extract


def test_fields_of_word():
    text = 'see  HYPERLINK  \\l "x"this and HYPERLINK "http://a.test/" \\o "y" that'
    assert FIELD.sub(" ", text).split() == ["see", "this", "and", "that"]
    assert [url for url in FIELD.findall(text) if url] == ["http://a.test/"]


def test_the_number_of_a_page_is_no_link():
    uris = [{"url": "1", "label": "contents"}, {"url": "http://a.test/", "label": "there"}]
    assert _extract(SimpleNamespace(metadata={}, uris=uris, content="")).links == [("http://a.test/", "there")]
