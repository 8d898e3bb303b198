"""The words of a site in files: for each word its pages, and how much it counts on each.

The score of a page is BM25 as in `ttcrawl search`: the sum over the words of a query of idf · impact. The impact of a
word on a page needs the lengths of all pages, so it is computed here (impact-ordered indexes: Anh, de Kretser and
Moffat, SIGIR 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter

from ttcrawl.export.site_search.scripts import script
from ttcrawl.inspect.search.hits import WEIGHTS
from ttcrawl.inspect.search.stems import SHORTEST, Stemmer
from ttcrawl.store.database import Database

#: As FTS5 has them (https://www.sqlite.org/fts5.html#the_bm25_function).
K1, B = 1.2, 0.75

#: Impacts are integers: this is 1.
SCALE = 10_000

#: Bytes of a file with words, about; a word with more pages has a file of its own.
SIZE = 48_000

_INSTANCES = "CREATE VIRTUAL TABLE temp.instances USING fts5vocab (main, words, instance)"
_WEIGHTS = dict(zip(("title", "headings", "anchors", "text"), WEIGHTS, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class WordFile:
    first: str  # the first word in it
    data: bytes


class Words:
    """The words of some pages. `number_of`: the id of each page -> its number in the files, rising."""

    def __init__(self, db: Database, number_of: Mapping[int, int]) -> None:
        self._db, self._number_of = db, number_of
        db.execute(_INSTANCES)
        lengths = db.execute("SELECT doc, count(*) FROM temp.instances GROUP BY doc")
        self._lengths = {id: length for id, length in lengths if id in number_of}
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))

    def files(self, stemmers: Iterable[Stemmer]) -> Iterator[WordFile]:
        """The words in their order, each as [pages, their impacts, other words with its stem]: pages as differences."""
        same_stem = _same_stem(self._vocabulary(), stemmers)
        entries: dict[str, list[object]] = {}
        size, number = 0, 0
        for word, impacts in self._impacts():
            entry: list[object] = [_differences([page for page, _ in impacts]), [impact for _, impact in impacts]]
            entries[word] = [*entry, same_stem[word]] if word in same_stem else entry
            size += 9 * len(impacts) + len(word) + 12
            if size >= SIZE:
                yield WordFile(first=next(iter(entries)), data=script(f"w{number}", entries))
                entries, size, number = {}, 0, number + 1
        if entries:
            yield WordFile(first=next(iter(entries)), data=script(f"w{number}", entries))

    def _vocabulary(self) -> Iterator[str]:
        return (word for (word,) in self._db.execute("SELECT term FROM terms ORDER BY term"))

    def _impacts(self) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Each word with its (page, impact), pages rising."""
        rows = self._db.execute("SELECT term, doc, col FROM temp.instances ORDER BY term")
        for word, instances in groupby(rows, itemgetter(0)):
            counts: dict[int, float] = {}
            for _, id, column in instances:
                if id in self._number_of:
                    counts[id] = counts.get(id, 0.0) + _WEIGHTS[column]
            if counts:
                yield word, sorted((self._number_of[id], self._impact(id, count)) for id, count in counts.items())

    def _impact(self, id: int, count: float) -> int:
        length: float = self._lengths[id] / self._mean
        return round(SCALE * count * (K1 + 1) / (count + K1 * (1 - B + B * length)))


def _differences(numbers: list[int]) -> list[int]:
    """
    >>> _differences([3, 5, 9])
    [3, 2, 4]
    """
    return [*numbers[:1], *(later - earlier for earlier, later in pairwise(numbers))]


def _same_stem(vocabulary: Iterable[str], stemmers: Iterable[Stemmer]) -> dict[str, list[str]]:
    """Word -> the other words with its stem, as `ttcrawl.inspect.search.stems.same_stem` finds them."""
    words = [word for word in vocabulary if len(word) >= SHORTEST and word.isalpha()]
    others: dict[str, dict[str, None]] = {}
    for stem_of in stemmers:
        of_stem: dict[str, list[str]] = {}
        for word in words:
            stem = stem_of(word)
            start = stem[:-1]
            if len(start) >= SHORTEST - 1 and word.startswith(start):
                of_stem.setdefault(stem, []).append(word)
        for group in of_stem.values():
            if len(group) > 1:
                for word in group:
                    others.setdefault(word, {}).update(dict.fromkeys(each for each in group if each != word))
    return {word: [*each] for word, each in others.items()}
