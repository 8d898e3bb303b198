"""The most frequent values, exactly while they fit in memory, and still the same ones when they do not."""

import random

from ttcrawl.report.frequent import Frequent
from ttcrawl.report.laws.function_words import FUNCTION_WORDS, contents


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
    counts = {"the": 100, "и": 90, "x": 80, "页": 70, "naïve": 60, "crawl": 60, "2nd": 5}
    assert list(contents(counts, 4).items()) == [("页", 70), ("crawl", 60), ("naïve", 60), ("2nd", 5)]
    assert contents({}, 3) == contents(dict.fromkeys(FUNCTION_WORDS, 1), 3) == {}


def test_function_words_are_as_the_vocabulary_has_them():
    assert {word for word in FUNCTION_WORDS if word != word.casefold() or not word.isalpha()} == set()
