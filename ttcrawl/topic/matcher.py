"""All terms of a list in one text: Aho-Corasick for words and phrases, RE2 for regular expressions.

A page has few of the terms, so the cost of a page hardly depends on the number of terms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ttcrawl.topic.automaton import automaton
from ttcrawl.topic.patterns import Patterns
from ttcrawl.topic.regex import is_regex
from ttcrawl.topic.words import SEPARATORS


class Matcher:
    """Finds needles (words, phrases and regular expressions, by number) in words with one blank between them.

    A needle begins and ends at a word boundary: a blank, or one of the SEPARATORS inside a word. In the text that
    Aho-Corasick sees, each separator stands between two blanks of its own, so that a needle is a substring with a blank
    at both ends; the text stays unambiguous, because two words have one blank between them.
    """

    def __init__(
        self,
        needles: Sequence[str],
        bounded: Callable[[str], tuple[str, int]],
        stand_ins: Mapping[int, int] | None = None,
    ) -> None:
        """`bounded`: a regular expression -> one that matches between word boundaries, and the group that is the match.
        `stand_ins`: characters that regular expressions and the text they see have instead of others."""
        self._stand_ins = stand_ins
        plain = [number for number, needle in enumerate(needles) if self._is_plain(needle)]
        others = sorted(set(range(len(needles))).difference(plain))
        self._plain_numbers, self._pattern_numbers = plain, others
        self._automaton = automaton([f" {self._spread(needles[number])} " for number in plain])
        self._patterns = Patterns(
            [
                self._standing_in(needle if is_regex(needle) else _quoted(needle))
                for needle in map(needles.__getitem__, others)
            ],
            bounded,
        )

    @staticmethod
    def _is_plain(needle: str) -> bool:
        ends = needle[:1] + needle[-1:]
        return len(ends) == 2 and not is_regex(needle) and not set(ends) & {*SEPARATORS, " "}

    @staticmethod
    def _spread(text: str) -> str:
        for each in SEPARATORS:
            if each in text:
                text = text.replace(each, f" {each} ")
        return text

    def _standing_in(self, text: str) -> str:
        return text.translate(self._stand_ins) if self._stand_ins and not text.isascii() else text

    def counts(self, text: str) -> dict[int, int]:
        """Number of needle -> how often it occurs, without overlaps of it with itself."""
        result: dict[int, int] = {}
        ends: dict[int, int] = {}
        numbers = self._plain_numbers
        for index, start, end in self._automaton.find_matches_as_indexes(f" {self._spread(text)} ", overlapping=True):
            if ends.get(index, 0) <= start:
                ends[index] = end - 1
                number = numbers[index]
                result[number] = result.get(number, 0) + 1
        if self._pattern_numbers and (candidates := self._patterns.candidates(text := self._standing_in(text))):
            data = text.encode()
            for each in candidates:
                if count := sum(1 for _ in self._patterns.starts(each, data)):
                    result[self._pattern_numbers[each]] = count
        return result

    def positions(self, text: str) -> dict[int, list[int]]:
        """Number of needle -> the positions of the words in which it begins, from 1, in order."""
        result: dict[int, list[int]] = {}
        ends: dict[int, int] = {}
        spread = f" {self._spread(text)} "
        word, seen = 1, 1
        hits = self._automaton.find_matches_as_indexes(spread, overlapping=True)
        for start, end, index in sorted((start, end, index) for index, start, end in hits):
            word += self._blanks(spread, seen, start + 1)
            seen = start + 1
            if ends.get(index, 0) <= start:
                ends[index] = end - 1
                result.setdefault(self._plain_numbers[index], []).append(word)
        if self._pattern_numbers and (candidates := self._patterns.candidates(text := self._standing_in(text))):
            data = text.encode()
            for each in candidates:
                if positions := _words_at(data, list(self._patterns.starts(each, data))):
                    result[self._pattern_numbers[each]] = positions
        return result

    @staticmethod
    def _blanks(spread: str, start: int, end: int) -> int:
        """The blanks between words in a piece of a spread text: without those around separators."""
        return spread.count(" ", start, end) - 2 * sum(spread.count(each, start, end) for each in SEPARATORS)


def _quoted(text: str) -> str:
    return "".join(f"\\{each}" if not each.isalnum() and each.isascii() and each != " " else each for each in text)


def _words_at(data: bytes, starts: Sequence[int]) -> list[int]:
    """The positions of the words at these offsets, which are in order."""
    positions: list[int] = []
    word, seen = 1, 0
    for start in starts:
        word += data.count(b" ", seen, start)
        seen = start
        positions.append(word)
    return positions
