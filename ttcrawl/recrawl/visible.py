"""A text as its reader sees it: what looks the same is the same, whatever characters it is written with.

Canonically equivalent characters (UAX 15, NFC), line ends, kinds of spaces, and characters without width are no
difference. What a reader can see is: a ligature, a full-width letter, a superscript (NFKC), a typographic quote; and
joiners, which change the shape of letters beside them.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

import re2

from ttcrawl.web.ignored import Ignored
from ttcrawl.web.late import late

#: Soft hyphen, zero-width space, marks of direction, word joiner, byte order mark.
_UNSEEN = late("[\u00ad\u061c\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e\ufeff]+")
_SPACE = late("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINE_END = late("\r\n?|[\u0085\u2028\u2029]")
#: Spaces within a line; those at its beginning are its indentation.
_SPACES = late(r"(?<=\S)[ \t]+")


@cache
def _marks() -> Any:
    """More marks than any language puts on a letter (UAX 15 section 13): to order n of them takes n*n steps."""
    return re2.compile(r"\p{M}{31}")


def visible(text: str) -> str:
    """Return the form that all texts have that look the same.

    >>> visible("cafe\\u0301\\u00a0\\u200bnoir\\r\\n"), visible("x\\u00b2 \\ufb01")
    ('caf\u00e9 noir\\n', 'x\u00b2 \ufb01')
    """
    if not text.isascii():
        text = _SPACE.sub(" ", _UNSEEN.sub("", text))
        text = text if _marks().search(text) else unicodedata.normalize("NFC", text)
    return _SPACES.sub(" ", _LINE_END.sub("\n", text)).replace(" \n", "\n").rstrip(" ")


def counted(text: str, ignored: Ignored) -> str:
    """Return the part of a text whose change counts, in its visible form."""
    shown = visible(text)
    return visible(ignored.without(shown)) if ignored.patterns else shown
