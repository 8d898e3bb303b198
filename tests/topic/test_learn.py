"""Training: vectors and margins are those of scikit-learn, figures are of pages that were not seen."""

import numpy as np
import pytest

from tests.topic.pages import corpus_of, labelled
from ttcrawl.topic.classifier import Classifier, probability
from ttcrawl.topic.learn import Goal, calibration, estimator, learn, matrix_of, threshold_of
from ttcrawl.topic.model import LOGISTIC, SVM, packed
from ttcrawl.topic.ngrams import is_word, sequence

PAGES = list(labelled(60))


def trained(pages=PAGES, learner=SVM, ngrams=2, goal=None):
    with corpus_of(iter(pages), ngrams) as corpus:
        return learn(corpus.vectors(), learner, ngrams, 5, goal or Goal(), corpus.digest())


def analyzed(ngrams):
    """The n-grams of a page, counted in another way."""

    def ngrams_of(page):
        words = [word if is_word(word) else None for word in sequence(page)]
        for length in range(1, ngrams + 1):
            for start in range(len(words) - length + 1):
                piece = words[start : start + length]
                if None not in piece:
                    yield " ".join(piece)

    return ngrams_of


@pytest.mark.slow
@pytest.mark.parametrize("learner", [SVM, LOGISTIC])
@pytest.mark.parametrize("ngrams", [1, 2, 3])
def test_margins_are_those_of_scikit_learn(learner, ngrams):
    from sklearn.feature_extraction.text import TfidfVectorizer

    pages = [page for _, page in PAGES]
    theirs = TfidfVectorizer(analyzer=analyzed(ngrams), sublinear_tf=True, min_df=2)
    matrix = theirs.fit_transform(pages)
    with corpus_of(iter(PAGES), ngrams) as corpus:
        vectors = corpus.vectors()
        ours = matrix_of(vectors)
        model = learn(vectors, learner, ngrams, 5, Goal(), corpus.digest())
    columns = [theirs.vocabulary_[text] for text in vectors.ngrams]
    assert len(columns) == len(theirs.vocabulary_)
    assert abs(matrix[:, columns] - ours).max() < 1e-12
    fitted = estimator(learner).fit(ours, vectors.relevant)
    classifier = Classifier(model)
    others = [page for _, page in labelled(20, seed=9)]
    expected = fitted.decision_function(theirs.transform(others)[:, columns])
    margins = [classifier.score(page).margin for page in others]
    assert margins == pytest.approx(expected.tolist(), abs=1e-9, rel=1e-9)
    for page in others:
        rating, points = classifier.explain(page)
        assert sum(each.points for each in points) + model.bias == pytest.approx(rating.margin, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [SVM, LOGISTIC])
def test_a_model_knows_new_pages(learner):
    model = trained(learner=learner)
    classifier = Classifier(model)
    ratings = [(relevant, classifier.score(page)) for relevant, page in labelled(100, seed=5)]
    assert sum(rating.accepted is relevant for relevant, rating in ratings) > 190
    assert model.figures.f1.mean > 0.9 and model.figures.average_precision.mean > 0.95 and model.figures.brier < 0.1
    weights = {text: weight for text, _, weight in model.terms}
    assert weights["sundew"] > 0 > weights["strasse"]


@pytest.mark.slow
def test_the_same_pages_give_the_same_bytes():
    assert packed(trained()) == packed(trained())
    assert packed(trained()) != packed(trained(PAGES[2:]))


@pytest.mark.slow
def test_noise_is_seen_in_the_figures():
    """With labels by chance, figures of training pages would still be perfect."""
    pages = [(number % 3 == 0, page) for number, (_, page) in enumerate(labelled(60))]
    figures = trained(pages).figures
    assert figures.f1.mean < 0.6 and figures.average_precision.mean < 0.6 and figures.brier > 0.15


MARGINS = np.array([5.0, 4.0, 3.0, 2.0, 1.0, 0.0])
LABELS = np.array([True, True, False, True, False, False])


@pytest.mark.parametrize(
    ("goal", "threshold"),
    [
        (Goal(), 1.5),
        *((Goal(precision=1.0), 3.5), (Goal(precision=0.7), 1.5), (Goal(precision=0.5), 1.5)),
        *((Goal(recall=1.0), 1.5), (Goal(recall=0.5), 3.5), (Goal(recall=0.3), 4.5)),
    ],
)
def test_threshold(goal, threshold):
    assert threshold_of(MARGINS, LABELS, goal) == threshold


def test_a_precision_that_no_threshold_has():
    pages = [(number % 3 == 0, page) for number, (_, page) in enumerate(labelled(60))]
    with pytest.raises(ValueError, match=r"no threshold has a precision of 1; the highest is 0\.\d+"):
        trained(pages, goal=Goal(precision=1.0))


@pytest.mark.slow
def test_probabilities_are_calibrated():
    from sklearn.calibration import calibration_curve

    chance = np.random.default_rng(3)
    labels = chance.random(20_000) < 0.2
    margins = chance.normal(np.where(labels, 1.0, -1.0), 1.0)  # log odds: 2 * margin + ln(0.2 / 0.8)
    slope, offset = calibration(margins, labels)
    assert (slope, offset) == pytest.approx((2, np.log(0.25)), abs=0.1)
    probabilities = [probability(margin, slope, offset) for margin in margins.tolist()]
    true, predicted = calibration_curve(labels, probabilities, n_bins=5)
    assert np.abs(true - predicted).max() < 0.05
    assert probability(-1e9, 1, 0) < 1e-300 and probability(1e9, 1, 0) == 1.0


def test_separable_margins_are_not_certain():
    labels = np.array([True] * 10 + [False] * 10)
    slope, offset = calibration(np.where(labels, 1.0, -1.0), labels)
    assert probability(1.0, slope, offset) == pytest.approx(11 / 12, abs=1e-3)
