"""Labelled pages for training: their words as numbers in a temporary file, so that memory follows the vocabulary.

Repeated pages would be in training and test at once, and pages of both classes teach nothing: neither is used twice.
"""

from __future__ import annotations

import math
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ttcrawl.topic.model import BITS
from ttcrawl.topic.ngrams import Codes, codes, is_word, sequence
from ttcrawl.topic.page import Page

#: N-grams that a model has, at most: those on most pages. Each is on FEWEST pages at least.
VOCABULARY, FEWEST = 50_000, 2

#: N-grams that are counted at once; above, the rare ones are forgotten (lossy counting, Manku and Motwani 2002).
COUNTED = 2_000_000


class _Numbers(dict[str, int]):
    """Word -> its number from 1; 0: it is in no n-gram."""

    def __missing__(self, word: str) -> int:
        if len(self) >= (1 << BITS) - 1:
            return 0
        number = self[word] = len(self) + 1 if is_word(word) else 0
        return number


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """TF-IDF vectors of length 1 as a compressed sparse row matrix: `starts` of the rows in `columns` and `values`."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    relevant: NDArray[np.bool_]  # of each row
    ngrams: list[str]  # of each column
    idf: NDArray[np.float64]  # of each column


def selected(vectors: Vectors, rows: NDArray[np.intp], relevant: NDArray[np.bool_]) -> Vectors:
    """Return the vectors of some rows, which have other classes."""
    lengths = np.diff(vectors.starts)[rows]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.repeat(vectors.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
    return replace(
        vectors, starts=starts, columns=vectors.columns[entries], values=vectors.values[entries], relevant=relevant
    )


class Corpus:
    """`counted`: see COUNTED."""

    def __init__(self, ngrams: int = 2, *, counted: int = COUNTED) -> None:
        self._ngrams, self._counted = ngrams, counted
        self._numbers = _Numbers()
        self._spool = tempfile.TemporaryFile(prefix="ttcrawl-")  # noqa: SIM115
        self._sizes: list[int] = []
        self._labels: dict[bytes, bool | None] = {}  # digest -> relevant; None: both. In the order of the spool
        self.without_words = self.repeated = 0

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *error: object) -> None:
        self._spool.close()

    def add(self, page: Page, *, relevant: bool) -> bool:
        """Return whether it has words, and other ones than all earlier pages."""
        words = sequence(page)
        numbers = array("I", map(self._numbers.__getitem__, words))
        if not any(numbers):
            self.without_words += 1
            return False
        digest = _digest(words)
        if digest in self._labels:
            self.repeated += 1
            if self._labels[digest] is not relevant:
                self._labels[digest] = None
            return False
        self._labels[digest] = relevant
        self._spool.write(numbers.tobytes())
        self._sizes.append(len(numbers))
        return True

    def has(self, index: int, page: Page) -> bool:
        """Whether the page that was added at this index, from 0, has the same words as this one."""
        return list(self._labels)[index] == _digest(sequence(page))

    @property
    def contradictory(self) -> int:
        """Pages that are in both classes."""
        return sum(label is None for label in self._labels.values())

    @property
    def counts(self) -> tuple[int, int]:
        """(Relevant, irrelevant) pages that are used."""
        labels = list(self._labels.values())
        return labels.count(True), labels.count(False)

    def digest(self) -> str:
        """Return the SHA-256 of what the pages say, with their classes."""
        return self.digest_of(list(self._labels.values()))

    def digest_of(self, labels: Sequence[bool | None]) -> str:
        """Return the same if the pages had these classes, in the order in which they were added. None: left out."""
        result = sha256()
        for digest, label in zip(self._labels, labels, strict=True):
            if label is not None:
                result.update(digest + bytes([label]))
        return result.hexdigest()

    def vectors(self, progress: Callable[[int], None] = lambda count: None) -> Vectors:
        """Make the vectors. `progress` gets the number of pages so far, of two rounds. Raises ValueError for no n-gram.

        Frequencies of documents count all pages: that a page is in a test says nothing about its class.
        """
        vocabulary, frequencies = self._vocabulary(progress)
        if not vocabulary.size:
            raise ValueError(f"no word is on {FEWEST} pages")
        pages = sum(self.counts)
        idf = np.log((1 + pages) / (1 + frequencies)) + 1
        columns: list[NDArray[np.int32]] = []
        values: list[NDArray[np.float64]] = []
        starts = [0]
        for count, ngrams in enumerate(self._pages(), 1):
            unique, times = np.unique(ngrams, return_counts=True)
            at = np.minimum(np.searchsorted(vocabulary, unique), len(vocabulary) - 1)
            hit = vocabulary[at] == unique
            value = (1 + np.log(times[hit])) * idf[at[hit]]
            columns.append(at[hit].astype(np.int32))
            values.append(value / (math.sqrt(float(value @ value)) or 1.0))
            starts.append(starts[-1] + len(value))
            progress(pages + count)
        return Vectors(
            starts=np.array(starts, dtype=np.int64),
            columns=np.concatenate(columns),
            values=np.concatenate(values),
            relevant=np.array([label for label in self._labels.values() if label is not None]),
            ngrams=self._texts(vocabulary),
            idf=idf,
        )

    def _vocabulary(self, progress: Callable[[int], None]) -> tuple[Codes, NDArray[np.float64]]:
        """(Codes of n-grams in order, pages that have them)."""
        pages: Counter[int] = Counter()
        forgotten = 0
        for count, ngrams in enumerate(self._pages(), 1):
            pages.update(np.unique(ngrams).tolist())
            while len(pages) > self._counted:
                forgotten += 1
                pages = Counter({code: times for code, times in pages.items() if times > forgotten})
            progress(count)
        known = np.fromiter(pages.keys(), np.int64, len(pages))
        times = np.fromiter(pages.values(), np.int64, len(pages))
        known, times = known[times >= FEWEST], times[times >= FEWEST]
        best = np.lexsort((known, -times))[:VOCABULARY]
        best = best[np.argsort(known[best])]
        return known[best], times[best].astype(np.float64)

    def _pages(self) -> Iterator[Codes]:
        """The codes of all n-grams of each page that is used."""
        self._spool.seek(0)
        for size, label in zip(self._sizes, self._labels.values(), strict=True):
            data = self._spool.read(size * array("I").itemsize)
            if label is None:
                continue
            yield codes(np.frombuffer(data, np.uint32).astype(np.int64), self._ngrams)

    def _texts(self, ngrams: Codes) -> list[str]:
        names: list[Any] = ["", *self._numbers]
        mask = (1 << BITS) - 1
        result = []
        for code in ngrams.tolist():
            words = [code >> BITS * shift & mask for shift in (2, 1, 0)]
            result.append(" ".join(names[word] for word in words if word))
        return result


def _digest(words: Sequence[str]) -> bytes:
    return blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=16).digest()
