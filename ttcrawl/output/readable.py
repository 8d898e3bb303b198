"""URLs for people: letters of all alphabets instead of the percent-encoded bytes of UTF-8, as browsers show them."""

from __future__ import annotations

import re
from urllib.parse import unquote

_ENCODED = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")


def readable(url: str) -> str:
    """A URL or path with its letters (RFC 3987 section 3.2). Encoded ASCII, bytes that are not UTF-8, and characters
    that a terminal does not print, such as direction marks (section 4.1), stay encoded.

    >>> readable("/caf%C3%A9/100%25/%FF/%E2%80%AE/")
    '/café/100%25/%FF/%E2%80%AE/'
    """
    return _ENCODED.sub(_decoded, url)


def _decoded(encoded: re.Match[str]) -> str:
    try:
        text = unquote(encoded[0], errors="strict")
    except UnicodeDecodeError:
        return encoded[0]
    return text if text.isprintable() else encoded[0]
