"""The part of a text with the words of a query."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache

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
    matching = _matcher(words)
    if is_plain(text):
        spans = [match.span() for match in _WORD.finditer(text)]
        matches = [matching(text[start:end]) for start, end in spans]
    else:
        most *= LETTERS_OF_A_WORD
        spans = [match.span() for match in _WORD_OR_LETTER.finditer(text)]
        inside = _inside(text, words)
        matches = [inside.get(start) or matching(text[start:end]) for start, end in spans]
    hits = [number for number, match in enumerate(matches) if match]
    if not hits:
        return _shown(text, spans, set(), 0, most, mark)
    begin, last = _best(hits, matches, most)
    before = min(most // 3, most - (last - begin + 1))
    first = max(0, min(begin - before, len(spans) - most))
    return _shown(text, spans, {*hits}, first, most, mark)


def _best(hits: Sequence[int], matches: Sequence[str], most: int) -> tuple[int, int]:
    """The first hit with the most different words within `most` words from it on, and the last hit that it needs."""
    different, best = 0, (0, 0)
    for index, hit in enumerate(hits):
        within = hits[index : bisect_left(hits, hit + most)]
        needed = {matches[each]: each for each in reversed(within)}
        if len(needed) > different:
            different, best = len(needed), (hit, max(needed.values()))
    return best


def _matcher(words: Sequence[str]) -> Callable[[str], str]:
    """The word or prefix of a query that a word of a text matches; "" if none."""
    exact = {each: each for each in words}
    prefixes = [each for each in words if each.endswith("*")]

    @cache
    def matching(word: str) -> str:
        plain = fold(word)
        return exact.get(plain) or next((each for each in prefixes if plain.startswith(each[:-1])), "")

    return matching


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
