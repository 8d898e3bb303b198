"""The most frequent values, exactly while they fit in memory, and still the same ones when they do not."""

import random

import pytest

from ttcrawl.report.frequent import Frequent
from ttcrawl.report.laws.function_words import COMMON, contents, words_of, words_of_all


def test_counts_are_exact_in_memory():
    frequent = Frequent()
    for title in ["b", "a", "c", "a", "b", "d"]:
        frequent.add(title)
    assert list(frequent.top(2).items()) == [("a", 2), ("b", 2)]
    assert list(frequent.top(9, least=2)) == ["a", "b"]


def test_the_frequent_ones_stay_when_memory_is_full():
    values = ["often"] * 300 + ["sometimes"] * 150 + [str(n) for n in range(5000)]
    random.Random(1).shuffle(values)
    frequent = Frequent(most=100)
    for value in values:
        frequent.add(value)
    top = frequent.top(2)
    assert list(top) == ["often", "sometimes"]
    assert 250 < top["often"] <= 300


def test_words_of_the_contents():
    counts = {"the": 100, "и": 90, "x": 80, "页": 70, "naïve": 60, "crawl": 60, "die": 50, "2nd": 5}
    as_function_words = {"the": 100, "и": 90, "die": 20}
    expected = [("页", 70), ("crawl", 60), ("naïve", 60), ("die", 30)]
    assert list(contents(counts, as_function_words, 4).items()) == expected
    assert contents({}, {}, 3) == contents({"a": 1, "of": 2}, {"of": 2}, 3) == {}


@pytest.mark.parametrize(
    ("language", "words", "others"),
    [
        ("en", "the about which", "die war see"),
        ("de", "die war sich", "the of haus"),
        ("he", "של על את", "the"),
        ("sr", "je и", "the"),  # in both scripts
        ("xx", "", "the die"),
    ],
)
def test_function_words_are_of_one_language(language, words, others):
    known = words_of(language)
    assert known >= set(words.split()) and not known & set(others.split())
    assert words_of_all([language, "xx"]) == known


def test_function_words_are_as_the_vocabulary_has_them():
    every = words_of_all(COMMON)
    assert {word for word in every if word != word.casefold() or not word.isalpha()} == set()


def test_half_of_memory_is_free_after_forgetting():
    """Where every value in memory occurs twice, looking through all of it for each new one would take hours."""
    frequent = Frequent(most=100)
    for number in range(101):
        frequent.add(str(number))
        frequent.add(str(number))
    assert len(frequent.top(1000)) <= 51
