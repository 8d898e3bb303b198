"""The validators of a response in a conditional request (RFC 9110 section 13.1)."""

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


def conditions(etag: str, last_modified: str) -> tuple[tuple[str, str], ...]:
    """The headers of a request that is answered with 304 while these validators hold; "" is none.

    >>> conditions('"a-br"', "")
    (('If-None-Match', '"a-br", "a"'),)
    """
    pairs = (("If-None-Match", ", ".join(etags(etag))), ("If-Modified-Since", last_modified))
    return tuple((name, value) for name, value in pairs if value)
