"""Character encodings as the Encoding standard (https://encoding.spec.whatwg.org/) has them: its labels and its tables.

Python's codecs are not its tables: EUC-JP and ISO-2022-JP lack 457 characters, Big5 192, and all codecs for Windows
the C1 controls. encoding_rs, which Firefox uses, has them all; webencodings knows the labels.
"""

from __future__ import annotations

import endec
import webencodings  # type: ignore[import-untyped]


def encoding_name(label: str) -> str:
    """The standard's name, in lower case, of the encoding that a label stands for; "" if it stands for none.

    >>> [encoding_name(each) for each in ("Latin1", " ISO_8859-2 ", "gb2312", "bogus")]
    ['windows-1252', 'iso-8859-2', 'gbk', '']
    """
    encoding = webencodings.lookup(label) if label else None
    return encoding.name if encoding is not None else ""


def decode(data: bytes, name: str) -> str:
    """Malformed sequences become U+FFFD, as the standard's decoders have it. A byte order mark is no special case.

    >>> decode(b"\\xfa\\x5f", "big5")
    '\u5029'
    """
    return endec.decode(data, name, "replace", bom="ignore")
