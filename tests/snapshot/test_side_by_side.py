"""Two texts beside each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.snapshot.side_by_side import side_by_side


def shown(left, right):
    """Lines with what differs in brackets; - for none."""

    def line(spans):
        return "".join(f"[{words}]" if differs else words for words, differs in spans) if spans else "-"

    return [(line(each.left), line(each.right)) for each in side_by_side(left, right)]


@pytest.mark.parametrize(
    "left, right, expected",
    [
        ("same", "same", []),
        ("", "", []),
        ("one two three", "one 2 three", [("one [two ]three", "one [2 ]three")]),
        ("one", "one two", [("one", "one [two]")]),
        ("a\nb", "a\nnew\nb", [("a", "a"), ("-", "[new]"), ("b", "b")]),
        ("a\ngone\nb", "a\nb", [("a", "a"), ("[gone]", "-"), ("b", "b")]),
        ("a  b", "a b", [("a  b", "a b")]),
        ("", "x", [("-", "[x]")]),
    ],
)
def test_words_and_lines_that_differ(left, right, expected):
    assert shown(left, right) == expected


def test_equal_lines_are_counted():
    lines = [str(number) for number in range(20)]
    rows = list(side_by_side("\n".join(["a", *lines, "b"]), "\n".join(["A", *lines, "B"])))
    assert [each.skipped for each in rows if each.skipped] == [16]
    assert len(rows) == 6


@given(st.text("ab \n", max_size=30), st.text("ab \n", max_size=30))
def test_rows_are_there_if_the_texts_differ(left, right):
    rows = list(side_by_side(left, right))
    assert bool(rows) == (left != right)
    shown_on_the_left = ["".join(words for words, _ in each.left) for each in rows if each.left]
    assert set(shown_on_the_left) <= set(left.split("\n"))
