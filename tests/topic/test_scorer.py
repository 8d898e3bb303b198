"""Scores: where terms match, what they give, and what is decided."""

import math
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.topic import grammar
from ttcrawl.topic.page import Page
from ttcrawl.topic.scorer import Scorer
from ttcrawl.topic.words import joined

TEXT = "我们用机器学习。CAFÉ Cafe\u0301 decafé a a a a very very very Color colour colours übermut SUN-moon moon x86-64"


def scorer(*lines, algorithm="plain", **options):
    return Scorer(grammar.read("\n".join(lines), "list.txt"), algorithm, **options)


def count(term, text):
    hits = scorer(f"1: {term}=C").explain(Page(text=text))[1]
    return sum(hit.count for hit in hits)


@pytest.mark.parametrize(
    ("term", "times"),
    [
        *(("机器学习", 1), ("café", 2), ("a a", 2), ("very very", 1), ("colou?r", 2), (r"Über\S*", 1), ("sun", 1)),
        *(("moon", 2), ("sun-moon", 1), ("sun moon", 0), (r"\w+s", 1), ("64", 1), ("x86-64", 1), ("afé", 0)),
        *(("co", 0), (r"our", 0), (r"a|moon", 6), (r"^我", 1), (r"sun\b", 1), ("sun @and moon", 1), ("moon @and x", 0)),
    ],
)
def test_matches(term, times):
    assert count(term, TEXT) == times


@pytest.mark.slow
@given(st.text("ab '-/é", max_size=40), st.text("abé", min_size=1, max_size=3))
def test_words_match_as_by_a_regular_expression(text, word):
    words = joined(text)
    assert count(word, text) == len(re.findall(rf"(?<!\w){word}(?!\w)", words))
    assert count(f"{word}(?:)", text) == len(re.findall(rf"(?<!\w){word}(?!\w)", words))


def test_plain_weights_by_part():
    page = Page(title="sun", metadata=(("description", "sun sky"),), headings=("sun", "x"), text="sun " * 4)
    score, hits = scorer("3: sun=S").explain(page)
    assert {hit.location: (hit.count, hit.points) for hit in hits} == {
        "title": (1, 30),
        "metadata": (1, 12),
        "headings": (1, 6),
        "text": (4, 12),
    }
    assert score.total == 60 and score.normalised == 30 + 6 + 3 + 3
    assert not score.accepted  # under 90


def test_position():
    text = "the solar panel of the sun is a pan"
    value = {p: 1 / math.log(0.5 * p + 1) for p in range(1, 10)}
    by_position = scorer("6: solar panel=A", "2: s.n=B", "4: sun @and solar panel=C", algorithm="position")
    points = by_position.match(text.encode())
    assert points == pytest.approx({"A": 6 * value[2], "B": 2 * value[6], "C": 4 * value[2] / math.log(5)})


@pytest.mark.parametrize(
    ("hierarchy", "scores"),
    [
        ("flat", {"CP": 100, "CP.Drosera": 200, "CP.Drosera.x": 300}),
        ("up", {"CP": 600, "CP.Drosera": 500, "CP.Drosera.x": 300}),
        ("down", {"CP": 100, "CP.Drosera": 300, "CP.Drosera.x": 600}),
    ],
)
def test_hierarchy(hierarchy, scores):
    lines = ("100: a=CP", "200: b=CP.Drosera", "300: c=CP.Drosera.x")
    score = scorer(*lines, hierarchy=hierarchy).score(Page(text="a b c"))
    assert {each.name: each.score for each in score.classes} == scores
    assert score.total == score.kept_score == 600


@pytest.mark.parametrize("algorithm", ["plain", "position"])
@pytest.mark.parametrize("page", [Page(), Page(text="\0\ud800 \x85", title="!")])
def test_pages_with_nothing_in_them(algorithm, page):
    score = scorer("1: a=A", r"1: \S*=B", algorithm=algorithm).score(page)
    assert not score.accepted


@pytest.mark.parametrize(
    "pattern", ["(a+)+b", "a.*z|a", "(a|a)*c", "(.*)*x", "(?:a?){50}a{50}", ".*.*.*=", r"[^\s]*[^\s]*y"]
)
def test_hostile_expressions_take_linear_time(pattern):
    term = pattern.removesuffix("=")
    since = time.process_time()
    scorer(f"1: {term}=A").score(Page(text="a " * 100_000))
    assert time.process_time() - since < 5
