"""A trained model as a file, and as text: its figures, and the words that weigh most."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.output.number import counted
from ttcrawl.store.regular import must_not_be_kept, replace_named
from ttcrawl.topic.model import Model, Spread, packed


def must_be_writable(path: Path) -> None:
    """Raises UsageError, before a model is trained, for a part of a crawl and what cannot be a file."""
    must_not_be_kept(path)
    if (path.exists() and not path.is_file()) or not path.parent.is_dir():
        raise UsageError(f"{path} cannot be written: name a file in a directory that exists with -o")


def write(path: Path, model: Model) -> None:
    replace_named(path, packed(model))


#: Words and n-grams that are listed for each class.
TERMS = 20


def strongest(model: Model) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """What one occurrence of an n-gram weighs, before the vector gets length 1: most for and most against."""
    weights = sorted(((text, idf * weight) for text, idf, weight in model.terms), key=lambda each: (-each[1], each[0]))
    relevant = [each for each in weights[:TERMS] if each[1] > 0]
    return relevant, [each for each in weights[: -TERMS - 1 : -1] if each[1] < 0]


def lines(model: Model, output: Path, left_out: dict[str, int]) -> Iterator[str]:
    """The lines. `left_out`: why -> pages."""
    figures = model.figures
    yield (
        f"{output}: {model.learner}, {len(model.terms):,} words and n-grams of {model.relevant:,} relevant and"
        f" {counted(model.irrelevant, 'irrelevant page')}"
    )
    for name, count in left_out.items():
        if count:
            yield f"  left out: {count:,} {name}"
    yield f"  {figures.folds}-fold cross-validation: mean, standard deviation over the folds"
    rows: dict[str, Spread] = {
        "precision": figures.precision,
        "recall": figures.recall,
        "F1": figures.f1,
        "average precision": figures.average_precision,
    }
    for name, spread in rows.items():
        yield f"  {name:>18}  {spread.mean:.4f}  {spread.deviation:.4f}"
    yield f"  {'Brier score':>18}  {figures.brier:.4f}  (mean squared error of the probability)"
    yield f"  accepted from a margin of {model.threshold:.4f} on (chosen for {model.criterion})"
    relevant, irrelevant = strongest(model)
    yield "  the words that weigh most"
    yield f"  {'relevant':>32}  {'':>8}  irrelevant"
    for row in range(max(len(relevant), len(irrelevant))):
        one = relevant[row] if row < len(relevant) else ("", None)
        other = irrelevant[row] if row < len(irrelevant) else ("", None)
        yield f"  {one[0]:>32}  {_weight(one[1])}  {_weight(other[1])}  {other[0]}".rstrip()


def _weight(weight: float | None) -> str:
    return f"{weight:>+8.2f}" if weight is not None else " " * 8
