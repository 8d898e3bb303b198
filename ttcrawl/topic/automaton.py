"""Many strings in one pass over a text: where they may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import ahocorasick_rs

from ttcrawl.topic.words import SEPARATORS

# Not daachorse 0.5: it takes 0.7 times as long for 10,000 strings (32 instead of 46 us for 6 KB), but 2.2 times for the
# 1,000 of a list read as Combine does (34 instead of 15 us), and PyPI has no wheel of it for Linux on ARM.

#: (Index of a string, start, end): what an automaton finds.
Hit: TypeAlias = tuple[int, int, int]

#: Up to this many strings the automaton is deterministic. (With 6 KB of text between other work it takes 0.7 times as
#: long as the smaller one for 10,000 strings, and no less for 20,000: the caches of a processor no longer hold it.)
DETERMINISTIC = 15_000

_BLANKS = bytes.maketrans(SEPARATORS.encode(), b" " * len(SEPARATORS))

#: Codes of bytes for a deterministic automaton, 0 for blanks. With the class of all other bytes they make 16 columns: a
#: state is as large as a cache line. Few words of a text have the same codes as a string that differs.
_LETTERS = 14
_CODES = bytes(0 if each == ord(" ") else 1 + each % _LETTERS for each in _BLANKS)


class Automaton:
    """The automaton of Aho and Corasick."""

    def __init__(self, strings: Sequence[bytes]) -> None:
        """It is smaller in the caches if the strings are sorted."""
        kinds = ahocorasick_rs.Implementation
        self._table, kind = (_CODES, kinds.DFA) if len(strings) <= DETERMINISTIC else (_BLANKS, kinds.ContiguousNFA)
        coded = [each.translate(self._table) for each in strings]
        self._automaton = ahocorasick_rs.BytesAhoCorasick(coded, implementation=kind)

    def hits(self, text: bytes) -> list[Hit]:
        """Return where strings may be, in the order of their ends. They may overlap, and separators are blanks."""
        hits: list[Hit] = self._automaton.find_matches_as_indexes(text.translate(self._table), overlapping=True)
        return hits
