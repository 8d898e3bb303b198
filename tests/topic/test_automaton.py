"""Strings in a text by both kinds of automaton, beside a search for each alone."""

import random

import pytest

from tests.support.cases import one_in
from ttcrawl.topic.automaton import DETERMINISTIC, Automaton

ALPHABETS = ["ab", "ao", "abcdefghijklmnopqrstuvwyz0123456789", "абвгдежзийклмнопрстуфхцчшщъыьэюя"]


def string_of(chance, alphabet, size):
    return "".join(chance.choices(alphabet + "  -'/", k=size)).encode()


def places(strings, text):
    """(Index of a string, start, end) of all, a separator for a blank."""
    blanks = bytes.maketrans(b"-'/", b"   ")
    text, strings = text.translate(blanks), [each.translate(blanks) for each in strings]
    return {
        (index, start, start + len(each))
        for index, each in enumerate(strings)
        for start in range(len(text))
        if text.startswith(each, start)
    }


@pytest.mark.parametrize("others", [0, DETERMINISTIC])
@pytest.mark.parametrize("alphabet", one_in(2, ALPHABETS))
def test_no_place_of_a_string_is_missed(alphabet, others):
    chance = random.Random(alphabet)
    strings = sorted({string_of(chance, alphabet, chance.randint(1, 6)) for _ in range(100)})
    automaton = Automaton([*strings, *(b"x%d" % number for number in range(others))])
    for size in [0, 1, 5, *[300] * 10]:
        text = string_of(chance, alphabet, size)
        hits, expected = automaton.hits(text), places(strings, text)
        assert expected <= set(hits)
        assert not others or len(expected) == len(hits)
        ends = [end for _, _, end in hits]
        assert ends == sorted(ends)


def test_letters_with_the_same_code():
    assert set(Automaton([b" cat ", b" cot "]).hits(b" cat ")) == {(0, 0, 5), (1, 0, 5)}
