"""Regular expressions of term lists."""

import re

from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.topic.regex import without_capitals

PIECES = [
    "a",
    "A",
    "b",
    "Z+",
    "[A-Z]",
    "[A-z]",
    "[0-Z]",
    "[^A-Z]",
    "[aA]",
    "[A-]",
    "[-A]",
    "[A-Cb-dX]",
    r"\W",
    r"\bA?b",
    ".",
]
TEXT = st.text("ab09/'- z", max_size=8)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join), TEXT, st.sampled_from("ACXZ"))
def test_without_capitals_the_same_matches_but_no_capitals(pattern, text, capital):
    changed = without_capitals(pattern)
    assert [each.span() for each in re.finditer(changed, text)] == [each.span() for each in re.finditer(pattern, text)]
    if "." not in pattern and "^" not in pattern and "W" not in pattern:
        assert all(capital not in each[0] for each in re.finditer(changed, text + capital))
