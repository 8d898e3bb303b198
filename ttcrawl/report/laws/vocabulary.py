"""Heaps' law in its original form: the growth of the vocabulary over a series of texts.

Tokens are the running words, terms the different ones. A word here is a run of letters, digits, marks and underscores
by Unicode, composed (NFC) and casefolded, with at least one letter: numbers would grow without end and are not
vocabulary. Runs of more than LONGEST characters (encoded data, hostile pages) are not words either. Scripts without
spaces (Chinese, Japanese, Thai) are not segmented: a run between punctuation counts as one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ttcrawl.engine.run.growth import next_sample

LONGEST = 64
#: Distinct words in memory: about 150 bytes each, 300 MB in all.
MOST = 2_000_000

#: Runs in the cache of words, and characters of a text that are split at once.
REMEMBERED, PIECE = 500_000, 1 << 20

_LETTER = re.compile(r"[^\W\d_]")
_ASCII = re.compile(r"[0-9A-Za-z_]+")
_GAP = re.compile(r"[\x00-/:-@\[-^`{-\x7f]")  # never part of a word


@cache
def _run() -> re.Pattern[str]:
    """Adds marks to Python's word characters: without them, words of Devanagari or Thai would be split."""
    marks = "".join(chr(c) for c in range(0x300, 0x10000) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
    return re.compile(rf"\w++(?:[{marks}]++\w*+)*+")  # possessive: stores no positions for backtracking


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The series (tokens[i], words[i]) of tokens read and distinct words among them, and the count of each word.

    If `full`, the limit of distinct words was reached, and series and counts end there.
    """

    tokens: tuple[int, ...]
    words: tuple[int, ...]
    counts: Counter[str]
    full: bool
    how: str


class Runs(dict[str, str]):
    """Run -> its word, or "" if it is not a word. Most runs of a text occurred in earlier texts."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._remembered = remembered

    def __missing__(self, run: str) -> str:
        if len(run) > LONGEST:
            return ""
        if len(self) >= self._remembered:
            self.clear()
        word = ""
        if _LETTER.search(run):
            # one word at a time: normalising a complete hostile text takes quadratic time
            word = run.lower() if run.isascii() else unicodedata.normalize("NFC", run.casefold())
        self[run] = word
        return word


def tokens(text: str, words: Runs | None = None, piece: int = PIECE) -> Iterator[list[str]]:
    """The words of a text in order, one list per piece of it. `words` is a cache that texts can share.

    >>> list(tokens("Straße 9, 4th_floor: L’été, x2"))
    [['strasse', '4th_floor', 'l', 'été', 'x2']]
    """
    words = Runs() if words is None else words
    pattern = _ASCII if text.isascii() else _run()
    start = 0
    while start < len(text):
        gap = _GAP.search(text, start + piece)  # a piece ends at the end of a run
        end = gap.end() if gap else len(text)
        yield list(filter(None, map(words.__getitem__, pattern.findall(text, start, end))))
        start = end


class Growing:
    """A vocabulary to which words are added in the order of the texts, up to `most` distinct ones.

    The series has a sample at every token at first, then more and more rarely (`ttcrawl.engine.run.growth`), and one at
    the end.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()
        self._series: list[tuple[int, int]] = []
        self._read = self._sample = 0
        self.full = False

    def add(self, words: list[str]) -> None:
        start = 0
        while start < len(words) and not self.full:
            # up to the next sample, and up to the limit of distinct words
            batch = words[start : start + max(1, self._sample - self._read)]
            if len(self._counts) + len(batch) > self._most:
                batch, self.full = _fitting(batch, self._counts, self._most)
            self._counts.update(batch)
            start, self._read = start + len(batch), self._read + len(batch)
            if batch and self._read >= self._sample:
                self._series.append((self._read, len(self._counts)))
                self._sample = next_sample(self._read)

    def vocabulary(self) -> Vocabulary:
        if self._read and self._series[-1][0] < self._read:
            self._series.append((self._read, len(self._counts)))
        how = (
            f"{self._read:,} tokens, runs of letters, digits, marks and _ (Unicode) with at least one letter and at"
            f" most {LONGEST} characters, casefolded, in the order of the pages"
        )
        return Vocabulary(
            tokens=tuple(n for n, _ in self._series),
            words=tuple(v for _, v in self._series),
            counts=self._counts,
            full=self.full,
            how=f"{how}; stopped at {self._most:,} terms." if self.full else f"{how}.",
        )


def _fitting(words: list[str], counts: Mapping[str, int], most: int) -> tuple[list[str], bool]:
    """The words before the first one that would exceed `most` distinct words, and whether there is such a word."""
    new: set[str] = set()
    for index, word in enumerate(words):
        if word not in counts:
            new.add(word)
            if len(counts) + len(new) > most:
                return words[:index], True
    return words, False
