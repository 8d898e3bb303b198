"""What is said of a change is what a plain count of the words finds."""

import random
from collections import Counter

import pytest
from pytest import approx

from ttcrawl.report.tuning.mutations import MUTATIONS, similarity

TEXT = [[f"w{line}-{place}" for place in range(3 + line % 9)] for line in range(60)]
DATED = [["Updated", "12.5.2021", "at", "10:33,"], ["(c)", "1999-2003"], ["12345", "items", "in", "v2.0"]]
NEW = [f"new{n}" for n in range(10_000)]  # so that no word comes back by chance


def words(lines):
    return Counter(word for line in lines for word in line)


def counted(before, after):
    one, other = words(before), words(after)
    return (one & other).total() / (one | other).total()


def changed(kind, share, seed=1, lines=TEXT):
    return MUTATIONS[kind](lines, share, NEW, random.Random(seed))


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.4, 1.0])
@pytest.mark.parametrize("kind", MUTATIONS)
def test_as_alike_as_it_says(kind, share):
    before = [list(line) for line in TEXT]
    after, kept = changed(kind, share)
    assert before == TEXT  # which is not touched
    assert similarity(TEXT, after, kept) == approx(counted(TEXT, after))


SIZED = [kind for kind in MUTATIONS if kind not in ("lines reordered", "dates changed")]


@pytest.mark.parametrize("kind", SIZED)
def test_as_much_is_changed_as_is_asked_for(kind):
    after, _ = changed(kind, 0.1)
    expected = 1 / 1.1 if kind.endswith("inserted") else 0.9
    assert counted(TEXT, after) == approx(expected, abs=0.02)


def test_lines_in_another_order_have_the_same_words():
    after, kept = changed("lines reordered", 0.5)
    assert after != TEXT and sorted(after) == sorted(TEXT) and similarity(TEXT, after, kept) == 1


def test_dates():
    after, kept = changed("dates changed", 0.5, lines=DATED)
    assert kept == 10 - 3 and similarity(DATED, after, kept) == 7 / 13
    assert [line[0] for line in after[::2]] == ["Updated", "12345"] and after[2] == DATED[2]
    assert all(len(old) == len(new) for old, new in zip(DATED[0], after[0], strict=True))
    assert changed("dates changed", 0.5)[0] == TEXT


@pytest.mark.parametrize("kind", MUTATIONS)
def test_the_same_seed_changes_the_same(kind):
    assert changed(kind, 0.1, 7) == changed(kind, 0.1, 7)
    assert kind == "dates changed" or changed(kind, 0.1, 7) != changed(kind, 0.1, 8)


@pytest.mark.parametrize("kind", MUTATIONS)
@pytest.mark.parametrize("lines", [[["one"]], [["one", "two"], ["three"]]], ids=len)
def test_tiny_texts(kind, lines):
    after, kept = changed(kind, 0.4, lines=lines)
    assert 0 <= similarity(lines, after, kept) <= 1
