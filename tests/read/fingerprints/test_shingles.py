"""Words and shingles by numpy against the plain way."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.read import blocks
from ttcrawl.read.fingerprints.shingles import shingles
from ttcrawl.read.fingerprints.similarity import exact
from ttcrawl.read.fingerprints.words import LONGEST, split
from ttcrawl.web.unspaced import UNSPACED


def made(text: str, size: int = 3) -> bytes:
    return shingles(split(text), size).tobytes()


def plain(text: str, size: int) -> set[tuple]:
    """Of each line the runs of its words, of short lines all of it, with how often it was there."""
    lines: list[list[str]] = []
    for line in text.splitlines():
        words = _words(line)
        if lines and not any(sign.isalpha() or _ideograph(sign) for sign in line):
            lines[-1] += words
        elif words:
            lines.append(words)
    times: Counter[tuple[str, ...]] = Counter()
    for words in lines:
        times.update(tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1)))
    return {(*run, time) for run, often in times.items() for time in range(often)}


def _ideograph(sign: str) -> bool:
    return any(first <= ord(sign) <= last for first, last in UNSPACED)


def _words(line: str) -> list[str]:
    return "".join(f" {sign} " if _ideograph(sign) else sign for sign in line).split()


PIECES = st.sampled_from(
    ["a", "b", "Wort", "é", "7", "12", " ", "  ", "\n", "\n", "日", "本", "、", "\xa0", "\u2028", "-"]
)
TEXTS = st.lists(PIECES, max_size=60).map("".join)


@pytest.mark.slow
@given(text=TEXTS, size=st.integers(1, 5))
def test_they_are_those_of_the_plain_way(text, size):
    assert len(made(text, size)) == 4 * len(plain(text, size))


@pytest.mark.slow
@given(one=TEXTS, other=TEXTS, size=st.integers(1, 4))
def test_the_same_ones_have_the_same_hash(one, other, size):
    a, b = plain(one, size), plain(other, size)
    assert exact(made(one, size), made(other, size)) == (len(a & b) / len(a | b) if a and b else 0.0)


@pytest.mark.slow
@given(text=st.text(max_size=60))
def test_words_are_those_that_are_counted(text):
    assert len(split(text)) == blocks.words(text)


@pytest.mark.parametrize("before", [1, LONGEST - 1, LONGEST, LONGEST + 1, 5 * LONGEST])
def test_where_a_word_stands_makes_no_difference(before):
    text = f"{'x' * before} some words behind it"
    assert split(text).lines[0][1:] == split("some words behind it").lines[0]


def test_words_in_any_place_of_a_long_text():
    text = " ".join(f"w{number}" for number in range(60_000))
    (numbers,) = split(text).lines
    assert len(set(numbers)) == 60_000
    for at in (0, 1, 12_345, 59_999):
        assert numbers[at] == split(f"w{at}").lines[0][0]


def test_a_list_in_another_order_has_the_same_shingles():
    lines = [f"entry {number} of many, with some words" for number in range(40)] + ["Next", "Next", "End"]
    shuffled = random.Random(1).sample(lines, len(lines))
    assert made("\n".join(lines)) == made("\n".join(shuffled))


def test_rows_of_a_table_in_another_order_have_nearly_the_same_shingles():
    rows = [f"Town{number}\n{number * 37 % 101}\n{number * 53 % 89}\n{number}" for number in range(60)]
    shuffled = random.Random(1).sample(rows, len(rows))
    assert exact(made("\n".join(rows)), made("\n".join(shuffled))) == 1.0


@pytest.mark.parametrize("cells", [60, 600, 6000])
@pytest.mark.parametrize("most", [9, 99])
def test_tables_of_other_numbers_are_other_texts(cells, most):
    def table(seed: int) -> str:
        chance = random.Random(seed)
        return "\n".join(str(chance.randint(0, most)) for _ in range(cells))

    assert exact(made(table(1)), made(table(2))) < 0.8


def test_how_often_a_short_line_is_there_counts():
    few, many = "yes\nno\n" * 5, "yes\nno\n" * 50
    assert exact(made(few), made(many)) == pytest.approx(0.1)


def test_every_space_is_one():
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert len(spaces) > 20
    for space in spaces:
        assert len(split(f"a{space}b")) == 2
        assert len(split(f"a{space}b").lines) == (2 if space.splitlines() == [""] else 1)


@pytest.mark.parametrize("sign", ["z", "ß", "Я", "ש", "ا", "ก", "한", "日", "\U00010400", "\U00020000"])
def test_a_line_with_a_letter_is_one_of_its_own(sign):
    assert split(f"a\n{sign}\n1\n-\n€").lines == [split("a").lines[0], split(f"{sign} 1 - €").lines[0]]
