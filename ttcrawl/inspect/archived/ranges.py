"""Which bytes of a body are requested (RFC 9110 section 14): of films, browsers want parts."""

from __future__ import annotations

import re

_ONE_RANGE = re.compile(r"bytes=(\d{1,15})-(\d{0,15})")


def requested(header: str, size: int) -> range | None:
    """The positions of the bytes; empty if there are none; None: all of them, also for several ranges.

    >>> requested("bytes=2-", 5), requested("bytes=9-", 5), requested("bytes=-2", 5)
    (range(2, 5), range(9, 5), None)
    """
    match = _ONE_RANGE.fullmatch(header)
    if match is None:
        return None
    return range(int(match[1]), min(int(match[2] or size), size - 1) + 1)
