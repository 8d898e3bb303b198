"""Responses are read from the archive as they were written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ttcrawl.inspect.verify.archive import member
from ttcrawl.inspect.verify.warc_record import parse
from ttcrawl.ring.messages import Archived, Head, IdenticalBody
from ttcrawl.ring.position import Position
from ttcrawl.store.archived import DamagedRecordError, response
from ttcrawl.store.warc import Archive

URL = "http://a.test/"
HEADERS = (("Content-Type", "text/html; charset=latin-1"), ("X-Robots-Tag", "noindex"), ("Set-Cookie", "a=1; b"))


def head(*headers):
    return Head(status=206, phrase="Part of it", version="HTTP/1.0", headers=headers, address="127.0.0.1")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    directory = tmp_path_factory.mktemp("warc")
    return directory, Archive(directory, Position(series=0), 1 << 20)


@given(body=st.binary(max_size=2000))
def test_a_response(archive, body):
    directory, writer = archive
    where = writer.append(URL, head(*HEADERS, ("Transfer-Encoding", "chunked")), body, 1e9)
    found = response(directory, where)
    assert (found.url, found.body, found.truncated) == (URL, body, False)
    expected = (206, "Part of it", "HTTP/1.0", (*HEADERS, ("X-Archive-Orig-Transfer-Encoding", "chunked")))
    assert (found.head.status, found.head.phrase, found.head.version, found.head.headers) == expected


@pytest.mark.parametrize(
    "line", [b"HTTP/1.1  206\tPart of it", b"HTTP/1.1 206\r Part of it", b"HTTP/1.1\t206 Part of it"]
)
def test_an_odd_status_line_of_an_earlier_version(archive, line):
    directory, writer = archive
    odd = structs.replace(head(), raw=line + b"\r\nA: b\r\n\r\n")
    where = writer.append(URL, odd, b"body", 1e9)
    found = response(directory, where)
    assert (found.head.status, found.head.phrase, found.body) == (206, "Part of it", b"body")
    with (directory / where.file).open("rb") as file:
        record = parse(member(file, where.offset, where.offset + where.length)[0])
    assert (record.status, record.length, record.sound) == ("206", 4, True)


def test_a_truncated_one_and_a_revisit(archive):
    directory, writer = archive
    assert response(directory, writer.append(URL, head(), b"cut", 1e9, truncated="time")).truncated
    identical = IdenticalBody(id=1, payload=1, url="http://a.test/1", moment=1e9, same=True)
    found = response(directory, writer.append(URL, head(*HEADERS), b"body", 1e9, identical=identical))
    assert (found.body, found.truncated, found.head.headers) == (b"", False, HEADERS)


@pytest.mark.parametrize("change", [{"offset": 7}, {"length": 20}, {"offset": 1 << 40}, {"file": "../x.warc.gz"}])
def test_damage(archive, change):
    directory, writer = archive
    where = writer.append(URL, head(), b"body", 1e9)
    fields = {"file": where.file, "offset": where.offset, "length": where.length}
    with pytest.raises(DamagedRecordError):
        response(directory, Archived(**(fields | change)))


def test_a_missing_file(archive):
    with pytest.raises(FileNotFoundError):
        response(archive[0], Archived(file="ttcrawl-9-00000.warc.gz", offset=0, length=1))
