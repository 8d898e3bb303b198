"""The examples in Combine's manual (Ardö, Combine web crawler, "Topic definition" and "Term triplet examples"), and
what the manual says of them."""

import pytest

from ttcrawl.topic import combine, grammar
from ttcrawl.topic.page import Page
from ttcrawl.topic.scorer import Scorer

GLASS = """\
50: optical glass=A.14.5, D.2.2
30: glass @and fiberoptics=D.2.2.8
50: glass @and technical @and history=D.2
50: ceramic materials @and glass=D.2.1.7
-10000: glass @and art=A
"""

PLANTS = r"""#This is a comment
75: D\.?\s*californica=CP.Drosophyllum
10: pitcher[^\s]*=CP
-10: pitcher[^\s]* @and baseball=CP
"""

#: It gives terms without weights and classes: OR is two terms, ? is an optional letter, [^\s]* a truncation.
TERMS = r"""1: polymer @and atactic=P
1: polymer @and syndiotactic=P
1: coins?=C
1: glass art[^\s]*=G
"""


def points(text, words, *, compatible):
    terms = combine.read(text.encode()) if compatible else grammar.read(text, "published")
    scorer = Scorer(terms)
    return scorer.match(scorer.words(Page(text=words)).text)


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (GLASS, "Prisms of optical glass.", {"A.14.5": 50, "D.2.2": 50}),
        (GLASS, "Fiberoptics: from sand to glass.", {"D.2.2.8": 30}),
        (GLASS, "A technical history of glass", {"D.2": 50}),
        (GLASS, "Glass and other ceramic materials", {"D.2.1.7": 50}),
        (GLASS, "Glass in use, test and history", {}),
        (GLASS, "The art of optical glass", {"A.14.5": 50, "D.2.2": 50, "A": -10000}),
        (PLANTS, "A pitcher", {"CP": 10}),
        (PLANTS, "Pitchers are plants.", {"CP": 10}),
        (PLANTS, "The pitcher of a baseball team", {"CP": 0}),
        (TERMS, "An atactic polymer", {"P": 1}),
        (TERMS, "A syndiotactic polymer", {"P": 1}),
        (TERMS, "A polymer", {}),
        (TERMS, "coin coins coinage", {"C": 2}),
        (TERMS, "glass art, glass arts, glass artists, glass articles, glass", {"G": 4}),
    ],
)
def test_examples(text, words, expected, compatible):
    assert points(text, words, compatible=compatible) == expected


@pytest.mark.parametrize("words", ["D californica", "D. californica", "D.californica"])
def test_a_capital_matches_as_published_only_by_default(words):
    assert points(PLANTS, words, compatible=False) == {"CP.Drosophyllum": 75}
    assert points(PLANTS, words, compatible=True) == {}


def test_a_large_negative_weight_excludes_a_page():
    scorer = Scorer(grammar.read(GLASS, "published"))
    about = Page(title="Optical glass", text="optical glass " * 10)
    assert scorer.score(about).accepted
    assert not scorer.score(Page(title=about.title, text=f"{about.text} and art")).accepted
