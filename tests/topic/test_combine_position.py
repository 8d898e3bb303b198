"""Combine's algorithm by position, beside the straightforward way: every term in the list of all words."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.topic import combine
from ttcrawl.topic.combine_position import CombinePosition

WORDS = st.sampled_from(["aaa", "bbb", "a-b", "abcdefgh", "abcdefghi", "abcdefghj", "\u00e5\u00e4\u00f6"])
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
TERMS = st.one_of(PHRASES, PHRASES, st.lists(WORDS, min_size=2, max_size=3, unique=True).map(" @and ".join))


def one_by_one(text, terms):
    words = text.split()
    if words and text.startswith(" "):
        words.insert(0, "")
    places = {word: [position for position, each in enumerate(words, 1) if each == word] for word in words}
    for term in terms:
        needles = term.needles if len(term.needles) > 1 else term.text.split(" ")
        first, *others = (places.get(each, []) for each in needles)
        values = []
        if len(term.needles) > 1:
            for at in zip(first, *others, strict=False):
                apart = sum(abs(a - b) for a, b in pairwise(at)) / (len(at) - 1)
                values.append(1 / (math.log(0.5 * min(at) + 1) * math.log(apart + 1)))
        elif all(others):
            for start in first:
                expected, matched = start + 1, True
                for each in others:
                    matched = expected in each
                    expected += matched
                if matched:
                    values.append(1 / math.log(0.5 * start + 1))
        if values:
            yield term, len(values), term.weight * sum(values)


@given(st.lists(TERMS, min_size=1, max_size=8), st.lists(WORDS, max_size=40).map(" ".join), st.sampled_from(["", " "]))
def test_all_terms_count_as_one_by_one(lines, text, blank):
    listed = "".join(f"{number}: {line}=A\n{number}:  {line}=A\n" for number, line in enumerate(lines, 1))
    terms = combine.read(listed.encode("latin-1")).terms
    text = blank + text if text else text
    found = list(CombinePosition(terms).values(text.encode("latin-1")))
    assert found == list(one_by_one(text, terms))
