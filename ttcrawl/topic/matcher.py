"""All terms of a list in one text: Aho-Corasick for words and phrases, RE2 for regular expressions.

A page has few of the terms, so the cost of a page hardly depends on the number of terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ttcrawl.topic.automaton import Automaton, Hit
from ttcrawl.topic.literals import truncation
from ttcrawl.topic.patterns import MOST_MATCHES, Patterns
from ttcrawl.topic.regex import is_regex
from ttcrawl.topic.text import Text
from ttcrawl.topic.words import SEPARATORS

#: Number of needle -> the offsets at which it begins, in order.
Starts: TypeAlias = dict[int, list[int]]


class Matcher:
    """Finds needles (words, phrases and regular expressions, by number) in words with one blank between them.

    A needle begins and ends at a word boundary: a blank, or one of the SEPARATORS inside a word. For Aho-Corasick these
    are blanks too, so that a needle is a substring with a blank at both ends; where one may be, the text itself is
    compared.
    """

    def __init__(
        self,
        needles: Sequence[str],
        bounded: Callable[[str], tuple[str, int]],
        stand_ins: Mapping[int, int] | None = None,
        encoding: str = "utf-8",
    ) -> None:
        """`bounded`: a regular expression -> one that matches between word boundaries, and the group that is the match.
        `stand_ins`: characters that regular expressions and the text they see have instead of others.
        `encoding`: of the texts."""
        self._stand_ins, self._encoding = stand_ins or {}, encoding
        self._phrases: dict[bytes, int] = {}
        self._truncated: dict[bytes, list[int]] = {}
        self._pattern_numbers: list[int] = []
        for number, needle in enumerate(needles):
            if _is_plain(needle):
                self._phrases[needle.encode(encoding)] = number
            elif words := truncation(needle):
                self._truncated.setdefault(words.encode(encoding), []).append(number)
            else:
                self._pattern_numbers.append(number)
        self._patterns = Patterns(
            [
                self._standing_in(needle if is_regex(needle) else _quoted(needle))
                for needle in map(needles.__getitem__, self._pattern_numbers)
            ],
            bounded,
        )
        originals = {stand_in: character for character, stand_in in self._stand_ins.items()}
        literals = [each.translate(originals).encode(encoding) for each in self._patterns.literals]
        self._with_literal = list(self._patterns.literals.values())
        phrases = sorted(b" %b " % each for each in self._phrases)
        truncated = sorted(b" %b" % each for each in self._truncated)
        self._first_truncation, self._first_literal = len(phrases), len(phrases) + len(truncated)
        self._automaton = Automaton([*phrases, *truncated, *literals])

    def _standing_in(self, text: str) -> str:
        return text.translate(self._stand_ins) if self._stand_ins and not text.isascii() else text

    def counts(self, text: Text) -> list[dict[int, int]]:
        """For each part of a text: number of needle -> how often it occurs, without overlaps of it with itself."""
        hits = self._automaton.hits(text.data)
        if not hits and not self._patterns.others:
            return [{} for _ in text.bounds]
        parts = self._starts(text, hits)
        return [{number: len(starts) for number, starts in part.items()} for part in parts]

    def positions(self, text: Text) -> dict[int, list[int]]:
        """Number of needle -> the positions of the words in which it begins, from 1, in order. The text is one part."""
        starts = self._starts(text, self._automaton.hits(text.data))[0]
        word_at = _words_at(text.data, sorted({start for at in starts.values() for start in at}))
        return {number: [word_at[start] for start in at] for number, at in starts.items()}

    def _starts(self, text: Text, hits: Sequence[Hit]) -> list[Starts]:
        """For each part of a text, where needles begin: words and phrases in the order of hits, then the others."""
        phrases: list[Starts] = [{} for _ in text.bounds]
        others: list[Starts] = [{} for _ in text.bounds]
        literals: dict[int, set[int]] = {}
        ends: dict[int, int] = {}
        data, part, limit = text.data, 0, text.bounds[0][1]
        for index, start, end in hits:
            while start >= limit:
                part, limit = part + 1, text.bounds[part + 1][1]
            if index >= self._first_literal:
                literals.setdefault(part, set()).add(index - self._first_literal)
            elif index < self._first_truncation:
                number = self._phrases.get(data[start + 1 : end - 1])
                if number is not None and ends.get(number, 0) <= start:
                    ends[number] = end - 1
                    phrases[part].setdefault(number, []).append(start + 1)
            else:
                for number in self._truncated.get(data[start + 1 : end], ()):
                    starts = others[part].setdefault(number, [])
                    if ends.get(number, 0) <= start and len(starts) < MOST_MATCHES:
                        ends[number] = data.index(b" ", end)
                        starts.append(start + 1)
        for part in range(len(others)) if self._patterns.others else literals:
            others[part].update(self._of_patterns(text, part, literals.get(part, ())))
        return [
            each | {number: more[number] for number in sorted(more)} if more else each
            for each, more in zip(phrases, others, strict=True)
        ]

    def _of_patterns(self, text: Text, part: int, literals: Iterable[int]) -> Iterator[tuple[int, list[int]]]:
        """(Number of a regular expression, offsets) where it matches. `literals`: those that the part has."""
        words = self._standing_in(text.part(part).decode(self._encoding))
        if words:
            first, _ = text.bounds[part]
            with_literal = [each for index in literals for each in self._with_literal[index]]
            for each, starts in self._patterns.starts(with_literal, words):
                yield self._pattern_numbers[each], [first + start for start in starts]


def _is_plain(needle: str) -> bool:
    ends = needle[:1] + needle[-1:]
    return len(ends) == 2 and not is_regex(needle) and not set(ends) & {*SEPARATORS, " "}


def _quoted(text: str) -> str:
    return "".join(f"\\{each}" if not each.isalnum() and each.isascii() and each != " " else each for each in text)


def _words_at(data: bytes, starts: Sequence[int]) -> dict[int, int]:
    """The positions of the words at these offsets, which are in order: all in one pass over the text."""
    positions: dict[int, int] = {}
    word, seen = 0, 0
    for start in starts:
        word += data.count(b" ", seen, start)
        seen = start
        positions[start] = word
    return positions
