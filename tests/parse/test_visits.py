"""Pages that may be lost: the crawl process may drop them, or an error does. Their links are sent again."""

import pytest
from msgspec import structs

from tests.parse.reading import HTML
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.read import Reader
from ttcrawl.ring.messages import PAGE, Fetched, Head, Request
from ttcrawl.ring.position import Position

URL, BODY = "http://a.test/", b"<a href=/new>new</a>"


def reader_of(directory):
    config = Config()
    return Reader(config, compile_scope(config.scope, [URL]), directory, Position(series=0, number=0))


def read(pages, ended=0.0, visit=False):
    """The links that are sent of a page."""
    request = Request(token=1, kind=PAGE, url=URL, depth=0, not_before=0, visit=visit)
    headers = (HTML, ("Cache-Control", "max-age=9"))
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=headers, address="")
    fetched = Fetched(
        **{"token": 1, "status": 200, "address": "", "started": 0.0, "ended": 0.0},
        **{"head_size": 0, "body_size": len(BODY), "refused": "", "digest": b""},
    )
    fetched = structs.replace(fetched, ended=ended)
    return [link.url for link in pages.read(request, fetched, head, BODY).links]


def test_the_links_of_a_page_that_may_be_dropped_are_sent_again(tmp_path, reader):
    pages = reader_of(tmp_path)
    found = [read(pages, visit=visit) for visit in (True, True, False, False)]
    pages.close()
    assert found == [["http://a.test/new"]] * 3 + [[]]


def test_the_links_of_a_page_that_failed_are_sent_again(tmp_path, reader):
    pages = reader_of(tmp_path)
    # no known page makes the reader fail so late: a time that is none does
    with pytest.raises(TypeError):
        read(pages, ended=None)
    assert (read(pages), read(pages)) == (["http://a.test/new"], [])
    pages.close()
