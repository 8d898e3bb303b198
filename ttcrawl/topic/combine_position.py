"""Combine's algorithm by position, with its quirks: words are compared as strings, phrases by their last word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ttcrawl.errors import CrawlFailedError
from ttcrawl.topic.terms import Term

DIVIDED = "Combine divides by zero where the same word is on both sides of @and: delete the line"


def values(terms: Iterable[Term], text: str) -> Iterator[tuple[Term, int, float]]:
    """(Term, how often it counts, its points). `text` may begin with a blank, which stands for an empty first word.

    Raises CrawlFailedError where Combine ends: a term with the same word on both sides of @and divides by zero.
    """
    words = text.split()
    if words and text.startswith(" "):
        words.insert(0, "")
    occurrences: dict[str, list[int]] = {}
    for position, word in enumerate(words, 1):
        occurrences.setdefault(word, []).append(position)
    for term in terms:
        if len(term.needles) > 1:
            try:
                found = list(_joint([occurrences.get(each, []) for each in term.needles]))
            except ZeroDivisionError:
                raise CrawlFailedError(f"line {term.line}: {term.text}: {DIVIDED}") from None
        else:
            found = [1 / math.log(0.5 * p + 1) for p in _phrase(term.text.split(" "), occurrences)]
        if found:
            yield term, len(found), term.weight * sum(found)


def _phrase(words: Sequence[str], occurrences: dict[str, list[int]]) -> Iterator[int]:
    """The positions of the first word where the phrase counts: a middle word elsewhere is skipped."""
    positions = [occurrences.get(word) for word in words]
    if not all(positions):
        return
    sets = [set(each or ()) for each in positions[1:]]
    for start in positions[0] or ():
        expected, matched = start + 1, True
        for each in sets:
            matched = expected in each
            expected += matched
        if matched:
            yield start


def _joint(positions: Sequence[Sequence[int]]) -> Iterator[float]:
    """The value of each round: the first occurrences of all components, the second ones, and so on."""
    for round in zip(*positions, strict=False):
        apart = sum(abs(a - b) for a, b in pairwise(round)) / (len(round) - 1)
        yield 1 / (math.log(0.5 * min(round) + 1) * math.log(apart + 1))
