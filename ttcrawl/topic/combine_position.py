"""Combine's algorithm by position, with its quirks: words are compared as strings, phrases by their last word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ttcrawl.errors import CrawlFailedError
from ttcrawl.topic.sieve import Indexes, Keys, Sieve, keys_of, keys_of_pairs, words_in
from ttcrawl.topic.terms import Term

DIVIDED = "Combine divides by zero where the same word is on both sides of @and: delete the line"


class CombinePosition:
    """Terms by their words: only those that may count in a text are looked at.

    A term of one word is looked up by it, one with @and by the component that the fewest terms have. A phrase counts
    only where its last word follows another one of its words, so it is looked up by these pairs.
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        self._terms = [(term, _words(term)) for term in terms]
        self._by_word: dict[bytes, list[int]] = {}
        self._by_pair: dict[tuple[bytes, bytes], list[int]] = {}
        users = Counter(word for _, words in self._terms for word in set(words))
        for number, (term, words) in enumerate(self._terms):
            if len(words) > 1 and len(term.needles) == 1:
                for word in set(words[:-1]):
                    self._by_pair.setdefault((word, words[-1]), []).append(number)
            else:
                self._by_word.setdefault(min(words, key=users.__getitem__), []).append(number)
        self._words = Sieve(keys_of(self._by_word))
        firsts = keys_of([word for word, _ in self._by_pair])
        seconds = keys_of([word for _, word in self._by_pair])
        self._pairs = Sieve(keys_of_pairs(firsts, seconds))

    def values(self, text: bytes) -> Iterator[tuple[Term, int, float]]:
        """(Term, how often it counts, its points). `text` may begin with a blank, which stands for an empty first word.

        Raises CrawlFailedError where Combine ends: a term with the same word on both sides of @and divides by zero.
        """
        bounds, keys = words_in(text)
        occurrences = _Occurrences(text, bounds, keys)
        for number in self._candidates(occurrences):
            term, words = self._terms[number]
            if len(term.needles) > 1:
                try:
                    found = list(_joint([occurrences[each] for each in words]))
                except ZeroDivisionError:
                    raise CrawlFailedError(f"line {term.line}: {term.text}: {DIVIDED}") from None
            else:
                found = [1 / math.log(0.5 * p + 1) for p in _phrase([occurrences[each] for each in words])]
            if found:
                yield term, len(found), term.weight * sum(found)

    def _candidates(self, occurrences: _Occurrences) -> list[int]:
        word, keys = occurrences.word, occurrences.keys_in_order
        numbers: set[int] = set()
        for index in self._words.indexes(keys):
            numbers.update(self._by_word.get(word(index), ()))
        for index in self._pairs.indexes(keys_of_pairs(keys[:-1], keys[1:])):
            numbers.update(self._by_pair.get((word(index), word(index + 1)), ()))
        if occurrences[b""]:
            numbers.update(self._by_word.get(b"", ()), self._by_pair.get((b"", word(0)), ()))
        return sorted(numbers)


class _Occurrences(dict[bytes, list[int]]):
    """Word -> its positions in a text, from 1, in order. `keys_in_order`: of the words of the text."""

    def __init__(self, text: bytes, bounds: Indexes, keys: Keys) -> None:
        super().__init__()
        self._text = text
        self._bounds = bounds
        self.keys_in_order = keys
        self[b""] = [1] if text.startswith(b" ") and len(keys) else []

    def word(self, index: int) -> bytes:
        start, end = self._bounds[index].tolist()
        return self._text[start:end]

    def __missing__(self, word: bytes) -> list[int]:
        first = 1 + len(self[b""])
        indexes = (self.keys_in_order == keys_of([word])).nonzero()[0].tolist()
        self[word] = result = [first + index for index in indexes if self.word(index) == word]
        return result


def _words(term: Term) -> list[bytes]:
    words = term.needles if len(term.needles) > 1 else term.text.split(" ")
    return [word.encode("latin-1") for word in words]


def _phrase(positions: Sequence[Sequence[int]]) -> Iterator[int]:
    """The positions of the first word where the phrase counts: a middle word elsewhere is skipped."""
    if not all(positions):
        return
    sets = [set(each) for each in positions[1:]]
    for start in positions[0]:
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
