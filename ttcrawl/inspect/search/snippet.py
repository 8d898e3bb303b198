"""The part of a text with the words of a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ttcrawl.inspect.search.bigrams import LETTERS, is_plain
from ttcrawl.inspect.search.folding import IGNORED, MARKS, fold

WORDS = 30

#: Letters that are shown for a word, in scripts without spaces.
LETTERS_OF_A_WORD = 2

#: What a word may have inside of it and FTS5 does not see.
_INSIDE = f"{IGNORED}{MARKS}"
_WORD = re.compile(rf"\w[\w{_INSIDE}]*")
_WORD_OR_LETTER = re.compile(rf"[{LETTERS}]|(?:(?![{LETTERS}])\w)(?:(?![{LETTERS}])[\w{_INSIDE}])*")


def snippet(text: str, words: Sequence[str], mark: Callable[[str], str], most: int = WORDS) -> str:
    """Return `most` words of a text around the most different words of a query, which are marked.

    >>> snippet("one two three four five six", ["five"], str.upper, most=3)
    '... four FIVE six'
    """
    if is_plain(text):
        spans = [match.span() for match in _WORD.finditer(text)]
        matches = [matching(text[start:end], words) for start, end in spans]
    else:
        most *= LETTERS_OF_A_WORD
        spans = [match.span() for match in _WORD_OR_LETTER.finditer(text)]
        inside = _inside(text, words)
        matches = [inside.get(start) or matching(text[start:end], words) for start, end in spans]
    hits = [number for number, match in enumerate(matches) if match]
    if not hits:
        return _shown(text, spans, set(), 0, most, mark)
    best = max(hits, key=lambda hit: (len({matches[each] for each in hits if hit <= each < hit + most}), -hit))
    first = max(0, min(best - most // 3, len(spans) - most))
    return _shown(text, spans, {*hits}, first, most, mark)


def matching(word: str, words: Sequence[str]) -> str:
    """Return the word or prefix of a query that a word of a text matches; "" if none."""
    plain = fold(word)
    for each in words:
        if plain == each or (each.endswith("*") and plain.startswith(each[:-1])):
            return each
    return ""


def _inside(text: str, words: Sequence[str]) -> dict[int, str]:
    """Of each position inside of a word without spaces around it: the word."""
    inside: dict[int, str] = {}
    for word in words:
        if not is_plain(word):
            for match in re.finditer(re.escape(word.rstrip("*")), text, re.IGNORECASE):
                inside |= dict.fromkeys(range(*match.span()), word)
    return inside


def _shown(
    text: str, spans: Sequence[tuple[int, int]], hits: set[int], first: int, most: int, mark: Callable[[str], str]
) -> str:
    last = min(len(spans), first + most)
    if first >= last:
        return ""
    pieces = []
    end = spans[first][0]
    for number in range(first, last):
        begin, until = spans[number]
        pieces += [text[end:begin], mark(text[begin:until]) if number in hits else text[begin:until]]
        end = until
    shown = " ".join("".join(pieces).split())
    return f"{'... ' if first else ''}{shown}{' ...' if last < len(spans) else ''}"
