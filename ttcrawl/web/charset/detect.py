"""What bytes mean as text: the character encoding of a page, and the page as UTF-8."""

from __future__ import annotations

from typing import NamedTuple

from ttcrawl.web.charset.declaration import declared_in
from ttcrawl.web.charset.encoding import decode, encoding_name
from ttcrawl.web.charset.guess import guess

UTF8 = "utf-8"
_BOMS = (b"\xef\xbb\xbf", UTF8), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")
#: What a page that could be read so far is not, whatever it says, and what it is taken for (HTML standard 13.2.3.2).
_NOT_READABLE = {"utf-16le": UTF8, "utf-16be": UTF8, "x-user-defined": "windows-1252"}


class Decoded(NamedTuple):
    """A text, and how it was read. The names are those of messages.Page."""

    utf8: bytes
    charset: str  # the WHATWG name
    declared: str  # label in the header, else in the page, as it stands
    decided: str  # bom, header, meta, content, detected or default


def to_utf8(body: bytes, charset: str, url: str = "", *, markup: bool = True) -> Decoded:
    """The body as UTF-8 without byte order mark. Never raises.

    The first that speaks decides (HTML standard 13.2.3.2): byte order mark, `charset` (the label of the HTTP header,
    "" if none; unknown labels do not count), with `markup` a meta element of the head or an XML declaration, and then,
    as the standard leaves to the reader: UTF-8 if the body is valid as such, else what `web.charset.guess` takes it
    for, for which the domain of `url` is a hint.

    A body that is declared to be UTF-8 is handed back as the same object and is not looked through: it may hold
    malformed sequences, which every reader has to decode with errors="replace", as the Encoding standard has it.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            said = charset or (declared_in(body) if markup else "")
            return _decoded(body[len(mark) :], name, said, "bom")
    if name := encoding_name(charset):
        return _decoded(body, name, charset, "header")
    label = declared_in(body) if markup else ""
    said = charset or label
    if name := encoding_name(label):
        return _decoded(body, _NOT_READABLE.get(name, name), said, "meta")
    name, decided = guess(body, url)
    return _decoded(body, name, said, decided)


def _decoded(body: bytes, name: str, said: str, decided: str) -> Decoded:
    return Decoded(body if name == UTF8 else decode(body, name).encode(), name, said, decided)
