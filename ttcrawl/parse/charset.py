"""What bytes mean as text: the character encoding of a page, and the page as UTF-8."""

from __future__ import annotations

import re
from typing import NamedTuple

import webencodings  # type: ignore[import-untyped]

# Not one of selectolax's public names, but the only prescan at hand that is right on all cases of html5lib-tests and
# costs no more than a microsecond. tests/parse/test_charset.py fails should a later version change it.
from selectolax.lexbor import _prescan_encoding_label as prescan  # type: ignore[attr-defined]

from ttcrawl.parse.guess import guess

UTF8 = webencodings.UTF8
_CHARSET = re.compile(r"""(?:^|[;,\s])charset\s*=\s*(?:"([^"]*)|'([^']*)|([^\s;,"']+))""", re.IGNORECASE)
_BOMS = (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")
_XML = re.compile(rb"""<\?xml\s[^>]{0,200}?\bencoding\s*=\s*(?:"([A-Za-z0-9._:-]{1,40})"|'([A-Za-z0-9._:-]{1,40})')""")


class Decoded(NamedTuple):
    """A text, and how it was read. The names are those of messages.Page."""

    utf8: bytes
    charset: str  # the WHATWG name
    declared: str  # label in the header, else in the page, as it stands
    decided: str  # bom, header, meta, content, detected or default


def declared(content_type: str) -> str:
    """The charset parameter of a Content-Type header as it stands (RFC 9110 section 8.3.2), "" if there is none.

    >>> declared('text/html; Charset="ISO-8859-1"')
    'ISO-8859-1'
    """
    found = _CHARSET.search(content_type)
    return next(filter(None, found.groups()), "").strip() if found else ""


def to_utf8(body: bytes, charset: str, url: str = "", *, markup: bool = True) -> Decoded:
    """The body as UTF-8 without byte order mark. Never raises.

    The first that speaks decides (HTML standard 13.2.3.2): byte order mark, `charset` (the label of the HTTP header,
    "" if none; unknown labels do not count), with `markup` a meta element in the first 1024 bytes or an XML
    declaration, and then, as the standard leaves to the reader: UTF-8 if the body is valid as such, else what
    `ttcrawl.parse.guess` takes it for, for which the domain of `url` is a hint.

    A body that is declared to be UTF-8 is handed back as the same object and is not looked through: it may hold
    malformed sequences, which every reader has to decode with errors="replace", as the Encoding standard has it.
    """
    label = _in_page(body) if markup else ""
    said = charset or label
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], webencodings.lookup(name), said, "bom")
    for each, where in ((charset, "header"), (label, "meta")):
        encoding = webencodings.lookup(each) if each else None
        if encoding is not None:
            # a page that could be read so far is not UTF-16, whatever it says (HTML standard 13.2.3.2, prescan)
            utf16 = where == "meta" and encoding.name.startswith("utf-16")
            return _decoded(body, UTF8 if utf16 else encoding, said, where)
    name, decided = guess(body, url)
    return _decoded(body, webencodings.lookup(name), said, decided)


def _in_page(body: bytes) -> str:
    label: bytes | None = prescan(body)
    if not label and body.startswith(b"<?xml") and (found := _XML.match(body)):
        label = found[1] or found[2]
    return label.decode("latin-1") if label else ""


def _decoded(body: bytes, encoding: webencodings.Encoding, said: str, decided: str) -> Decoded:
    if encoding is UTF8 or encoding.name == UTF8.name:
        return Decoded(body, UTF8.name, said, decided)
    text, _ = encoding.codec_info.decode(body, "replace")
    # a codec may let lone surrogates through, which UTF-8 cannot carry
    return Decoded(text.encode("utf-8", "replace"), encoding.name, said, decided)
