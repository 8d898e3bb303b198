"""What bytes mean as text: the character encoding of a page, and the page as UTF-8."""

from __future__ import annotations

import re

import webencodings  # type: ignore[import-untyped]

# Not one of selectolax's public names, but the only prescan at hand that is right on all cases of html5lib-tests and
# costs no more than a microsecond. tests/parse/test_charset.py fails should a later version change it.
from selectolax.lexbor import _prescan_encoding_label as prescan  # type: ignore[attr-defined]

UTF8 = webencodings.UTF8
_CHARSET = re.compile(r"""(?:^|[;,\s])charset\s*=\s*(?:"([^"]*)|'([^']*)|([^\s;,"']+))""", re.IGNORECASE)
_BOMS = (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")


def declared(content_type: str) -> str:
    """The charset parameter of a Content-Type header as it stands (RFC 9110 section 8.3.2), "" if there is none.

    >>> declared('text/html; Charset="ISO-8859-1"')
    'ISO-8859-1'
    """
    found = _CHARSET.search(content_type)
    return next(filter(None, found.groups()), "").strip() if found else ""


def to_utf8(body: bytes, charset: str) -> tuple[bytes, str]:
    """The body as UTF-8 without byte order mark, and the WHATWG name of the encoding it was read as. Never raises.

    The first that speaks decides (HTML standard 13.2.3.2): byte order mark, `charset` (the label of the HTTP header,
    "" if none; unknown labels do not count), a meta element in the first 1024 bytes, and then, as the standard leaves
    to the reader: UTF-8 if the body is valid as such, windows-1252 if not.

    A body that is declared to be UTF-8 is handed back as the same object and is not looked through: it may hold
    malformed sequences, which every reader has to decode with errors="replace", as the Encoding standard has it.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _transcode(body[len(mark) :], webencodings.lookup(name))
    encoding = webencodings.lookup(charset) or _in_meta(body)
    if encoding is not None:
        return _transcode(body, encoding)
    try:
        body.isascii() or body.decode()
    except UnicodeDecodeError:
        return _transcode(body, webencodings.lookup("windows-1252"))
    return body, UTF8.name


def _in_meta(body: bytes) -> webencodings.Encoding | None:
    label = prescan(body)
    return webencodings.lookup(label.decode("latin-1")) if label else None


def _transcode(body: bytes, encoding: webencodings.Encoding) -> tuple[bytes, str]:
    if encoding is UTF8 or encoding.name == UTF8.name:
        return body, UTF8.name
    text, _ = encoding.codec_info.decode(body, "replace")
    # a codec may let lone surrogates through, which UTF-8 cannot carry
    return text.encode("utf-8", "replace"), encoding.name
