"""How alike texts are: against a plain count of all pairs."""

import random
from collections import Counter

import pytest
from pytest import approx

from ttcrawl.report.tuning.truth import each_with_each, tokens


def plain(one, other):
    first, second = Counter(one.casefold().split()), Counter(other.casefold().split())
    return (first & second).total() / max(1, (first | second).total())


def test_each_with_each():
    chance = random.Random(1)
    texts = [" ".join(chance.choices("a b c d e F f".split(), k=chance.randint(0, 30))) for _ in range(40)]  # noqa: SIM905
    found = each_with_each(texts)
    for one, text in enumerate(texts):
        for other, second in enumerate(texts):
            assert found[one, other] == approx(plain(text, second))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ("a b a\nA", [("a", 1), ("b", 1), ("a", 2), ("a", 3)]),
        ("STRASSE straße", [("strasse", 1), ("strasse", 2)]),
    ],
)
def test_tokens(text, expected):
    assert list(tokens(text)) == expected
