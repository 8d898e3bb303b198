"""From vectors to a model: a linear classifier, and what cross-validation says about it. Needs scikit-learn.

Every page is scored by a classifier that has not seen it. The probability and the threshold are fitted to these
margins; to measure them, they are fitted to the margins of all folds but one, and applied to that one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ttcrawl.topic.corpus import Vectors
from ttcrawl.topic.model import FORMAT, SVM, VERSION, Figures, Model, Spread

_Margins: TypeAlias = NDArray[np.float64]
_Labels: TypeAlias = NDArray[np.bool_]

#: The state of all random numbers: the same pages give the same model.
SEED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What the threshold is for: the largest F1, or the best recall with a precision, or the reverse."""

    precision: float | None = None
    recall: float | None = None

    def __str__(self) -> str:
        if self.precision is not None:
            return f"precision {self.precision:g}"
        return "f1" if self.recall is None else f"recall {self.recall:g}"


def learn(
    vectors: Vectors,
    learner: str,
    ngrams: int,
    folds: int,
    goal: Goal,
    inputs: str,
    progress: Callable[[int], None] = lambda fold: None,
) -> Model:
    """Train a model. Raises ValueError for a precision that no threshold has."""
    labels = vectors.relevant
    matrix = matrix_of(vectors)
    margins, fold_of = _held_out(matrix, labels, learner, folds, progress)
    threshold = threshold_of(margins, labels, goal)
    if goal.precision is not None and (most := _precision(margins >= threshold, labels)) < goal.precision:
        raise ValueError(f"no threshold has a precision of {goal.precision:g}; the highest is {most:.3f}")
    slope, offset = calibration(margins, labels)
    classifier = estimator(learner).fit(matrix, labels)
    progress(folds + 1)
    weights = classifier.coef_[0].tolist()
    return Model(
        format=FORMAT,
        version=VERSION,
        learner=learner,
        ngrams=ngrams,
        criterion=str(goal),
        threshold=threshold,
        bias=float(classifier.intercept_[0]),
        slope=slope,
        offset=offset,
        relevant=int(labels.sum()),
        irrelevant=int((~labels).sum()),
        inputs=inputs,
        figures=_figures(margins, labels, fold_of, goal),
        terms=list(zip(vectors.ngrams, vectors.idf.tolist(), weights, strict=True)),
    )


def matrix_of(vectors: Vectors) -> Any:
    """Return the vectors as a sparse matrix of SciPy."""
    from scipy.sparse import csr_matrix

    shape = (len(vectors.relevant), len(vectors.ngrams))
    return csr_matrix((vectors.values, vectors.columns, vectors.starts), shape=shape)


def estimator(learner: str) -> Any:
    """Return an untrained classifier. The rarer class counts as much as the other."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    kind = LinearSVC if learner == SVM else LogisticRegression
    more = {} if learner == SVM else {"solver": "liblinear"}
    return kind(class_weight="balanced", random_state=SEED, max_iter=10_000, **more)


def _held_out(
    matrix: Any, labels: _Labels, learner: str, folds: int, progress: Callable[[int], None]
) -> tuple[_Margins, NDArray[np.intp]]:
    """(Margin of each page by a classifier that has not seen it, its fold)."""
    from sklearn.model_selection import StratifiedKFold

    margins, fold_of = np.empty(len(labels)), np.empty(len(labels), dtype=np.intp)
    split = StratifiedKFold(folds, shuffle=True, random_state=SEED).split(matrix, labels)
    for fold, (train, test) in enumerate(split):
        margins[test] = estimator(learner).fit(matrix[train], labels[train]).decision_function(matrix[test])
        fold_of[test] = fold
        progress(fold + 1)
    return margins, fold_of


def threshold_of(margins: _Margins, labels: _Labels, goal: Goal) -> float:
    """Return the threshold that is best for a goal: half-way to the next lower margin."""
    from sklearn.metrics import precision_recall_curve

    precision, recall, at = precision_recall_curve(labels, margins)
    precision, recall = precision[:-1], recall[:-1]  # the last ones have no threshold
    if goal.precision is not None:
        if (enough := precision >= goal.precision).any():
            best = int(np.lexsort((at, recall * enough))[-1])
        else:
            best = int(np.lexsort((recall, precision))[-1])
    elif goal.recall is not None:
        enough = recall >= goal.recall
        best = int(np.lexsort((at, precision * enough))[-1])
    else:
        f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        best = int(np.lexsort((at, f1))[-1])
    lower = margins[margins < at[best]]
    return float((at[best] + lower.max()) / 2 if lower.size else at[best])


def calibration(margins: _Margins, labels: _Labels) -> tuple[float, float]:
    """Return (slope, offset) of the probability, with the targets of Platt (1999) against overconfidence."""
    from sklearn.linear_model import LogisticRegression

    positive, negative = labels.sum(), (~labels).sum()
    target = np.where(labels, (positive + 1) / (positive + 2), 1 / (negative + 2))
    both = np.concatenate([margins, margins])[:, np.newaxis]
    classes = np.repeat([1, 0], len(margins))
    weights = np.concatenate([target, 1 - target])
    fitted = LogisticRegression(C=1e10, tol=1e-9, max_iter=10_000).fit(both, classes, sample_weight=weights)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def _figures(margins: _Margins, labels: _Labels, fold_of: NDArray[np.intp], goal: Goal) -> Figures:
    from sklearn.metrics import average_precision_score

    rows, errors = [], np.empty(len(margins))
    for fold in range(int(fold_of.max()) + 1):
        test = fold_of == fold
        accepted = margins[test] >= threshold_of(margins[~test], labels[~test], goal)
        precision = _precision(accepted, labels[test])
        recall = float((accepted & labels[test]).sum() / labels[test].sum())
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        rows.append((precision, recall, f1, float(average_precision_score(labels[test], margins[test]))))
        slope, offset = calibration(margins[~test], labels[~test])
        errors[test] = 1 / (1 + np.exp(-(slope * margins[test] + offset))) - labels[test]
    precisions, recalls, f1s, averages = (
        Spread(float(np.mean(each)), float(np.std(each))) for each in zip(*rows, strict=True)
    )
    return Figures(
        folds=len(rows),
        precision=precisions,
        recall=recalls,
        f1=f1s,
        average_precision=averages,
        brier=float(np.mean(errors**2)),
    )


def _precision(accepted: _Labels, labels: _Labels) -> float:
    """1 if no page is accepted: none is wrong."""
    return float((accepted & labels).sum() / accepted.sum()) if accepted.any() else 1.0
