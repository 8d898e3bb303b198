"""Many regular expressions at once: those that may occur in a text, then the matches of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import re2

from ttcrawl.topic.literals import literal
from ttcrawl.topic.regex import MAX_MEMORY, MOST, options

#: Compiled expressions that are cached: only those that may occur on a page are compiled one by one.
CACHED = 4096

#: Matches of a pattern that count in one text: each search is linear, but for some patterns to the end of the text.
MOST_MATCHES = 1000


class Patterns:
    """Numbered regular expressions. Where the text has what each needs is found for all together, then each is counted.

    Most of them contain a literal: Aho-Corasick looks for these. `literals`: literal -> the numbers of the patterns
    that need it. A set of RE2 finds those without one, the `others`.
    """

    def __init__(self, patterns: Sequence[str], bounded: Callable[[str], tuple[str, int]]) -> None:
        self._patterns = [bounded(pattern) for pattern in patterns]
        self.literals: dict[str, list[int]] = {}
        self.others: list[int] = []
        for number, pattern in enumerate(patterns):
            if each := literal(pattern):
                self.literals.setdefault(each, []).append(number)
            else:
                self.others.append(number)
        self._set = self._together() if self.others else None
        self._compile: Callable[[int], Any] = lru_cache(maxsize=CACHED)(self._compile_one)

    def _together(self) -> re2.Set | None:
        together = re2.Set.SearchSet(options(MOST))
        together.Add("")  # matches always: RE2 reports no match at all if it runs out of memory
        for number in self.others:
            together.Add(self._patterns[number][0])
        try:
            together.Compile()
        except re2.error:
            return None
        return together

    def _compile_one(self, number: int) -> Any:
        return re2.compile(self._patterns[number][0].encode(), options(8 * MAX_MEMORY))

    def starts(self, with_literal: Iterable[int], text: str) -> Iterator[tuple[int, list[int]]]:
        """(Number, offsets in UTF-8) of each pattern that matches, by number. `with_literal`: those to look for, of
        the patterns with a literal; the others are all looked for."""
        numbers = list(with_literal)
        if self.others:
            matches = self._set.Match(text) if self._set else None
            numbers += [self.others[each - 1] for each in matches if each] if matches else self.others
        data = text.encode() if numbers else b""
        for number in sorted(numbers):
            if starts := list(self._matches(number, data)):
                yield number, starts

    def _matches(self, number: int, data: bytes) -> Iterator[int]:
        """The offsets of the matches of a pattern that do not overlap, up to a limit."""
        pattern, group = self._compile(number), self._patterns[number][1]
        position = 0
        for _ in range(MOST_MATCHES):
            if position > len(data) or (match := pattern.search(data, position)) is None:
                return
            start, end = match.span(group)
            if end > start or not group:  # Combine counts empty matches too
                yield start
            position = end if end > start else end + 1
