"""The head of a response, read from the wire with a bound on its bytes and lines.

http.client takes lines of 65,536 bytes and 100 of them, and as many interim responses as a server sends. Here the whole
head is read first, and http.client parses what was read.
"""

from __future__ import annotations

import http.client
import io
import re
import socket
import ssl
from dataclasses import dataclass
from typing import Any, Protocol

from ttcrawl.fetch.fields import mended

#: The longest status line that http.client takes, bytes.
LONGEST_LINE = 65536

#: The status line of an interim response (RFC 9110 section 15.2). After 101 another protocol would follow: it is final.
INTERIM = re.compile(rb"HTTP/\S+[ \t]+1(?!01)\d\d(?!\S)")


class TooLargeHead(Exception):
    """The head of a response does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLimits:
    """What a head may have, interim responses counted."""

    size: int  # bytes
    lines: int  # header lines


class Lines(Protocol):
    """What a head is read from."""

    def readline(self, limit: int, /) -> bytes: ...


class Listener(Protocol):
    """Who is told of the answers of its thread."""

    def answered(self, response: BoundedResponse) -> None:
        """The first byte is there."""

    def lost(self, size: int) -> None:
        """A head broke off after so many bytes."""


class Counted:
    """A file and how much was read of it."""

    def __init__(self, file: Lines) -> None:
        self._file, self.size = file, 0

    def readline(self, limit: int) -> bytes:
        line = self._file.readline(limit)
        self.size += len(line)
        return line


def read_head(file: Lines, limits: HeadLimits) -> tuple[bytes, bytes]:
    """The status line and the headers of the final response, each with its line ends.

    Reads no byte of the body and at most one more than the limit. Raises TooLargeHead, IncompleteRead where the file
    ends before the head, and what `readline` raises.
    """
    left, headers = limits.size, limits.lines

    def line(longest: int) -> bytes:
        nonlocal left
        read = file.readline(min(left, longest) + 1)
        if len(read) > min(left, longest):
            raise TooLargeHead(f"more than {limits.size:,} bytes")
        left -= len(read)
        return read

    while (status := line(LONGEST_LINE)).startswith(b"HTTP/"):
        block = bytearray()
        while (header := line(limits.size)) not in (b"\r\n", b"\n", b""):
            if headers == 0:
                raise TooLargeHead(f"more than {limits.lines:,} lines")
            headers -= 1
            block += header
        if not header:  # the answer is not whole (RFC 9112 section 8)
            raise http.client.IncompleteRead(bytes(block))
        if not INTERIM.match(status):
            return status, bytes(block + header)
    return status, b""


class _Read:
    """A head that was read, as the file from which http.client reads it once more.

    It reads line by line, counts the lines and joins them again. So the headers are given to it in few pieces, each
    as long as a line may be.
    """

    def __init__(self, status: bytes, headers: bytes) -> None:
        self._status: bytes | None = status
        self._headers = io.BytesIO(headers)

    def readline(self, limit: int) -> bytes:
        status, self._status = self._status, None
        return status if status is not None else self._headers.read(limit - 1)

    def close(self) -> None:
        """What http.client does when the status line is wrong."""


class BoundedResponse(http.client.HTTPResponse):
    """The final response of a request, its head within `limits`."""

    limits: HeadLimits
    listener: Listener

    def __init__(self, sock: socket.socket, *args: Any, **more: Any) -> None:
        self._sock = sock
        super().__init__(sock, *args, **more)

    def begin(self, *args: Any, **more: Any) -> None:
        """Raises TooLargeHead, and what http.client raises."""
        if self.headers is not None:
            return
        wire = self.fp
        if wire.peek(1):
            self.listener.answered(self)
        counted = Counted(wire)
        try:
            status, lines = read_head(counted, self.limits)
            self.fp = _Read(status, mended(lines))
        except Exception:
            self.listener.lost(counted.size)
            raise
        try:
            super().begin(*args, **more)
        finally:
            if self.fp is None:
                wire.close()  # the status line was wrong
            else:
                self.fp = wire
        if self.length == 0:
            self.chunked = False  # HEAD, 204 and 304 have no body, whatever they say (RFC 9112 section 6.3)
            # What follows all the same would be taken for the next answer: http.client closes such a connection.
            self.will_close = self.will_close or self._more_came()

    def _more_came(self) -> bool:
        """Bytes were received behind the head, or the connection is broken."""
        timeout = self._sock.gettimeout()
        self._sock.settimeout(0)
        try:
            return bool(self.fp.peek(1))
        except ssl.SSLWantReadError:
            return False
        except OSError:
            return True  # it is of no more use
        finally:
            self._sock.settimeout(timeout)


def bounded(head: HeadLimits, exchanges: Listener) -> type[BoundedResponse]:
    """The response class with these limits; http.client makes the responses itself."""

    class Response(BoundedResponse):
        limits = head
        listener = exchanges

    return Response
