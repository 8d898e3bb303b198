"""The head of a response, line by line: its limits, its repairs, and what it says."""

from __future__ import annotations

import http.client
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct, field

from ttcrawl.fetch.reasons import TooLargeHead
from ttcrawl.ring.messages import HTTP_2, Head
from ttcrawl.web.fields import fields_of, mended, sound_fields
from ttcrawl.web.status_line import START, status_line
from ttcrawl.web.storable import text

#: The longest status line, bytes, as in http.client.
LONGEST_LINE = 65536

#: Name in lower case -> values.
Fields: TypeAlias = dict[str, list[str]]


class HeadLimits(Struct, frozen=True, kw_only=True):
    """Limits on a head, interim responses included."""

    size: int  # bytes
    lines: int  # header lines


class HeadLines(Struct, kw_only=True):
    """The lines of a head; lines of interim responses count towards the limits and are dropped."""

    limits: HeadLimits
    size: int = 0  # bytes received
    lines: int = 0  # header lines
    status: bytes = b""
    block: bytearray = field(default_factory=bytearray)
    complete: bool = False

    @property
    def longest(self) -> int:
        """Bytes of the next line to read: at most one more than the limits allow."""
        room = self.limits.size - self.size
        return 1 + (room if self.status else min(room, LONGEST_LINE))

    def feed(self, line: bytes) -> bool:
        """Take the next line; return whether the final head is complete. Raises TooLargeHead, BadStatusLine."""
        self.size = size = self.size + len(line)
        if size > self.limits.size:
            raise TooLargeHead(f"more than {self.limits.size:,} bytes")
        if not self.status:
            if len(line) > LONGEST_LINE:
                raise TooLargeHead(f"a status line of more than {LONGEST_LINE:,} bytes")
            if START.match(line):
                self.status = line
            elif not line.isspace():  # an empty line may be before it, as before a request (RFC 9112 section 2.2)
                raise not_http(line)
        elif line not in (b"\r\n", b"\n"):
            self.lines += 1
            if self.lines > self.limits.lines:
                raise TooLargeHead(f"more than {self.limits.lines:,} lines")
            self.block += line
        elif is_interim(self.status):
            self.status = b""
            self.block.clear()
        else:
            self.block += line
            self.complete = True
        return self.complete

    def parsed(self, address: str, *, http2: bool) -> tuple[Head, Fields]:
        """The complete head. Raises BadStatusLine."""
        about = status_line(self.status)
        if about is None:
            raise not_http(self.status)
        block = bytes(self.block)
        sound = sound_fields(block)
        headers, fields = grouped(fields_of(mended(block)) if sound is None else sound)
        head: Head = Head.sound(  # no character of ISO 8859-1 but NUL needs correction, and no field has that
            status=about.status,
            phrase=text(about.phrase),
            version=HTTP_2 if http2 else about.version,
            headers=headers,
            address=address,
            raw=b"" if sound is None or not about.sound else self.status + block,
        )
        return head, fields


def grouped(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[tuple[str, str], ...], Fields]:
    """Headers, and their values by name. Fields of one name follow the first of them, and have its spelling."""
    fields = {name.lower(): [value] for name, value in pairs}
    if len(fields) == len(pairs):  # as in most heads
        return tuple(pairs), fields
    by_name: dict[str, tuple[str, list[str]]] = {}
    for name, value in pairs:
        by_name.setdefault(name.lower(), (name, []))[1].append(value)
    headers = tuple((name, value) for name, values in by_name.values() for value in values)
    return headers, {name: values for name, (_, values) in by_name.items()}


def is_interim(line: bytes) -> bool:
    """Whether another response follows that with this status line."""
    status = status_line(line)
    return status is not None and status.interim


def not_http(line: bytes) -> http.client.BadStatusLine:
    """The error for a first line that is not a status line."""
    return http.client.BadStatusLine(repr(line[:100]))
