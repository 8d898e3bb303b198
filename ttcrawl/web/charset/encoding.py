"""Character encodings with the labels and tables of the Encoding standard (https://encoding.spec.whatwg.org/).

Python's codecs use other tables: EUC-JP and ISO-2022-JP lack 457 characters, Big5 192, and all codecs for Windows the
C1 controls. encoding_rs, the library of Firefox, has complete tables; webencodings has the labels.
"""

from __future__ import annotations

import endec
import webencodings  # type: ignore[import-untyped]


def encoding_name(label: str) -> str:
    """The standard's name, in lower case, for an encoding label; "" if the label is unknown.

    >>> [encoding_name(each) for each in ("Latin1", " ISO_8859-2 ", "gb2312", "bogus")]
    ['windows-1252', 'iso-8859-2', 'gbk', '']
    """
    encoding = webencodings.lookup(label) if label else None
    return encoding.name if encoding is not None else ""


def decode(data: bytes, name: str) -> str:
    """Malformed sequences become U+FFFD, as in the standard's decoders. A byte order mark is decoded like any other
    bytes.

    >>> decode(b"\\xfa\\x5f", "big5")
    '\u5029'
    """
    return endec.decode(data, name, "replace", bom="ignore")
