"""The head of a response: read to its end and no further, and never more than fits."""

import http.client
import io
import itertools

import pytest

from ttcrawl.fetch.head import HeadLimits, HeadLines
from ttcrawl.fetch.reasons import TooLargeHead
from ttcrawl.fetch.urllib3.received import read_head

LIMITS = HeadLimits(size=1000, lines=10)
OK = b"HTTP/1.1 200 OK\r\n"


def read(file, limits=LIMITS):
    """The status line and the header lines."""
    lines = HeadLines(limits=limits)
    read_head(file, lines)
    return lines.status, bytes(lines.block)


@pytest.mark.parametrize(
    ("wire", "status", "headers"),
    [
        (OK + b"A: b\r\nC: d\r\n\r\nbody", OK, b"A: b\r\nC: d\r\n\r\n"),
        (OK + b"\r\nbody", OK, b"\r\n"),
        (b"HTTP/1.0 200\nA: b\n\nbody", b"HTTP/1.0 200\n", b"A: b\n\n"),
        (OK + b"A: b\r\n c\r\n\r\n", OK, b"A: b\r\n c\r\n\r\n"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"\r\n", OK, b"\r\n"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 3 + OK + b"A: b\r\n\r\n", OK, b"A: b\r\n\r\n"),
        (b"HTTP/1.1 103\r\n\r\n" + OK + b"\r\n", OK, b"\r\n"),
        (b"HTTP/1.1 101 Other\r\n\r\n", b"HTTP/1.1 101 Other\r\n", b"\r\n"),
        (b"HTTP/1.1 1000 x\r\n\r\n", b"HTTP/1.1 1000 x\r\n", b"\r\n"),
        # an empty line before it
        (b"\r\n \n" + OK + b"\r\n", OK, b"\r\n"),
        # as much as fits
        (OK + b"A: b\r\n" * 10 + b"\r\n", OK, b"A: b\r\n" * 10 + b"\r\n"),
        (OK + b"A: " + b"b" * 976 + b"\r\n\r\n", OK, b"A: " + b"b" * 976 + b"\r\n\r\n"),
    ],
)
def test_what_is_read(wire, status, headers):
    file = io.BytesIO(wire)
    assert read(file) == (status, headers)
    assert file.read() == (b"body" if wire.endswith(b"body") else b"")


@pytest.mark.parametrize("wire", [b"", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_a_file_without_a_head(wire):
    with pytest.raises(http.client.RemoteDisconnected):
        read(io.BytesIO(wire))


def test_of_what_is_no_http_a_line_is_enough():
    file = io.BytesIO(b"SSH-2.0-x\r\nmore")
    with pytest.raises(http.client.BadStatusLine):
        read(file)
    assert file.read() == b"more"


@pytest.mark.parametrize("wire", [b"HTTP/1.1 200", OK, OK + b"A: b", OK + b"A: b\r\n", b"HTTP/1.1 103 Early Hints\r\n"])
def test_a_head_that_is_cut(wire):
    with pytest.raises(http.client.IncompleteRead):
        read(io.BytesIO(wire))


class Endless:
    """Gives the lines of `parts` again and again, and counts the bytes."""

    def __init__(self, first, part):
        self.parts, self.rest, self.given = itertools.chain([first], itertools.repeat(part)), b"", 0

    def readline(self, limit):
        while b"\n" not in self.rest and len(self.rest) < limit:
            self.rest += next(self.parts)
        end = self.rest.find(b"\n") + 1
        size = min(limit, end) if end else limit
        line, self.rest = self.rest[:size], self.rest[size:]
        self.given += len(line)
        return line


@pytest.mark.parametrize(
    ("first", "part"),
    [
        (b"", b"x" * 100),
        (b"", b"HTTP/1.1 "),
        (OK, b"x" * 100),
        (OK, b"A: b\r\n"),
        (OK, b"A: " + b"b" * 100 + b"\r\n"),
        (OK + b"A: b", b"\r\n c"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n"),
        (OK, b"\r"),
    ],
)
@pytest.mark.parametrize("size", [1000, 128 << 10])
def test_what_does_not_end(first, part, size):
    file = Endless(first, part)
    with pytest.raises(TooLargeHead):
        read(file, HeadLimits(size=size, lines=10_000))
    assert file.given <= size + 1


@pytest.mark.parametrize("wire", [OK + b"A: b\r\n" * 11 + b"\r\n", OK + b"A: " + b"b" * 977 + b"\r\n\r\n"])
def test_one_too_many(wire):
    with pytest.raises(TooLargeHead):
        read(io.BytesIO(wire))
