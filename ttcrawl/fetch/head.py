"""Read the head of a response from the wire, with limits on its bytes and lines.

http.client accepts 100 lines of 65,536 bytes each, and any number of interim responses. Here the complete head is read
first, and http.client then parses it.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
from dataclasses import dataclass
from typing import Any, Protocol

from ttcrawl.fetch.tls import is_unclosed
from ttcrawl.web.fields import is_chunked, mended, raw_head
from ttcrawl.web.status_line import START, status_line

#: The longest status line that http.client accepts, bytes.
LONGEST_LINE = 65536


class TooLargeHead(Exception):
    """The head of a response exceeds a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLimits:
    """Limits on a head, interim responses included."""

    size: int  # bytes
    lines: int  # header lines


class Lines(Protocol):
    """The source of a head."""

    def readline(self, limit: int, /) -> bytes: ...


class Listener(Protocol):
    """Is notified of the responses of its thread."""

    def answered(self, response: BoundedResponse) -> None:
        """The first byte was received."""

    def lost(self, size: int) -> None:
        """A head broke off after `size` bytes."""


class Counted:
    """A file that counts the bytes read."""

    def __init__(self, file: Lines) -> None:
        self._file, self.size = file, 0

    def readline(self, limit: int) -> bytes:
        line = self._file.readline(limit)
        self.size += len(line)
        return line


def read_head(file: Lines, limits: HeadLimits) -> tuple[bytes, bytes]:
    """The status line and the headers of the final response, each with its line ends.

    Reads no byte of the body and at most one byte more than the limit. Raises TooLargeHead, IncompleteRead if the file
    ends before the head does, and what `readline` raises.
    """
    remaining, headers = limits.size, limits.lines

    def line(longest: int) -> bytes:
        nonlocal remaining
        data = file.readline(min(remaining, longest) + 1)
        if len(data) > min(remaining, longest):
            raise TooLargeHead(f"more than {limits.size:,} bytes")
        remaining -= len(data)
        return data

    while True:
        status = line(LONGEST_LINE)
        if status.isspace():
            continue  # an empty line before the head, as before a request (RFC 9112 section 2.2)
        if not START.match(status):
            return status, b""
        block = bytearray()
        while (header := line(limits.size)) not in (b"\r\n", b"\n", b""):
            if headers == 0:
                raise TooLargeHead(f"more than {limits.lines:,} lines")
            headers -= 1
            block += header
        if not header:  # the response is incomplete (RFC 9112 section 8)
            raise http.client.IncompleteRead(bytes(block))
        if not is_interim(status):
            return status, bytes(block + header)


def is_interim(line: bytes) -> bool:
    """Whether another response follows that with this status line."""
    status = status_line(line)
    return status is not None and status.interim


def sound_line(line: bytes) -> bytes:
    """A status line as http.client reads it; unchanged, if it is none."""
    status = status_line(line)
    return line if status is None else f"{status.version} {status.status} {status.phrase}\r\n".encode("iso-8859-1")


class _Read:
    """A head already read, as a file from which http.client reads it again.

    http.client reads line by line, counts the lines and joins them. So the headers are returned in few pieces, each as
    long as a line may be.
    """

    def __init__(self, status: bytes, headers: bytes) -> None:
        self._status: bytes | None = status
        self._headers = io.BytesIO(headers)

    def readline(self, limit: int) -> bytes:
        status, self._status = self._status, None
        return status if status is not None else self._headers.read(limit - 1)

    def close(self) -> None:
        """http.client calls this if the status line is invalid."""


class BoundedResponse(http.client.HTTPResponse):
    """The final response to a request, its head within `limits`."""

    limits: HeadLimits
    listener: Listener
    raw = b""  # the head (`ttcrawl.web.fields.raw_head`)

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        self._sock = sock
        super().__init__(sock, *args, **options)

    def begin(self, *args: Any, **options: Any) -> None:
        """Raises TooLargeHead, and what http.client raises."""
        if self.headers is not None:
            return
        wire = self.fp
        if wire.peek(1):
            self.listener.answered(self)
        counted = Counted(wire)
        try:
            status, lines = read_head(counted, self.limits)
            self.fp, self.raw = _Read(sound_line(status), mended(lines)), raw_head(status, lines)
        except Exception:
            self.listener.lost(counted.size)
            raise
        try:
            super().begin(*args, **options)
        finally:
            if self.fp is None:
                wire.close()  # the status line was invalid
            else:
                self.fp = wire
        if self.length != 0 and not self.chunked and is_chunked(self.headers.get_all("Transfer-Encoding", ())):
            self.chunked, self.length = True, None  # http.client knows chunks alone, without another coding
            self.chunk_left = None
        if self.length == 0:
            self.chunked = False  # HEAD, 204 and 304 have no body, whatever their headers state (RFC 9112 section 6.3)
            # If a body is sent, it would be read as the next response: then http.client closes the connection.
            self.will_close = self.will_close or self._has_more()

    @property
    def unclosed(self) -> bool:
        """Whether the server has closed the connection without ending TLS."""
        return is_unclosed(self._sock)

    def _has_more(self) -> bool:
        """Whether bytes were received after the head, or the connection is broken."""
        timeout = self._sock.gettimeout()
        self._sock.settimeout(0)
        try:
            return bool(self.fp.peek(1))
        except ssl.SSLWantReadError:
            return False
        except OSError:
            return True  # the connection is unusable
        finally:
            self._sock.settimeout(timeout)


def bounded(head: HeadLimits, exchanges: Listener) -> type[BoundedResponse]:
    """A response class with these limits; http.client creates the responses itself."""

    class Response(BoundedResponse):
        limits = head
        listener = exchanges

    return Response
