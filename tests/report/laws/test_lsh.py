"""The S-curve against numbers of the literature, against chance, and its areas against a fine sum."""

import random

import pytest
from pytest import approx

from ttcrawl.report.laws.lsh import Bands


# Leskovec, Rajaraman, Ullman: Mining of Massive Datasets, figure 3.8 (b = 20, r = 5)
@pytest.mark.parametrize(
    "similarity, probability",
    [(0.2, 0.006), (0.3, 0.047), (0.4, 0.186), (0.5, 0.470), (0.6, 0.802), (0.7, 0.975), (0.8, 0.9996)],
)
def test_the_curve_of_the_book(similarity, probability):
    assert Bands(permutations=100, bands=20, verify=0.8).compared(similarity) == approx(probability, abs=5e-4)


@pytest.mark.parametrize("permutations, bands", [(128, 16), (64, 8), (100, 7), (8, 8), (16, 1)])
def test_areas(permutations, bands):
    found = Bands(permutations=permutations, bands=bands, verify=0.8)
    fine = [(place + 0.5) / 100_000 for place in range(100_000)]
    below = [found.compared(s) for s in fine if s < 0.8]
    above = [1 - found.compared(s) for s in fine if s > 0.8]
    assert found.in_vain == approx(sum(below) / len(below), abs=1e-6)
    assert found.missed == approx(sum(above) / len(above), abs=1e-6)
    assert found.compared(0) == 0 and found.compared(1) == 1
    assert found.rows * bands <= permutations < (found.rows + 1) * bands


def test_chance_agrees():
    """Signatures whose numbers are the same with probability s."""
    chance, found = random.Random(1), Bands(permutations=24, bands=4, verify=0.9)
    tries = 4000
    shared = sum(
        any(all(chance.random() < 0.8 for _ in range(found.rows)) for _ in range(found.bands)) for _ in range(tries)
    )
    assert shared / tries == approx(found.compared(0.8), abs=4 * (0.25 / tries) ** 0.5)


@pytest.mark.parametrize("bands, expected", [(16, [8, 32]), (1, [2]), (128, [64]), (100, [50])])
def test_neighbours_have_the_same_permutations(bands, expected):
    found = Bands(permutations=128, bands=bands, verify=0.7).neighbours()
    assert [each.bands for each in found] == expected
    assert {(each.permutations, each.verify) for each in found} == {(128, 0.7)}


def test_marked_only_where_all_is_the_same():
    found = Bands(permutations=128, bands=16, verify=1.0)
    assert found.missed == 0 and 0 < found.in_vain < 1
