"""Expressions that are compiled at their first use: they do what compiled ones do."""

import re

import pytest

from ttcrawl.web.late import METHODS, late

ARGUMENTS = {"sub": ("-", "a1b22"), "subn": ("-", "a1b22")}


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_that_of_a_compiled_one(method):
    arguments = ARGUMENTS.get(method, ("a1b22",))
    expression, compiled = late("[A-Z](\\d+)|1", re.IGNORECASE), re.compile("[A-Z](\\d+)|1", re.IGNORECASE)
    for _ in range(2):  # the first use, and a later one
        results = [getattr(each, method)(*arguments) for each in (expression, compiled)]
        if method == "finditer":
            results = [[match[0] for match in result] for result in results]
        if isinstance(results[1], re.Match):
            results = [(match[0], match.span()) for match in results]
        assert results[0] == results[1]


def test_a_part_of_a_text_and_bytes():
    assert late(rb"b+").match(b"abb", 1).span() == (1, 3)
    assert late("b+").search("bab", 1, 2) is None
    assert late("b+").pattern == "b+"


def test_nothing_is_compiled_before_the_first_use():
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.match("")
    with pytest.raises(re.error):  # nor is it taken for compiled then
        wrong.match("")
