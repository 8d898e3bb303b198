"""What `ttcrawl topic` does with its options. Each function imports the heavy libraries that it needs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.engine.progress import ReadProgress
from ttcrawl.errors import DONE, UsageError

if TYPE_CHECKING:
    from ttcrawl.ask.topic.judgment import Judge


def train_topic(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.ask.topic.train import Training, train
    from ttcrawl.topic.learn import Goal

    sources = (options.relevant, options.irrelevant)
    directories = [path.is_dir() for path in sources]
    if options.target is None and not all(directories):
        raise UsageError("name a crawl and two lists of its URLs, or two directories of files")
    if options.target is not None and any(directories):
        raise UsageError("with a crawl, --relevant and --irrelevant are files with one URL per line, no directories")
    return train(
        Training(
            directory=Path(options.target) if options.target is not None else None,
            relevant=options.relevant,
            irrelevant=options.irrelevant,
            output=options.output or Path("model.json"),
            learner=options.learner or "svm",
            ngrams=options.ngrams or 2,
            folds=options.folds or 5,
            goal=Goal(precision=options.precision, recall=options.recall),
            format=options.format,
        )
    )


def label_topic(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.ask.topic.label.run import Labelling, label

    return label(
        Labelling(
            directory=Path(options.target),
            relevant=options.relevant or Path("relevant.txt"),
            irrelevant=options.irrelevant or Path("irrelevant.txt"),
            model=options.model,
            output=options.output or Path("model.json"),
            learner=options.learner or "svm",
            ngrams=options.ngrams or 2,
            folds=options.folds or 5,
            save=bool(options.save),
        )
    )


def recall_of_topic(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.ask.topic.recall import recall

    directories = [Path(each) for each in (options.target, *options.urls)]
    return recall(directories, options.held_back, options.format)


def save_scores(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.ask.topic.save import save

    names = ("terms", "model", "algorithm", "hierarchy", "stop_words", "sites_ok", "compatible")
    changes = {name: getattr(options, name) for name in names}
    changes = {name: str(value) if isinstance(value, Path) else value for name, value in changes.items() if value}
    if "terms" in changes:
        changes["model"] = ""
    directory = Path(options.target)
    with ReadProgress() as progress:
        saved = save(directory, changes, progress)
    print(saved.text(directory))
    return DONE


def judge_of(options: argparse.Namespace) -> Judge:
    """The term list or the model. Raises UsageError."""
    if options.model is not None:
        from ttcrawl.ask.topic.by_model import ByModel

        return ByModel(options.model, sites_ok=options.sites_ok)
    from ttcrawl.ask.topic.by_terms import ByTerms

    return ByTerms(
        options.terms,
        options.algorithm or "plain",
        options.hierarchy or "flat",
        stop_words=options.stop_words,
        sites_ok=options.sites_ok,
        compatible=bool(options.compatible),
    )
