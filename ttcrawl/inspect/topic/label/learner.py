"""What is learned from the answers so far, and which pages are asked next."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping

import numpy as np

from ttcrawl.inspect.topic.label.pool import Pool, Scores
from ttcrawl.topic.choose import first, least_sure, like
from ttcrawl.topic.corpus import selected
from ttcrawl.topic.learn import SEED, Goal, learn, matrix_of
from ttcrawl.topic.model import Model

#: Pages that are asked before the next training.
BATCH = 10

#: Labels of each class that are needed for a training with cross-validation.
FEWEST = 4

#: Labels of each class from which our own model chooses, if there is another one to begin with.
OWN = 10


class Learner:
    """`model` is the latest one, and `margins` the margins of the pages of the pool; None: none yet."""

    def __init__(self, pool: Pool, learner: str, ngrams: int, folds: int) -> None:
        self._pool = pool
        self._learner = learner
        self._ngrams = ngrams
        self._folds = folds
        self._matrix = matrix_of(pool.vectors)
        self._rng = np.random.default_rng(SEED)
        self.model: Model | None = None
        self.margins: Scores | None = None

    @property
    def accepted(self) -> int:
        """Pages of the pool that the latest model accepts."""
        if self.model is None or self.margins is None:
            return 0
        return int((self.margins >= self.model.threshold).sum())

    def learn(self, labels: Mapping[int, bool]) -> Model | None:
        """Train with all labels. Returns None if a class has too few."""
        if min(counts := _counts(labels)) < FEWEST:
            self.model = self.margins = None
            return None
        rows = np.array(sorted(labels), dtype=np.intp)
        vectors = selected(self._pool.vectors, rows, np.array([labels[row] for row in rows.tolist()]))
        inputs = self._pool.corpus.digest_of([labels.get(row) for row in range(len(self._pool.ids))])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a fit that did not converge: the next one has more pages
            folds = min(self._folds, *counts)
            self.model = learn(vectors, self._learner, self._ngrams, folds, Goal(), inputs)
        weights = np.array([weight for _, _, weight in self.model.terms])
        self.margins = np.asarray(self._matrix @ weights + self.model.bias)
        return self.model

    def choose(self, labels: Mapping[int, bool], skipped: Collection[int]) -> list[int]:
        """Train, and return the rows that are asked next."""
        done = np.array([*labels, *skipped], dtype=np.intp)
        open_rows = np.setdiff1d(np.arange(len(self._pool.ids)), done)
        self.learn(labels)
        margins = self.margins
        if self._pool.doubts is not None and min(_counts(labels)) < OWN:
            margins = self._pool.doubts
        if margins is not None:
            return least_sure(margins, self._matrix, open_rows, BATCH)
        scores = self._pool.scores
        if scores is None:
            scores = like(self._matrix, [row for row, label in labels.items() if label])
        return first(scores, self._matrix, open_rows, BATCH, self._rng)


def _counts(labels: Mapping[int, bool]) -> tuple[int, int]:
    relevant = sum(labels.values())
    return relevant, len(labels) - relevant
