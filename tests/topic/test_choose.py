"""Which pages are asked: pure functions over small matrices."""

import numpy as np
import pytest
import scipy

from ttcrawl.topic.choose import different, first, least_sure, like


def rows(*angles):
    """Vectors of length 1 in a plane, by their angles in degrees."""
    radians = np.radians(np.array(angles, dtype=float))
    return scipy.sparse.csr_matrix(np.stack([np.cos(radians), np.sin(radians)], axis=1))


@pytest.mark.parametrize(
    ("angles", "candidates", "count", "chosen"),
    [
        ((0, 1, 90), (0, 1, 2), 2, [0, 2]),
        ((0, 1, 90), (1, 0, 2), 2, [1, 2]),
        ((0, 45, 90), (0, 1, 2), 3, [0, 2, 1]),
        ((0, 0, 0), (2, 1, 0), 2, [2, 1]),  # equal ones: in their order
        ((0, 30), (1,), 5, [1]),
        ((0, 30), (), 5, []),
    ],
)
def test_different(angles, candidates, count, chosen):
    assert different(rows(*angles), np.array(candidates, dtype=np.intp), count) == chosen


def test_the_least_sure_pages_are_nearest_to_the_plane():
    margins = np.array([3.0, -0.1, 0.2, -5.0, 0.3] + [9.0] * 20)
    matrix = rows(*range(0, 250, 10))
    assert least_sure(margins, matrix, np.arange(25), 1) == [1]
    assert least_sure(margins, matrix, np.array([0, 2, 3, 4]), 1) == [2]
    chosen = least_sure(margins, matrix, np.arange(25), 3)
    assert chosen[0] == 1 and len(set(chosen)) == 3


def test_pages_to_begin_with():
    """In turn one of the best and one by chance; each once."""
    matrix, scores = rows(*range(0, 300, 10)), np.arange(30.0)
    chosen = first(scores, matrix, np.arange(30), 10, np.random.default_rng(1))
    assert len(set(chosen)) == 10 and sorted(chosen[::2], reverse=True) == chosen[::2] and chosen[0] == 29
    assert chosen == first(scores, matrix, np.arange(30), 10, np.random.default_rng(1))
    by_chance = first(None, matrix, np.arange(30), 10, np.random.default_rng(1))
    assert len(set(by_chance)) == 10 and by_chance != chosen
    assert first(scores, matrix, np.array([4], dtype=np.intp), 10, np.random.default_rng(1)) == [4]


def test_pages_like_others():
    assert like(rows(0, 10), []) is None
    scores = like(rows(0, 10, 90, 350), [0, 1])
    assert scores.argmax() in (0, 1) and scores.argmin() == 2
