"""How a text changed, judged by rebuilding it from what is said to have changed."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.snapshot.texts import Alignment, unified, word_change, words

TEXT = st.text(st.sampled_from("ab \n漢é"), max_size=80)
LINES = st.lists(st.sampled_from(["", "one", "two", "three words here", "-", "+x", "@@ -1 +1 @@"]), max_size=25)


@pytest.mark.parametrize(
    ("before", "after", "same", "added", "removed"),
    [
        ("", "", 0, 0, 0),
        ("a b", "a b", 2, 0, 0),
        ("a b c", "a c", 2, 0, 1),
        ("a b", "", 0, 0, 2),
        ("the cat sat", "the dog sat down", 2, 2, 1),
        ("a\n b\tc", "a b c", 3, 0, 0),
        ("漢字かな", "漢字かき", 3, 1, 1),
        ("see漢字here", "see漢here", 3, 0, 1),
    ],
)
def test_words(before: str, after: str, same: int, added: int, removed: int) -> None:
    change = word_change(before, after)
    assert (change.same, change.added, change.removed) == (same, added, removed)
    total = same + added + removed
    assert change.share == (same / total if total else 1.0)


@given(TEXT, TEXT)
def test_added_and_removed_words_make_the_other_text(before: str, after: str) -> None:
    old, new = words(before), words(after)
    made, added, removed = list[str](), 0, 0
    for tag, low, high, new_low, new_high in Alignment(old, new).get_opcodes():
        made += old[low:high] if tag == "equal" else new[new_low:new_high]
        added += 0 if tag == "equal" else new_high - new_low
        removed += 0 if tag == "equal" else high - low
    assert made == new
    change = word_change(before, after)
    assert (change.added, change.removed) == (added, removed)
    assert change.same + removed == len(old) and change.same + added == len(new)


def patched(text: str, diff: list[str]) -> str:
    """As patch(1) does it, and as strict."""
    lines, made, position = text.split("\n"), list[str](), 0
    rest = iter(diff)
    for head in rest:
        match = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", head)
        assert match, head
        start, old, new_start, new = (1 if each is None else int(each) for each in match.groups())
        start -= old > 0
        made += lines[position:start]
        assert len(made) == new_start - (new > 0)
        position = start
        while old or new:
            (line,) = islice(rest, 1)
            if line[0] in " -":
                assert lines[position] == line[1:]
                position, old = position + 1, old - 1
            if line[0] in " +":
                made.append(line[1:])
                new -= 1
    return "\n".join(made + lines[position:])


@given(LINES, LINES)
def test_a_unified_diff_makes_the_other_text(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before), "\n".join(after)
    diff = list(unified(old, new))
    assert patched(old, diff) == new
    assert bool(diff) == (old != new)


def test_a_unified_diff_has_three_lines_around() -> None:
    lines = [str(number) for number in range(30)]
    changed = [*lines[:10], "new", *lines[11:25], *lines[26:]]
    diff = list(unified("\n".join(lines), "\n".join(changed)))
    assert diff == [
        "@@ -8,7 +8,7 @@",
        *(" 7", " 8", " 9", "-10", "+new", " 11", " 12", " 13"),
        "@@ -23,7 +23,6 @@",
        *(" 22", " 23", " 24", "-25", " 26", " 27", " 28"),
    ]
