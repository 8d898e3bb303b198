"""Heaps' law itself: how the vocabulary grows as texts are read one after another.

A word is a run of letters, digits, marks and underscores as Unicode has them, composed (NFC) and casefolded, of which
at least one is a letter: numbers would grow without end and are no vocabulary. Runs of more than LONGEST characters
(encoded data, hostile pages) are no words either. Scripts written without spaces (Chinese, Japanese, Thai) are not
segmented: there a run between punctuation counts as one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ttcrawl.engine.growth import next_sample

LONGEST = 64
#: Distinct words held: about 150 bytes each, 300 MB in all.
MOST = 2_000_000

#: Runs whose words are remembered, and characters of a text that are taken to pieces at once.
REMEMBERED, PIECE = 500_000, 1 << 20

_LETTER = re.compile(r"[^\W\d_]")
_ASCII = re.compile(r"[0-9A-Za-z_]+")
_GAP = re.compile(r"[\x00-/:-@\[-^`{-\x7f]")  # in no word, whatever comes before and after


@cache
def _run() -> re.Pattern[str]:
    """Python's word characters lack the marks without which words of Devanagari or Thai fall to pieces."""
    marks = "".join(chr(c) for c in range(0x300, 0x10000) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
    return re.compile(rf"\w++(?:[{marks}]++\w*+)*+")  # possessive: nothing is kept to go back to


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The series (tokens[i], words[i]): so many tokens read, so many distinct words among them; and each word's count.

    `full` says that MOST words were reached: series and counts end there.
    """

    tokens: tuple[int, ...]
    words: tuple[int, ...]
    counts: Counter[str]
    full: bool
    how: str


class _Words(dict[str, str]):
    """Run -> its word, "" where it is none. Most runs of a text are among those of the texts before it."""

    def __missing__(self, run: str) -> str:
        if len(run) > LONGEST:
            return ""
        if len(self) >= REMEMBERED:
            self.clear()
        word = ""
        if _LETTER.search(run):
            # word by word: to normalise a hostile text as a whole takes quadratic time
            word = run.lower() if run.isascii() else unicodedata.normalize("NFC", run.casefold())
        self[run] = word
        return word


def tokens(text: str, words: _Words | None = None) -> Iterator[list[str]]:
    """The words of a text in order, a list for each piece of it; `words` is a memory to be shared between texts.

    >>> list(tokens("Straße 9, 4th_floor: L’été, x2"))
    [['strasse', '4th_floor', 'l', 'été', 'x2']]
    """
    words = _Words() if words is None else words
    pattern = _ASCII if text.isascii() else _run()
    start = 0
    while start < len(text):
        gap = _GAP.search(text, start + PIECE)  # a piece ends with a run
        end = gap.end() if gap else len(text)
        yield list(filter(None, map(words.__getitem__, pattern.findall(text, start, end))))
        start = end


def vocabulary(texts: Iterable[str], most: int = MOST) -> Vocabulary:
    """Read `texts` one at a time, never holding more than one, and at most `most` distinct words.

    A sample is taken at every token first, then ever more rarely (`ttcrawl.engine.growth`), and one at the end.
    """
    counts: Counter[str] = Counter()
    series: list[tuple[int, int]] = []
    memory = _Words()
    read = sample = 0
    full = False
    for words in (words for text in texts for words in tokens(text, memory)):
        at = 0
        while at < len(words) and not full:
            # up to the next sample, and no further than the distinct words that there is room for
            some = words[at : at + max(1, sample - read)]
            if len(counts) + len(some) > most:
                some, full = _fitting(some, counts, most)
            counts.update(some)
            at, read = at + len(some), read + len(some)
            if some and read >= sample:
                series.append((read, len(counts)))
                sample = next_sample(read)
        if full:
            break
    if read and series[-1][0] < read:
        series.append((read, len(counts)))
    how = (
        f"{read:,} tokens, runs of letters and digits (Unicode) with at least one letter and at most {LONGEST} "
        "characters, casefolded, in the order of the pages"
    )
    return Vocabulary(
        tokens=tuple(n for n, _ in series),
        words=tuple(v for _, v in series),
        counts=counts,
        full=full,
        how=f"{how}; stopped at {most:,} distinct words." if full else f"{how}.",
    )


def _fitting(words: list[str], counts: Mapping[str, int], most: int) -> tuple[list[str], bool]:
    """The words before the first one that would make more than `most` distinct ones, and whether there is one."""
    new: set[str] = set()
    for place, word in enumerate(words):
        if word not in counts:
            new.add(word)
            if len(counts) + len(new) > most:
                return words[:place], True
    return words, False
