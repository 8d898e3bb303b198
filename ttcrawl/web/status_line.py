"""Status lines of responses, read as servers write them (RFC 9112 section 4).

Like browsers, this takes any white space for the space between the parts and ignores it before them, compares the name
of the protocol without case, and reads a version that is not ours as the nearest one that is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

#: White space on a line that starts no other one, as the standard names it, and what Python's split() takes for it.
_SPACE = rb"[ \t\v\f\r\x1c-\x1f\x85\xa0]"

#: What a response begins with. Streams of SHOUTcast, which browsers play, have a protocol of their own.
START = re.compile(rb"%b*+(?:HTTP/|ICY%b)" % (_SPACE, _SPACE), re.IGNORECASE)

_LINE = re.compile(
    rb"%b*+(?:HTTP/(\d++(?:\.\d++)?+)|ICY)%b++([1-9]\d\d)(?!\d)(.*)" % (_SPACE, _SPACE), re.IGNORECASE | re.DOTALL
)

#: A line that every reader of archives reads alike.
SOUND = re.compile(rb"HTTP/1\.[01] [1-9]\d\d(?: [^\r\n\0]*)?\r\n")

#: Versions whose connections do not persist, if nothing else is stated; b"": none.
_ONCE = frozenset((b"", b"0.9", b"1", b"1.0"))


class StatusLine(Struct, frozen=True):
    """The parts of a status line; the version is "HTTP/1.0" or "HTTP/1.1"."""

    version: str
    status: int
    phrase: str  # of ISO 8859-1
    sound: bool  # every reader of archives reads it alike

    @property
    def interim(self) -> bool:
        """Whether another response follows (RFC 9110 section 15.2). 101 is final: another protocol would follow."""
        return self.status < 200 and self.status != 101


@lru_cache(maxsize=64)  # nearly all responses have one of a few
def status_line(line: bytes) -> StatusLine | None:
    r"""The parts of a line, with or without its end; None: it is not a status line.

    >>> status_line(b"HTTP/1.1  200\tOK\r\n")
    StatusLine(version='HTTP/1.1', status=200, phrase='OK', sound=False)
    """
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    version = "HTTP/1.0" if (match[1] or b"") in _ONCE else "HTTP/1.1"
    phrase = match[3].decode("iso-8859-1").strip()
    return StatusLine(version, int(match[2]), phrase, SOUND.fullmatch(line) is not None)
