"""What a link promises, by its anchor text, the words near it and its URL."""

import random
import time

import pytest

from ttcrawl.topic.classifier import Classifier
from ttcrawl.topic.grammar import read
from ttcrawl.topic.links import FULL, STEP, LinkScorer, by_model, by_terms, score, without_humps, words_of_url
from ttcrawl.topic.model import FORMAT, VERSION, Figures, Model, Spread
from ttcrawl.topic.page import Page
from ttcrawl.topic.scorer import Scorer

TERMS = "10: drosera=CP\n10: venus flytrap=CP\n30: byblis=CP\n-10: car=CP\n5: tcp @and socket=CP\n10: socket=CP\n"


@pytest.fixture
def rate():
    return by_terms(Scorer(read(TERMS, "terms")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("the town council", 0),
        ("Drosera", 0.5),
        ("DROSERA capensis, drosera", 2 / 3),
        ("Venus flytrap", 0.5),
        ("flytrap of Venus", 0),
        ("Byblis", 0.75),
        ("my car", 0),
        ("a drosera in a car", 0),
        ("byblis in a car", 2 / 3),
    ],
)
def test_a_term_list_rates_texts(rate, text, expected):
    assert rate(text) == pytest.approx(expected)


@pytest.mark.parametrize("algorithm", ["plain", "position"])
def test_the_algorithm_for_pages_does_not_matter(algorithm):
    assert by_terms(Scorer(read(TERMS, "terms"), algorithm))("a long text before drosera") == 0.5


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://a.test/", ""),
        ("https://drosera.test", ""),
        ("http://a.test/Drosera_capensis.html", "Drosera capensis"),
        ("http://a.test/venus-flytrap/care.php?page=2", "venus flytrap care?page=2"),
        ("http://a.test/%D1%80%D0%BE%D1%81%D1%8F%D0%BD%D0%BA%D0%B0", "росянка"),
        ("http://a.test/a//b/", "a b"),
    ],
)
def test_words_of_urls(url, words):
    assert words_of_url(url) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DatagramSocketImpl", "Datagram Socket Impl"),
        ("QTcpSocket", "Q Tcp Socket"),
        ("HTTPServer", "HTTP Server"),
        ("plain words", "plain words"),
        ("ABC", "ABC"),
        ("utf8Text", "utf8 Text"),
    ],
)
def test_names_in_camel_case_are_words(text, words):
    assert without_humps(text) == words


@pytest.mark.parametrize(
    ("anchor", "nearby", "url", "expected"),
    [
        ("more", "", "http://a.test/1", 0),
        ("Drosera", "", "http://a.test/1", 500),
        ("more", "", "http://a.test/drosera", 350),
        ("more", "on drosera", "http://a.test/1", 250),
        ("Drosera", "on drosera", "http://a.test/drosera", 755),
        ("DatagramSocketImpl", "", "http://a.test/1", 500),
        ("more", "", "http://a.test/QTcpSocket.html", 420),
    ],
)
def test_what_is_nearer_counts_more(rate, anchor, nearby, url, expected):
    scorer = LinkScorer(rate)
    for _ in range(2):  # the second time from memory
        assert scorer.score(anchor, nearby, hash(url), url) == expected


def test_a_score_fits_into_a_byte_and_never_falls_with_better_words():
    rng = random.Random(1)
    for _ in range(1000):
        parts = [rng.random() for _ in range(3)]
        value = score(*parts)
        assert 0 <= value <= FULL and value % STEP == 0 and value // STEP < 256
        parts[rng.randrange(3)] = 1.0
        assert score(*parts) >= value


def model(terms, bias=-1.0, ngrams=2):
    none = Spread(mean=0.0, deviation=0.0)
    figures = Figures(folds=2, precision=none, recall=none, f1=none, average_precision=none, brier=0.0)
    return Model(
        **{"format": FORMAT, "version": VERSION, "learner": "svm", "ngrams": ngrams, "criterion": "f1"},
        **{"threshold": 0.0, "bias": bias, "slope": 2.0, "offset": 0.0, "relevant": 1, "irrelevant": 1},
        inputs="",
        figures=figures,
        terms=terms,
    )


def test_a_model_rates_a_text_as_it_rates_a_page():
    rng = random.Random(2)
    words = [f"w{number}" for number in range(12)]
    ngrams = {" ".join(rng.sample(words, rng.choice([1, 1, 2]))) for _ in range(30)}
    ours = model([(text, rng.uniform(0.5, 5), rng.uniform(-3, 3)) for text in sorted(ngrams)])
    rate, classifier = by_model(ours), Classifier(ours)
    nothing = classifier.score(Page()).probability
    for _ in range(300):
        text = " ".join(rng.choice((*words, "unknown", "/")) for _ in range(rng.randrange(8)))
        probability = classifier.score(Page(text=text)).probability
        assert rate(text) == pytest.approx(max(0, (probability - nothing) / (1 - nothing)))


def test_a_model_that_finds_everything_relevant_rates_nothing():
    assert by_model(model([("drosera", 1.0, 1.0)], bias=1e9))("drosera") == 0


@pytest.mark.slow
def test_memory_is_bounded(rate):
    """A menu is rated once; a hostile site with ever new anchors costs time and no memory."""
    calls = []

    def counted(text):
        calls.append(text)
        return rate(text)

    scorer = LinkScorer(counted)
    for _ in range(1000):
        scorer.score("Drosera", "", 1, "http://a.test/drosera")
    assert len(calls) == 2
    start = time.process_time()
    for number in range(60_000):
        scorer.score(f"anchor {number}", "", number, f"http://a.test/{number}")
    assert time.process_time() - start < 20
    assert scorer.remembered <= 50_002
