"""What decides whether a page is relevant, in which order, and how much is recorded of it."""

import pytest

from tests.topic.pages import labelled
from ttcrawl.config import Topic
from ttcrawl.topic import combine, grammar
from ttcrawl.topic.assess import LONGEST, MOST_TERMS, Assessor, country_of
from ttcrawl.topic.page import Page
from ttcrawl.topic.score import CutOffs, cut_offs
from ttcrawl.topic.scorer import Scorer
from ttcrawl.topic.sites import Sites

TERMS = "100: sundew=CP.Drosera\n50: pitcher plant=CP\n-40: baseball=CP\n"
GOOD, BAD = "a sundew and a pitcher plant", "the pitcher plays baseball"


def scorer(terms=TERMS, **options):
    return Scorer(grammar.read(terms, "list"), **options)


def page(text, url="http://www.lu.se/x", language="sv"):
    return Page(text=text, urls=(url,), language=language)


CASES = {
    "terms": ({}, page(GOOD), (True, "terms")),
    "no terms": ({}, page(BAD), (False, "terms")),
    "its country": ({"countries": {"se"}}, page(GOOD), (True, "terms")),
    "another country": ({"countries": {"no"}}, page(GOOD), (False, "country")),
    "no country": ({"countries": {"no"}}, page(GOOD, "http://a.com/"), (True, "terms")),
    "its language": ({"languages": {"sv", "en"}}, page(GOOD), (True, "terms")),
    "another language": ({"languages": {"en"}}, page(GOOD), (False, "language")),
    "no language": ({"languages": {"en"}}, page(GOOD, language=""), (True, "terms")),
    "conditions admit nothing": ({"languages": {"sv"}, "countries": {"se"}}, page(BAD), (False, "terms")),
    "a site": ({"sites": Sites(["lu[.]se/"]), "languages": {"en"}, "countries": {"no"}}, page(BAD), (True, "site")),
}


@pytest.mark.parametrize("name", CASES)
def test_what_decides(name):
    options, given, expected = CASES[name]
    host = given.urls[0].split("/")[2]
    result = Assessor(scorer=scorer(), **options).assess(given, host)
    assert (result.relevant, result.by) == expected


def test_classes_and_terms_of_kept_classes_come_first():
    result = Assessor(scorer=scorer()).assess(page(f"{GOOD} sundew sundew {BAD}"), "a.test")
    assert result.classes == {"CP.Drosera": 300.0} and result.score == 300.0
    assert result.terms == ("sundew", "pitcher plant", "baseball") and result.probability is None


def test_what_is_recorded_is_bounded():
    words = [f"word{number}{'x' * 200}" for number in range(3 * MOST_TERMS)]
    result = Assessor(scorer=scorer("\n".join(f"9: {word}=C" for word in words))).assess(
        page(" ".join(words)), "a.test"
    )
    assert len(result.terms) == MOST_TERMS and {len(term) for term in result.terms} == {LONGEST}


def test_weights_without_bounds_give_no_score():
    """Combine's own grammar has them; the share of a class in infinite points is no number, so none is kept."""
    most = f"1{'0' * 308}"
    for terms in (f"{most}: sundew=C\n{most}: plant=C\n", f"{most}: sundew=C\n"):
        assessor = Assessor(scorer=Scorer(combine.read(terms.encode())))
        with pytest.raises(ValueError, match="not finite"):
            assessor.assess(page(f"{GOOD} {GOOD} {BAD * 100}"), "a.test")


@pytest.mark.parametrize(
    ("host", "country"),
    [
        *(("www.lu.se", "se"), ("lu.se:8080", "se"), ("mit.edu", "us"), ("nasa.gov:81", "us"), ("a.example", "")),
        *(("a.com", ""), ("127.0.0.1", ""), ("127.0.0.1:80", ""), ("[::1]:80", ""), ("localhost", ""), ("se", "se")),
    ],
)
def test_countries(host, country):
    assert country_of(host) == country


def test_cut_offs_are_combines_unless_they_are_set():
    default = Topic()
    unset = (default.min_total, default.min_by_words, default.min_share)
    assert cut_offs("plain", *unset) == CutOffs(total=90, normalised=0.2, share=10)
    assert cut_offs("position", *unset) == CutOffs(total=1, normalised=0.002, share=1)
    assert cut_offs("plain", 0, 0.5, 0) == CutOffs(total=0, normalised=0.5, share=0)


def test_the_model_decides_and_the_list_gives_the_classes(tmp_path):
    pytest.importorskip("sklearn")
    from tests.topic.pages import corpus_of
    from ttcrawl.topic.classifier import MOST_WORDS, Classifier
    from ttcrawl.topic.learn import Goal, learn

    with corpus_of(labelled(40), 1) as corpus:
        model = learn(corpus.vectors(), "svm", 1, 2, Goal(), corpus.digest())
    classifier = Classifier(model)
    both = Assessor(scorer=scorer(), classifier=classifier)
    given = page(GOOD)
    result, rating = both.assess(given, "a.test"), classifier.score(given)
    assert (result.relevant, result.by) == (rating.accepted, "model")
    assert (result.score, result.probability) == (rating.margin, rating.probability)
    assert result.classes and result.terms
    alone = Assessor(classifier=classifier).assess(page(f"{given.text} street tram"), "a.test")
    _, points = classifier.explain(page(f"{given.text} street tram"))
    assert alone.terms == tuple(each.term for each in points if each.points > 0)[:MOST_WORDS]
    assert "sundew" in alone.terms and "tram" not in alone.terms and "tram" in {each.term for each in points}
    assert len(classifier.score(page(" ".join(term for term, _, _ in model.terms))).terms) == MOST_WORDS
