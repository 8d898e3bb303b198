"""Many regular expressions at once: those that may occur in a text, then the matches of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import re2

from ttcrawl.topic.automaton import automaton
from ttcrawl.topic.literals import literal
from ttcrawl.topic.regex import MAX_MEMORY, MOST, options

#: Compiled expressions that are cached: only those that may occur on a page are compiled one by one.
CACHED = 4096

#: Matches of a pattern that count in one text: each search is linear, but for some patterns to the end of the text.
MOST_MATCHES = 1000


class Patterns:
    """Numbered regular expressions: where the text has what each needs is found for all together, then each is counted.

    Most of them contain a literal: Aho-Corasick looks for these. A set of RE2 finds the others.
    """

    def __init__(self, patterns: Sequence[str], bounded: Callable[[str], tuple[str, int]]) -> None:
        self._patterns = [bounded(pattern) for pattern in patterns]
        self._literals: dict[str, list[int]] = {}
        self._others: list[int] = []
        for number, pattern in enumerate(patterns):
            if each := literal(pattern):
                self._literals.setdefault(each, []).append(number)
            else:
                self._others.append(number)
        self._numbers = list(self._literals.values())
        self._automaton = automaton(list(self._literals))
        self._set = self._together() if self._others else None
        self._compile: Callable[[int], Any] = lru_cache(maxsize=CACHED)(self._compile_one)

    def _together(self) -> re2.Set | None:
        together = re2.Set.SearchSet(options(MOST))
        together.Add("")  # matches always: RE2 reports no match at all if it runs out of memory
        for number in self._others:
            together.Add(self._patterns[number][0])
        try:
            together.Compile()
        except re2.error:
            return None
        return together

    def _compile_one(self, number: int) -> Any:
        return re2.compile(self._patterns[number][0].encode(), options(8 * MAX_MEMORY))

    def candidates(self, text: str) -> list[int]:
        """The numbers of the patterns that may occur in a text, in order."""
        indexes = {each[0] for each in self._automaton.find_matches_as_indexes(text, overlapping=True)}
        numbers = [number for index in indexes for number in self._numbers[index]]
        if self._others:
            matches = self._set.Match(text) if self._set else None
            numbers += [self._others[each - 1] for each in matches if each] if matches else self._others
        return sorted(numbers)

    def starts(self, number: int, data: bytes) -> Iterator[int]:
        """The offsets in UTF-8 of the matches of a pattern that do not overlap, up to a limit."""
        pattern, group = self._compile(number), self._patterns[number][1]
        position = 0
        for _ in range(MOST_MATCHES):
            if position > len(data) or (match := pattern.search(data, position)) is None:
                return
            start, end = match.span(group)
            if end > start or not group:  # Combine counts empty matches too
                yield start
            position = end if end > start else end + 1
