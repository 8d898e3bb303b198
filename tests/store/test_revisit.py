"""Revisit records, checked by other people's programs, and resolved as a player of archives does it."""

import gzip
import io

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from tests.support.cases import one_in
from tests.support.crawls.other_readers import foreign_check
from ttcrawl.ring.messages import Head, IdenticalBody
from ttcrawl.ring.position import Position
from ttcrawl.store.warc import Archive

BODIES = {
    "a page": b"<p>page",
    "a body in a coding": gzip.compress(b"<p>page" * 99, mtime=0),
    "no bytes of text": bytes(range(256)) * 300,
    "a record in a record": b"WARC/1.1\r\n\r\n",
}
HEADS = {
    "its own head": (("Content-Type", "text/html"), ("ETag", '"2"')),
    "a framing": (("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip")),
    "not ASCII": (("X-Odd", "caf\xe9"),),
    "none": (),
}
FIRST, AGAIN = "http://a.test/first?x=1", "http://b.test/again"


@pytest.fixture(params=one_in(2, BODIES.values()), ids=BODIES)
def body(request):
    return request.param


@pytest.fixture(params=HEADS.values(), ids=HEADS)
def head(request):
    return Head(status=200, phrase="OK", version="HTTP/1.1", headers=request.param, address="127.0.0.2")


def test_a_revisit_finds_the_bytes(tmp_path, body, head):
    """Both in files of their own, as two parse processes write them."""
    first, second = (Archive(tmp_path, Position(series=n), 1 << 30) for n in range(2))
    first.append(FIRST, head, body, 1e9 + 0.123457)
    identical = IdenticalBody(id=2, payload=1, url=FIRST, moment=1e9 + 0.123457, same=True)
    again = second.append(AGAIN, head, body, 1e9 + 7, identical=identical)
    first.close()
    second.close()
    foreign_check(tmp_path)
    names = sorted(tmp_path.iterdir())
    member = names[1].read_bytes()[again.offset : again.offset + again.length]
    revisit = next(ArchiveIterator(io.BytesIO(member), parse_http=False))
    headers = dict(revisit.headers)
    assert revisit.record_type == WarcRecordType.revisit and headers["WARC-Target-URI"] == AGAIN
    assert headers["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert (headers["WARC-Date"], headers["WARC-IP-Address"]) == ("2001-09-09T01:46:47.000000Z", "127.0.0.2")
    assert headers["WARC-Truncated"] == "length"
    block = revisit.reader.read()
    assert block.startswith(b"HTTP/1.1 200 OK\r\n") and block.endswith(b"\r\n\r\n") and body not in block
    found = [
        (response.headers["WARC-Payload-Digest"], response.reader.read())
        for response in ArchiveIterator(io.BytesIO(names[0].read_bytes()), record_types=WarcRecordType.response)
        if response.headers["WARC-Target-URI"] == headers["WARC-Refers-To-Target-URI"]
        and response.headers["WARC-Date"] == headers["WARC-Refers-To-Date"]
    ]
    assert found == [(headers["WARC-Payload-Digest"], body)]


def test_a_revisit_takes_no_more_room_for_a_longer_body(tmp_path):
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=(), address="")
    archive = Archive(tmp_path, Position(series=0), 1 << 30)
    identical = IdenticalBody(id=1, payload=1, url=FIRST, moment=1e9, same=True)
    sizes = [archive.append(AGAIN, head, b"x" * n, 1e9, identical=identical).length for n in (1, 1 << 20)]
    archive.close()
    assert abs(sizes[0] - sizes[1]) < 20
