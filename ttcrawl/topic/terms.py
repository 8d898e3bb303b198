"""A term list, as it was read."""

from __future__ import annotations

from msgspec import Struct, field

#: A larger file is not a term list, bytes.
LARGEST = 64 << 20

AND = "@and"


class Term(Struct, frozen=True, kw_only=True):
    """One line of a term list. `text`: words, a phrase, a regular expression, or several of these with @and between."""

    text: str
    weight: float
    classes: tuple[str, ...]
    line: int
    needles: tuple[str, ...]  # what must all occur: the text, or the components of @and


class TermList(Struct, frozen=True, kw_only=True):
    """`compatible`: read and matched as by Combine. `left_out`: lines with a regular expression that RE2 lacks."""

    terms: tuple[Term, ...]
    stop_words: frozenset[str] = frozenset()
    compatible: bool = False
    encoding: str = "utf-8"
    left_out: tuple[int, ...] = field(default=())
