"""Which pages to ask a person about: those that teach a classifier most, and that differ from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.intp]

#: Pages from which one is chosen that differs from those before.
CANDIDATES = 10


def different(matrix: Any, candidates: Rows, count: int) -> list[int]:
    """Return up to `count` rows of a matrix with rows of length 1: the first, then each the least like those before.

    Similarity is the cosine; of equal ones the first candidate is taken.
    """
    if not len(candidates):
        return []
    rows = matrix[candidates]
    chosen: list[int] = []
    nearest = np.full(len(candidates), -1.0)
    for _ in range(min(count, len(candidates))):
        index = int(np.argmin(nearest))
        chosen.append(int(candidates[index]))
        nearest = np.maximum(nearest, (rows @ rows[index].T).toarray().ravel())
        nearest[index] = np.inf
    return chosen


def least_sure(margins: NDArray[np.float64], matrix: Any, open_rows: Rows, count: int) -> list[int]:
    """Return `count` of the open rows: different ones among those whose margins are nearest to 0."""
    order = open_rows[np.argsort(np.abs(margins[open_rows]), kind="stable")]
    return different(matrix, order[: CANDIDATES * count], count)


def first(
    scores: NDArray[np.float64] | None, matrix: Any, open_rows: Rows, count: int, rng: np.random.Generator
) -> list[int]:
    """Return rows to begin with, when too few are labelled for a classifier.

    In turn: one of the highest scores, which is probably relevant, and one by chance. Without scores: all by chance.
    """
    chance = rng.permutation(open_rows)
    by_chance = different(matrix, chance[: CANDIDATES * count], count)
    if scores is None:
        return by_chance
    order = open_rows[np.argsort(-scores[open_rows], kind="stable")]
    best = order[:count].tolist()
    both = [row for pair in zip(best, by_chance, strict=False) for row in pair]
    return list(dict.fromkeys(both))[:count]


def like(matrix: Any, relevant: Sequence[int]) -> NDArray[np.float64] | None:
    """Return how much each row is like these rows, their mean (Rocchio). None: of no rows."""
    if not relevant:
        return None
    mean = np.asarray(matrix[list(relevant)].mean(axis=0)).ravel()
    return np.asarray(matrix @ mean, dtype=np.float64)
