"""What `ttcrawl topic` does with its options. Each function imports the heavy libraries that it needs."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.errors import UsageError


def train_topic(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.inspect.topic.train import Training, train
    from ttcrawl.topic.learn import Goal

    classes = (options.relevant, options.irrelevant) if options.relevant is not None else None
    directories = [path.is_dir() for path in classes or ()]
    if options.target is None and not all(directories):
        raise UsageError("name a crawl and two lists of its URLs, or two directories of files")
    if options.target is not None and any(directories):
        raise UsageError("with a crawl, --relevant and --irrelevant are files with one URL per line, no directories")
    return train(
        Training(
            directory=Path(options.target) if options.target is not None else None,
            classes=classes,
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
    from ttcrawl.cli.commands.topic_label import Labelling, label
    from ttcrawl.inspect.topic.labelled import IRRELEVANT, RELEVANT

    return label(
        Labelling(
            directory=Path(options.target),
            relevant=options.relevant or RELEVANT,
            irrelevant=options.irrelevant or IRRELEVANT,
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
    from ttcrawl.inspect.topic.recall import recall

    directories = [Path(each) for each in (options.target, *options.urls)]
    return recall(directories, options.held_back, options.format)
