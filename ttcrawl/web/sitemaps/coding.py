"""The bytes of a sitemap or feed as UTF-8."""

from __future__ import annotations

from typing import NamedTuple

from ttcrawl.web.charset.encoding import decode, encoding_name
from ttcrawl.web.late import late

_MARKS = (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")
_UNMARKED = (b"<\0", "utf-16le"), (b"\0<", "utf-16be")
_DECLARED = late(rb"""\s*<\?xml\s[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_SPACE = b" \t\r\n\f\v"


class Utf8(NamedTuple):
    """A document as UTF-8, and its encoding: the WHATWG name, the declared label, and the source that decided."""

    data: bytes
    charset: str
    declared: str
    decided: str  # bom, header, meta (the XML declaration), content, default


def utf8(data: bytes, charset: str = "") -> Utf8:
    """The document as UTF-8 without byte order mark or leading white space; invalid bytes are replaced. Never raises.

    The first source with a result decides: byte order mark, `charset` (of the HTTP header: RFC 7303 section 3.2), the
    XML declaration; otherwise UTF-8.
    """
    mark, name = next((each for each in _MARKS if data.startswith(each[0])), (b"", ""))
    data = data[len(mark) :]
    name = name or next((each for start, each in _UNMARKED if data.startswith(start)), "")
    label = _label(data)
    declared, candidates = (
        charset or label,
        ((name, "bom" if mark else "content"), (charset, "header"), (label, "meta")),
    )
    for each, decided in candidates:
        encoding = encoding_name(each)
        # a declaration that is readable as ASCII disproves UTF-16 (HTML standard 13.2.3.2)
        if encoding and not (decided == "meta" and encoding.startswith("utf-16")):
            break
    else:
        encoding, decided = "", "content"
    if encoding not in ("", "utf-8"):
        return Utf8(decode(data, encoding).encode().lstrip(_SPACE), encoding, declared, decided)
    data = data.lstrip(_SPACE)
    try:
        data.isascii() or data.decode()
    except UnicodeDecodeError:
        decided = "default" if decided == "content" else decided
        data = data.decode("utf-8", "replace").encode()
    return Utf8(data, "utf-8", declared, decided)


def _label(data: bytes) -> str:
    match = _DECLARED.match(data, 0, 200)
    return match[1].decode() if match else ""
