"""All terms of a list in one text: Aho-Corasick for words and phrases, RE2 for regular expressions.

A page has few of the terms, so the cost of a page hardly depends on the number of terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ttcrawl.topic.automaton import automaton
from ttcrawl.topic.patterns import Patterns
from ttcrawl.topic.regex import is_regex
from ttcrawl.topic.words import SEPARATORS

#: Between texts that are matched in one pass: no word has it.
BETWEEN = " \n "


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
        self._stand_ins = stand_ins or {}
        in_order = sorted(range(len(needles)), key=needles.__getitem__)
        plain = [number for number in in_order if self._is_plain(needles[number])]
        others = sorted(set(range(len(needles))).difference(plain))
        self._plain_numbers, self._pattern_numbers = plain, others
        self._patterns = Patterns(
            [
                self._standing_in(needle if is_regex(needle) else _quoted(needle))
                for needle in map(needles.__getitem__, others)
            ],
            bounded,
        )
        originals = {stand_in: character for character, stand_in in self._stand_ins.items()}
        literals = [_spread(each.translate(originals)) for each in self._patterns.literals]
        self._with_literal = list(self._patterns.literals.values())
        self._automaton = automaton([*(f" {_spread(needles[number])} " for number in plain), *literals])

    @staticmethod
    def _is_plain(needle: str) -> bool:
        ends = needle[:1] + needle[-1:]
        return len(ends) == 2 and not is_regex(needle) and not set(ends) & {*SEPARATORS, " "}

    def _standing_in(self, text: str) -> str:
        return text.translate(self._stand_ins) if self._stand_ins and not text.isascii() else text

    def counts(self, texts: Sequence[str]) -> list[dict[int, int]]:
        """For each text: number of needle -> how often it occurs, without overlaps of it with itself."""
        result: list[dict[int, int]] = [{} for _ in texts]
        literals: dict[int, set[int]] = {}
        ends: dict[int, int] = {}
        numbers, part = self._plain_numbers, 0
        data = _spread(f" {BETWEEN.join(texts)} ").encode()
        limit = data.find(b"\n")
        for index, start, end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            while 0 <= limit < start:
                part, limit = part + 1, data.find(b"\n", limit + 1)
            if index >= len(numbers):
                literals.setdefault(part, set()).add(index - len(numbers))
            elif ends.get(index, 0) <= start:
                ends[index] = end - 1
                number, counted = numbers[index], result[part]
                counted[number] = counted.get(number, 0) + 1
        for part in range(len(texts)) if self._patterns.others else literals:
            for number, starts in self._starts(literals.get(part, ()), self._standing_in(texts[part])):
                result[part][number] = len(starts)
        return result

    def positions(self, text: str) -> dict[int, list[int]]:
        """Number of needle -> the positions of the words in which it begins, from 1, in order."""
        result: dict[int, list[int]] = {}
        literals: set[int] = set()
        ends: dict[int, int] = {}
        spread = _spread(f" {text} ").encode()
        word, seen = 1, 1
        hits = self._automaton.find_matches_as_indexes(spread, overlapping=True)
        for start, end, index in sorted((start, end, index) for index, start, end in hits):
            if index >= len(self._plain_numbers):
                literals.add(index - len(self._plain_numbers))
                continue
            word += _blanks(spread, seen, start + 1)
            seen = start + 1
            if ends.get(index, 0) <= start:
                ends[index] = end - 1
                result.setdefault(self._plain_numbers[index], []).append(word)
        text = self._standing_in(text)
        data = text.encode()
        for number, starts in self._starts(literals, text):
            result[number] = _words_at(data, starts)
        return result

    def _starts(self, literals: Iterable[int], text: str) -> Iterator[tuple[int, list[int]]]:
        """(Number of a regular expression, offsets in UTF-8) where it matches. `literals`: those that the text has."""
        if text:
            with_literal = [each for index in literals for each in self._with_literal[index]]
            for each, starts in self._patterns.starts(with_literal, text):
                yield self._pattern_numbers[each], starts


def _spread(text: str) -> str:
    for each in SEPARATORS:
        if each in text:
            text = text.replace(each, f" {each} ")
    return text


def _blanks(spread: bytes, start: int, end: int) -> int:
    """The blanks between words in a piece of a spread text: without those around separators."""
    return spread.count(b" ", start, end) - 2 * sum(spread.count(each, start, end) for each in SEPARATORS.encode())


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
