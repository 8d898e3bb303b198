"""A grid of settings of [duplicates], each tried on the same texts: precision, recall and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl import config
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.fingerprint import fingerprint, fingerprint_input
from ttcrawl.read.fingerprints.similarity import exact, required
from ttcrawl.report.laws.wilson import wilson
from ttcrawl.report.tuning.candidates import candidates
from ttcrawl.report.tuning.pair import CRAWLED, Sample
from ttcrawl.ring.columns import Fingerprint

if TYPE_CHECKING:
    from ttcrawl.report.tuning.pair import Square

Keys: TypeAlias = list[tuple[int, ...]]

SHINGLES, VERIFY = (2, 3, 5), (0.7, 0.75, 0.8, 0.85, 0.9)
#: (permutations, bands)
BANDS = ((64, 8), (64, 16), (128, 8), (128, 16), (128, 32), (256, 16), (256, 32))

#: Pairs that miss the wanted similarity by less than this are neither right nor wrong if marked.
DOUBT = 0.05

#: Smallest number of similar pairs, and of marked pairs, for a recommendation.
FEWEST = 50

#: Bytes of a row of table `bucket`: a key of 9 bytes, the number, and the free space of a randomly filled B-tree page.
BUCKET = 26


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Choice:
    shingle: int
    permutations: int
    bands: int
    verify: float


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The result of a choice: pairs by whether they are similar and marked, and its cost per page."""

    choice: Choice
    kinds: Mapping[str, tuple[int, int]]  # of similar pairs: their number, and the number of marked ones
    wrong: int  # marked pairs that are not similar
    microseconds: float  # to make a fingerprint
    candidates: float  # pages that a page is compared with
    bytes: float  # of the index and of the compared data

    @cached_property
    def similar(self) -> int:
        return sum(total for total, _ in self.kinds.values())

    @cached_property
    def right(self) -> int:
        return sum(marked for _, marked in self.kinds.values())

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.similar if self.similar else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def intervals(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of precision and recall, 95 %."""
        return wilson(self.right, self.right + self.wrong), wilson(self.right, self.similar)

    @property
    def enough(self) -> bool:
        """Whether there are enough pairs for a judgement."""
        return min(self.similar, self.right + self.wrong) >= FEWEST

    def certain(self, precision: float, recall: float) -> bool:
        """Whether the lower ends of both intervals reach these values."""
        (least_precision, _), (least_recall, _) = self.intervals
        return self.enough and least_precision >= precision and least_recall >= recall


def choices(settings: config.Duplicates) -> list[tuple[int, list[tuple[int, int]], list[float]]]:
    """(shingle, (permutations, bands), verify) of the grid, including the settings of the crawl."""
    bands = sorted({*BANDS, (settings.permutations, settings.bands)})
    verify = sorted({*VERIFY, settings.verify})
    return [(shingle, bands, verify) for shingle in sorted({*SHINGLES, settings.shingle})]


def trials(
    sample: Sample,
    settings: config.Duplicates,
    similar: float,
    clock: Callable[[], float],
    report: Callable[[str], None],
) -> Iterator[Trial]:
    """Every choice of the grid. `clock` returns seconds of CPU time."""
    for shingle, bands, verify in choices(settings):
        alike: dict[tuple[int, int], float] = {}
        for permutations in sorted({each for each, _ in bands}):
            report(f"shingles of {shingle} words, {permutations} permutations")
            options = replace(settings, near=True, shingle=shingle, permutations=permutations, bands=1)
            began = clock()
            prints = [fingerprint(fingerprint_input(text, text, options), options) for text in sample.texts]
            took = 1e6 * (clock() - began) / len(prints)
            for count in (count for each, count in bands if each == permutations):
                buckets = [
                    keys.unpacked(keys.bands(each.signature, count)) if each.signature else () for each in prints
                ]
                candidates = _Candidates(sample, prints, buckets, alike, similar)
                for least in verify:
                    kinds, wrong = candidates.marked(least)
                    yield Trial(
                        choice=Choice(shingle=shingle, permutations=permutations, bands=count, verify=least),
                        kinds=kinds,
                        wrong=wrong,
                        microseconds=took,
                        candidates=_compared(buckets[: sample.pages]),
                        bytes=_bytes(prints[: sample.pages], count),
                    )


def _compared(buckets: Keys) -> float:
    """Candidates per page, if the pages come one after the other and none is similar enough."""
    return sum(map(len, candidates(buckets))) / len(buckets)


def _bytes(prints: Sequence[Fingerprint], bands: int) -> float:
    stored = sum(len(each.signature) + len(each.shingles) for each in prints) / len(prints)
    return stored + bands * (8 + BUCKET)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Two pages that share a bucket."""

    true: float  # similarity
    similarity: float  # by shingles
    required: Callable[[float], float]  # similarity by shingles, for a true one


class _Candidates:
    """The pairs that are compared with these bands: their similarity by shingles, and their true similarity.

    A changed page is compared with its original. Pages of the crawl come one after the other, as in a crawl: each is
    compared with the first few pages of its buckets and marked by the first one that is similar enough. Thus each of
    many equal pages counts once, instead of each pair.
    """

    def __init__(
        self,
        sample: Sample,
        prints: Sequence[Fingerprint],
        buckets: Keys,
        alike: dict[tuple[int, int], float],
        similar: float,
    ) -> None:
        """`alike` is a cache of similarities by shingles; this class adds to it."""
        self._prints = prints
        self._alike = alike
        self._similar = similar
        self._totals: Counter[str] = Counter(each.kind for each in sample.pairs if each.similarity >= similar)
        #: For each page that may be marked: its kind, and its candidates, first ones first
        self._compared: list[tuple[str, list[_Candidate]]] = []
        for each in sample.pairs:
            if not set(buckets[each.one]).isdisjoint(buckets[each.other]):
                self._compared.append((each.kind, [self._candidate(each.similarity, each.one, each.other)]))
        if sample.square is not None:
            self._totals[CRAWLED] = _with_another(sample.square, similar)
            self._as_crawled(sample.square, buckets)

    def _as_crawled(self, square: Square, buckets: Keys) -> None:
        for number, leaders in enumerate(candidates(buckets[: len(square)])):
            if leaders:
                pairs = [self._candidate(float(square[leader, number]), leader, number) for leader in leaders]
                self._compared.append((CRAWLED, pairs))

    def _candidate(self, true: float, one: int, other: int) -> _Candidate:
        shingles_a, shingles_b = self._prints[one].shingles, self._prints[other].shingles
        if (one, other) not in self._alike:
            self._alike[one, other] = exact(shingles_a, shingles_b)
        return _Candidate(true, self._alike[one, other], partial(required, shingles_a, shingles_b))

    def marked(self, verify: float) -> tuple[dict[str, tuple[int, int]], int]:
        """(number of pages similar to another one, and of these the marked ones, by kind; number of wrong marks)."""
        right: Counter[str] = Counter()
        wrong = 0
        for kind, pairs in self._compared:
            truth = next((each.true for each in pairs if each.similarity >= each.required(verify)), None)
            if truth is not None:
                right[kind] += truth >= self._similar
                wrong += truth < self._similar - DOUBT
        return {kind: (total, right[kind]) for kind, total in sorted(self._totals.items()) if total}, wrong


def _with_another(square: Square, similar: float) -> int:
    """The number of pages that are similar to an earlier page."""
    import numpy

    return int((numpy.triu(square, 1) >= similar).any(axis=0).sum())


def best(results: Sequence[Trial], precision: float, recall: float) -> tuple[Trial, bool]:
    """(the cheapest choice that is certainly good enough, True), or (the choice with the best F1, False).

    Time does not count: it changes from run to run.
    """
    good = [each for each in results if each.certain(precision, recall)]
    if good:
        return min(good, key=lambda each: (*_cost(each), -each.f1, *_careful(each))), True
    return min(results, key=lambda each: (-each.f1, *_cost(each), *_careful(each))), False


def _careful(trial: Trial) -> tuple[float, int]:
    """Of equal choices, prefer the one with fewer marks."""
    return -trial.choice.verify, -trial.choice.shingle


def _cost(trial: Trial) -> tuple[int, int, float]:
    return trial.choice.bands, trial.choice.permutations, round(trial.candidates, 2)
