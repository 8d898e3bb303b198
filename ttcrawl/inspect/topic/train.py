"""`ttcrawl topic train`: labelled pages -> a file with a model, and what it is worth."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ttcrawl.errors import DONE, UsageError, require
from ttcrawl.inspect.topic.labelled import from_crawl, from_directories, from_labels
from ttcrawl.inspect.topic.model_output import lines, must_be_writable, strongest, write
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.json_form import json_form
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.topic.corpus import Corpus
from ttcrawl.topic.learn import Goal, learn
from ttcrawl.topic.model import Model
from ttcrawl.topic.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What the command line says. `directory`: of a crawl; None: `classes` are directories.

    `classes`: the relevant and the irrelevant pages; None: the crawl's own labels.
    """

    directory: Path | None
    classes: tuple[Path, Path] | None
    output: Path
    learner: str
    ngrams: int
    folds: int
    goal: Goal
    format: str


def train(training: Training) -> int:
    """Write the model and print its figures. Returns the exit status. Raises UsageError."""
    require("sklearn")
    must_be_writable(training.output)
    with Corpus(training.ngrams) as corpus, ReadProgress() as progress:
        for relevant, page in _pages(training, progress):
            corpus.add(page, relevant=relevant)
        _check(corpus, training.folds)
        model = _learned(training, corpus, progress)
        left_out = _left_out(corpus)
    write(training.output, model)
    if training.format == "json":
        print(json_form(_fields(model, training.output, left_out)))
    else:
        print("\n".join(map(escape_untrusted, lines(model, training.output, left_out))))
    return DONE


def _learned(training: Training, corpus: Corpus, progress: ReadProgress) -> Model:
    """Raises UsageError."""
    total = 2 * sum(corpus.counts)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = learn(
                corpus.vectors(lambda count: progress("words", count, total)),
                training.learner,
                training.ngrams,
                training.folds,
                training.goal,
                corpus.digest(),
                lambda fold: progress("folds", fold, training.folds + 1),
            )
        except ValueError as error:
            raise UsageError(f"no model is trained: {error}") from error
    for text in dict.fromkeys(" ".join(str(each.message).split()) for each in caught):
        tell(f"scikit-learn warns: {text}")
    if model.slope <= 0:
        tell("the words of the two classes do not differ: this model is not better than chance")
    return model


def _pages(training: Training, progress: ReadProgress) -> Iterator[tuple[bool, Page]]:
    if training.directory is None:
        assert training.classes is not None
        return from_directories(*training.classes, progress)
    if training.classes is None:
        return from_labels(training.directory, progress)
    return from_crawl(training.directory, *training.classes, progress)


def _check(corpus: Corpus, folds: int) -> None:
    """Raises UsageError."""
    for name, count in zip(("relevant", "irrelevant"), corpus.counts, strict=True):
        if count == 0:
            raise UsageError(f"no {name} page with words: name pages of both classes{_reasons(corpus)}")
        if count < folds:
            raise UsageError(
                f"{folds} folds need {folds} {name} pages, and there are {count}{_reasons(corpus)}:"
                " name more pages, or fewer --folds"
            )


def _reasons(corpus: Corpus) -> str:
    left_out = [f"{count:,} {name}" for name, count in _left_out(corpus).items() if count]
    return f" (left out: {', '.join(left_out)})" if left_out else ""


def _left_out(corpus: Corpus) -> dict[str, int]:
    return {
        "without words": corpus.without_words,
        "with the words of an earlier page": corpus.repeated,
        "in both classes": corpus.contradictory,
    }


def _fields(model: Model, output: Path, left_out: dict[str, int]) -> dict[str, Any]:
    relevant, irrelevant = strongest(model)
    fields: dict[str, Any] = msgspec.to_builtins(model)
    del fields["terms"]
    return {
        "model": str(output),
        **fields,
        "terms": len(model.terms),
        "left_out": left_out,
        "strongest": {"relevant": dict(relevant), "irrelevant": dict(irrelevant)},
    }
