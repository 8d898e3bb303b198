"""Pages of URLs that were answered before: the crawl process may drop them."""

from tests.parse.reading import HTML
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.read import Reader
from ttcrawl.ring.messages import PAGE, Fetched, Head, Request
from ttcrawl.ring.position import Position

URL, BODY = "http://a.test/", b"<a href=/new>new</a>"


def test_the_links_of_a_page_that_may_be_dropped_are_sent_again(tmp_path, reader):
    config, found = Config(), []
    pages = Reader(config, compile_scope(config.scope, [URL]), tmp_path, Position(series=0, number=0))
    for token, visit in enumerate((True, True, False, False)):
        request = Request(token=token, kind=PAGE, url=URL, depth=0, not_before=0, visit=visit)
        head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=(HTML,), address="")
        fetched = Fetched(
            **{"token": token, "status": 200, "address": "", "started": 0.0, "ended": 0.0},
            **{"head_size": 0, "body_size": len(BODY), "refused": "", "digest": b""},
        )
        found.append([link.url for link in pages.read(request, fetched, head, BODY).links])
    pages.close()
    assert found == [["http://a.test/new"]] * 3 + [[]]
