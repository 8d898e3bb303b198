"""Paths that are sent, against the definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.parse.links.promises import SentPaths, packed

number = st.integers(0, 5)
visits = st.lists(st.tuples(st.integers(1, 2), st.tuples(number, number, number)), max_size=40)


@pytest.mark.slow
@given(visits)
def test_a_path_is_sent_unless_one_that_was_covers_it(sequence):
    paths, sent = SentPaths(), {1: [], 2: []}
    for key, path in sequence:
        better = not any(all(a <= b for a, b in zip(each, path, strict=True)) for each in sent[key])
        assert paths.is_better(key, packed(*path)) == better
        if better:
            sent[key].append(path)


def test_large_numbers_do_not_mix():
    paths, deepest = SentPaths(), 1 << 30
    assert paths.is_better(1, packed(deepest, 0, 1000))
    assert not paths.is_better(1, packed(deepest, 1 << 20, 1000))
    assert paths.is_better(1, packed(deepest - 1, 1 << 20, 1000))
