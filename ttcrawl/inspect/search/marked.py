"""A snippet in pieces, for those who mark words in another way than by signs in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttcrawl.inspect.search.snippet import snippet
from ttcrawl.output.untrusted import escape_untrusted

_BEGIN, _END = "\x01", "\x02"  # around words of the query; no text has them after escape_untrusted
_MARKED = re.compile(f"{_BEGIN}([^{_END}]*){_END}")


def marked(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """The words around those of the query, in pieces: (text, whether it is one of these).

    >>> marked("one two three", ["two"])
    [('one ', False), ('two', True), (' three', False)]
    """
    around = snippet(escape_untrusted(" ".join(text.split())), words, lambda word: f"{_BEGIN}{word}{_END}")
    return [(piece, number % 2 == 1) for number, piece in enumerate(_MARKED.split(around))]
