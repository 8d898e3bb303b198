"""The head of a response, line by line as libcurl reports it: limits and repairs as in `ttcrawl.fetch.head`."""

from __future__ import annotations

import http.client
from dataclasses import dataclass, field
from typing import TypeAlias

from ttcrawl.fetch.head import LONGEST_LINE, HeadLimits, TooLargeHead, is_interim
from ttcrawl.ring.messages import HTTP_2, Head
from ttcrawl.web.fields import fields_of, mended, raw_head
from ttcrawl.web.status_line import status_line

#: How libcurl begins the status line of a response over HTTP/2. It accepts that over no other connection.
OVER_HTTP_2 = b"HTTP/2 "

#: Name in lower case -> values.
Fields: TypeAlias = dict[str, list[str]]


@dataclass(slots=True, kw_only=True)
class HeadLines:
    """The lines of a head; those of interim responses count towards the limits and are dropped."""

    limits: HeadLimits
    size: int = 0  # bytes received
    lines: int = 0  # header lines
    status: bytes = b""
    block: bytearray = field(default_factory=bytearray)
    complete: bool = False

    def feed(self, line: bytes) -> bool:
        """Take the next line; return whether the final head is complete. Raises TooLargeHead."""
        self.size += len(line)
        if self.size > self.limits.size:
            raise TooLargeHead(f"more than {self.limits.size:,} bytes")
        if not self.status:
            if len(line) > LONGEST_LINE:
                raise TooLargeHead(f"a status line of more than {LONGEST_LINE:,} bytes")
            self.status = line
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

    def parsed(self, address: str) -> tuple[Head, Fields]:
        """The head as http.client and urllib3 parse it. Raises HTTPException for an invalid status line."""
        about = status_line(self.status)
        if about is None:
            raise http.client.BadStatusLine(repr(self.status[:100]))
        version = HTTP_2 if self.status.startswith(OVER_HTTP_2) else about.version
        by_name: dict[str, tuple[str, list[str]]] = {}
        block = bytes(self.block)
        raw = raw_head(self.status, block)
        for name, value in fields_of(block if raw else mended(block)):
            by_name.setdefault(name.lower(), (name, []))[1].append(value)
        # the order of urllib3: fields of one name follow the first of them, and have its spelling
        headers = tuple((name, value) for name, values in by_name.values() for value in values)
        fields = {name: values for name, (_, values) in by_name.items()}
        head = Head(
            status=about.status, phrase=about.phrase, version=version, headers=headers, address=address, raw=raw
        )
        return head, fields
