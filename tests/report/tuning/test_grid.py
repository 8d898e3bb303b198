"""The grid over texts of which it is known what is the same, and the choice of the best."""

import itertools
import random
from dataclasses import replace

import numpy
import pytest

from ttcrawl.config import Duplicates
from ttcrawl.report.tuning.grid import BANDS, SHINGLES, VERIFY, Choice, Trial, best, choices, trials
from ttcrawl.report.tuning.pair import BY_HAND, CRAWLED, Pair, Sample
from ttcrawl.report.tuning.truth import each_with_each

OWN = Duplicates()
VOCABULARY = [f"word{n}" for n in range(5000)]


def text(seed, words=200):
    chance = random.Random(seed)
    return "\n".join(" ".join(chance.choices(VOCABULARY, k=10)) for _ in range(words // 10))


def ticking():
    return itertools.count().__next__


def all_of(sample, settings=OWN, similar=0.9):
    return list(trials(sample, settings, similar, ticking(), lambda said: None))


def sample(texts, pairs=(), square=None):
    return Sample(texts=tuple(texts), pages=len(texts), pairs=tuple(pairs), square=square, description="")


def test_pairs_that_are_the_same_and_pairs_that_are_not():
    texts = [text(seed) for seed in range(6)]
    pairs = [
        Pair(0, 6, 1.0, "copy"),
        Pair(1, 7, 1.0, "copy"),
        *(Pair(a, b, 0.0, BY_HAND) for a, b in ((2, 3), (4, 5))),
    ]
    found = all_of(sample([*texts, texts[0].upper(), texts[1]], pairs))
    assert {each.kinds["copy"] for each in found} == {(2, 2)} and {each.wrong for each in found} == {0}
    assert {(each.precision, each.recall, each.f1) for each in found} == {(1.0, 1.0, 1.0)}


def test_a_wrong_label_counts_against_what_is_marked():
    same = text(1)
    found = all_of(sample([same, same, text(2)], [Pair(0, 1, 0.0, BY_HAND), Pair(0, 2, 1.0, BY_HAND)]))
    assert {(each.wrong, each.right, each.similar) for each in found} == {(1, 0, 1)}
    assert {(each.precision, each.recall, each.f1) for each in found} == {(0.0, 0.0, 0.0)}


@pytest.mark.parametrize("similarity, wrong", [(0.84, 1), (0.86, 0), (0.9, 0)])
def test_what_is_nearly_similar_counts_neither_way(similarity, wrong):
    found = all_of(sample([text(1), text(1)], [Pair(0, 1, similarity, BY_HAND)]))
    assert {each.wrong for each in found} == {wrong}


def test_pages_as_they_are_count_once_each():
    """Five that are the same are four duplicates, not ten pairs."""
    texts = [text(1), text(2), *[text(3)] * 5, ""]
    found = all_of(sample(texts, square=each_with_each(texts)))
    assert {each.kinds[CRAWLED] for each in found} == {(4, 4)}
    assert {round(each.candidates, 3) for each in found} == {4 / 8}


def test_a_leader_that_is_not_similar_is_a_wrong_mark():
    texts = [text(1), text(1)]
    found = all_of(sample(texts, square=numpy.array([[1.0, 0.5], [0.5, 1.0]])))
    assert {(each.wrong, each.similar) for each in found} == {(1, 0)}


def test_the_grid_has_the_settings_of_the_crawl():
    own = Duplicates(permutations=60, bands=6, shingle=4, verify=0.77)
    found = {
        Choice(shingle=shingle, permutations=permutations, bands=count, verify=verify)
        for shingle, bands, least in choices(own)
        for permutations, count in bands
        for verify in least
    }
    assert Choice(shingle=4, permutations=60, bands=6, verify=0.77) in found
    assert len(found) == (len(SHINGLES) + 1) * (len(BANDS) + 1) * (len(VERIFY) + 1)
    tries = all_of(sample([text(1), text(1)], [Pair(0, 1, 1.0, BY_HAND)]), own)
    assert {each.choice for each in tries} == found
    assert all(each.microseconds == 1e6 / 2 for each in tries)


def test_bytes_are_those_of_what_is_stored():
    one, more = (
        next(
            each
            for each in all_of(sample([text(1), text(2)], []))
            if (each.choice.permutations, each.choice.bands) == at
        )
        for at in ((64, 8), (128, 8))
    )
    assert more.bytes - one.bytes == 64 * 4


def result(bands, right, wrong, similar=100, many=40, **choice):
    """So many times as many pairs: enough that the intervals are narrow."""
    right, wrong, similar = right * many, wrong * many, similar * many
    given = {"shingle": 3, "permutations": 128, "bands": bands, "verify": 0.9} | choice
    return Trial(
        choice=Choice(**given), kinds={"x": (similar, right)}, wrong=wrong, microseconds=1, candidates=1, bytes=1
    )


GOOD = result(16, 98, 0)


@pytest.mark.parametrize(
    "found, expected, good",
    [
        ([GOOD, result(8, 96, 0), result(32, 100, 0)], 1, True),
        ([result(8, 94, 0), GOOD], 1, True),
        ([result(8, 100, 2), GOOD], 1, True),
        ([result(16, 96, 0, verify=0.8), GOOD], 1, True),
        ([GOOD, result(16, 98, 0, verify=0.8), result(16, 98, 0, shingle=5)], 2, True),
        ([result(8, 50, 0), result(32, 90, 10), result(16, 80, 40)], 1, False),
        ([result(32, 0, 0), result(8, 0, 0)], 1, False),
    ],
)
def test_the_best(found, expected, good):
    assert best(found, 0.99, 0.95) == (found[expected], good)


@pytest.mark.parametrize(("right", "similar", "enough"), [(2, 2, False), (49, 60, False), (50, 50, True)])
def test_few_pairs_recommend_nothing(right, similar, enough):
    """Two pairs of two have a precision and a recall of 1, and of 0.34 at the lower ends of their intervals."""
    found = result(8, right, 0, similar, many=1)
    assert found.precision == 1.0 and found.enough is enough and not found.certain(0.99, 0.95)
    assert best([found], 0.99, 0.95) == (found, False)


def test_the_cost_is_no_matter_of_the_clock():
    slow = replace(GOOD, microseconds=1e9, choice=replace(GOOD.choice, bands=8))
    assert best([GOOD, slow], 0.99, 0.95) == (slow, True)
