"""Character encodings with the labels and tables of the Encoding standard (https://encoding.spec.whatwg.org/).

Python's codecs use other tables: EUC-JP and ISO-2022-JP lack 457 characters, Big5 192, and all codecs for Windows the
C1 controls. encoding_rs, the library of Firefox, has complete tables; webencodings has the labels.
"""

from __future__ import annotations

from functools import lru_cache

import endec
import webencodings  # type: ignore[import-untyped]
from webencodings.labels import LABELS  # type: ignore[import-untyped]

_NEVER_SENT = frozenset(("utf-16le", "utf-16be", "replacement"))
_IN_CAPITALS = ("utf-", "iso-", "ibm", "koi8-", "gbk", "euc-")
_LONGEST = max(map(len, LABELS))
_MIXED_CASE = {"big5": "Big5", "shift_jis": "Shift_JIS"}


def encoding_name(label: str) -> str:
    """The standard's name, in lower case, for an encoding label; "" if the label is unknown.

    >>> [encoding_name(each) for each in ("Latin1", " ISO_8859-2 ", "gb2312", "bogus")]
    ['windows-1252', 'iso-8859-2', 'gbk', '']
    """
    label = label.strip("\t\n\f\r ")
    return _name_of(label) if 0 < len(label) <= _LONGEST else ""


@lru_cache(maxsize=64)  # the pages of a site have the same
def _name_of(label: str) -> str:
    encoding = webencodings.lookup(label)
    return encoding.name if encoding is not None else ""


def standard_name(name: str) -> str:
    """A name in lower case as the standard spells it.

    >>> [standard_name(each) for each in ("utf-8", "shift_jis", "windows-1252")]
    ['UTF-8', 'Shift_JIS', 'windows-1252']
    """
    return name.upper() if name.startswith(_IN_CAPITALS) else _MIXED_CASE.get(name, name)


def output_encoding(name: str) -> str:
    """The encoding in which a document with this one sends data: UTF-8 instead of UTF-16."""
    return "utf-8" if name in _NEVER_SENT else name


def encode(text: str, name: str) -> bytes:
    """The text as a document with this encoding sends it. A character that the encoding lacks becomes &#NNN; as in the
    standard's "html" mode.

    >>> encode("f\xfcr \u6f22", "windows-1252")
    b'f\\xfcr &#28450;'
    """
    utf8 = text.encode("utf-8", "replace")  # a lone surrogate has no encoding
    return utf8 if name == "utf-8" else endec.encode(utf8.decode(), name, "xmlcharrefreplace")


def decode(data: bytes, name: str) -> str:
    """Malformed sequences become U+FFFD, as in the standard's decoders. A byte order mark is decoded like any other
    bytes.

    >>> decode(b"\\xfa\\x5f", "big5")
    '\u5029'
    """
    return endec.decode(data, name, "replace", bom="ignore")
