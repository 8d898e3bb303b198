"""The character encoding of a page, and the page as UTF-8."""

from __future__ import annotations

from typing import NamedTuple

from ttcrawl.web.charset.declaration import declared_in
from ttcrawl.web.charset.encoding import decode, encoding_name
from ttcrawl.web.charset.guess import guess

UTF8 = "utf-8"
_BOMS = (b"\xef\xbb\xbf", UTF8), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")
#: Encodings that a page readable so far cannot have, even if declared, and their replacements (HTML standard 13.2.3.2).
_NOT_READABLE = {"utf-16le": UTF8, "utf-16be": UTF8, "x-user-defined": "windows-1252"}


class Decoded(NamedTuple):
    """A text and how its encoding was determined. The field names are as in messages.Page."""

    utf8: bytes
    charset: str  # the WHATWG name
    declared: str  # label in the header, else in the page, unchanged
    decided: str  # bom, header, meta, content, detected or default


def to_utf8(body: bytes, charset: str, url: str = "", *, markup: bool = True) -> Decoded:
    """The body as UTF-8 without byte order mark. Never raises.

    The first source with a result decides (HTML standard 13.2.3.2): byte order mark; `charset` (the label of the HTTP
    header, "" if none; unknown labels do not count); with `markup` a meta element of the head or an XML declaration.
    The standard leaves the rest to the implementation: UTF-8 if the body is valid UTF-8, else the result of
    `web.charset.guess`, with the domain of `url` as a hint.

    A body declared as UTF-8 is returned as the same object, unchecked. It may contain malformed sequences, so every
    reader must decode it with errors="replace", as in the Encoding standard.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            declared = charset or (declared_in(body) if markup else "")
            return _decoded(body[len(mark) :], name, declared, "bom")
    if name := encoding_name(charset):
        return _decoded(body, name, charset, "header")
    label = declared_in(body) if markup else ""
    declared = charset or label
    if name := encoding_name(label):
        return _decoded(body, _NOT_READABLE.get(name, name), declared, "meta")
    name, decided = guess(body, url)
    return _decoded(body, name, declared, decided)


def _decoded(body: bytes, name: str, declared: str, decided: str) -> Decoded:
    return Decoded(body if name == UTF8 else decode(body, name).encode(), name, declared, decided)
