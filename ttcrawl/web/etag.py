"""The ETags of a response for a conditional request (RFC 9110 section 13.1.2)."""

from __future__ import annotations

import re

#: Apache appends the coding to the ETag of a body that it has compressed, and does not know the result when it comes
#: back (its bug 45023): then no such page would ever be answered with 304.
_WITH_CODING = re.compile(r'((?:W/)?"[^"]+)-(?:gzip|br|deflate|zstd)"')


def etags(received: str) -> tuple[str, ...]:
    """The ETag, and the one that the page has without a coding; () if there is none.

    >>> etags('"2d-5f-gzip"'), etags('W/"a"'), etags("")
    (('"2d-5f-gzip"', '"2d-5f"'), ('W/"a"',), ())
    """
    coded = _WITH_CODING.fullmatch(received)
    if coded is None:
        return (received,) if received else ()
    return received, f'{coded[1]}"'
