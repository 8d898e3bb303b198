"""Which figure stands beside which table: the one whose title has most words in common."""

from __future__ import annotations

import re
from collections.abc import Sequence

LEAST = 0.5  # of the words of both


def beside(caption: str, titles: Sequence[str]) -> int | None:
    """The index of the table for a figure; None if they have less than half of their words in common.

    >>> beside("In-degrees of pages", ["Graph of the pages", "Power law of in-degrees", "Power law of out-degrees"])
    1
    >>> beside("Sizes of hosts", ["Sizes by type"])
    """
    likeness = [_likeness(_words(caption), _words(title)) for title in titles]
    best = max(range(len(titles)), key=likeness.__getitem__, default=None)
    return best if best is not None and likeness[best] >= LEAST else None


def _words(text: str) -> set[str]:
    """What is in parentheses says more of the same."""
    return set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", text.lower())))


def _likeness(one: set[str], other: set[str]) -> float:
    """Jaccard's index."""
    return len(one & other) / (len(one | other) or 1)
