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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from ttcrawl.stats.growth import next_sample

LONGEST = 64
#: Distinct words held: about 150 bytes each, 300 MB in all.
MOST = 2_000_000

_LETTER = re.compile(r"[^\W\d_]")
_ASCII = re.compile(r"[0-9A-Za-z_]+")


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


def tokens(text: str) -> Iterator[str]:
    """The words of a text in order.

    >>> list(tokens("Straße 9, 4th_floor: L’été, x2"))
    ['strasse', '4th_floor', 'l', 'été', 'x2']
    """
    for run in (_ASCII if text.isascii() else _run()).finditer(text):
        if run.end() - run.start() <= LONGEST and _LETTER.search(word := run.group()):
            # word by word: to normalise a hostile text as a whole takes quadratic time
            yield word.lower() if word.isascii() else unicodedata.normalize("NFC", word.casefold())


def vocabulary(texts: Iterable[str], most: int = MOST) -> Vocabulary:
    """Read `texts` one at a time, never holding more than one, and at most `most` distinct words.

    A sample is taken at every token first, then ever more rarely (`ttcrawl.stats.growth`), and one at the end.
    """
    counts: Counter[str] = Counter()
    series: list[tuple[int, int]] = []
    read = sample = 0
    full = False
    for word in (word for text in texts for word in tokens(text)):
        if len(counts) == most and word not in counts:
            full = True
            break
        counts[word] += 1
        read += 1
        if read >= sample:
            series.append((read, len(counts)))
            sample = next_sample(read)
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
