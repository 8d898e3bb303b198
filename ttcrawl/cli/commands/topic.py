"""`ttcrawl topic`: the options of each action, and what they mean."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ttcrawl.cli.arguments import CONFIGURATION, REQUESTS, between, group, output_form, request_options, settings
from ttcrawl.errors import UsageError, require
from ttcrawl.output.shell import command_line

SUMMARY = "which pages are about a subject"
IN_HELP = ("Tools", 4)
EXAMPLES = (
    ("the pages that are best by a list of terms", "topic score crawl-example.org --terms terms.txt"),
    (
        "a model from labelled pages",
        "topic train crawl-example.org --relevant yes.txt --irrelevant no.txt",
    ),
    ("label the pages of which a model is least sure", "topic label crawl-example.org"),
    ("how many relevant pages were missed?", "topic recall first second"),
)

#: Action -> what it does, and what its words are.
ACTIONS = {
    "score": {
        "action": "score pages by a list of terms or a model, and explain the scores",
        "target": "a crawl, a file of HTML or text, or a URL to fetch",
        "urls": "pages of the crawl to explain (default: list its best pages)",
    },
    "train": {
        "action": "train a model from labelled pages",
        "target": "the crawl with the pages; none, if they are in directories of files",
        "urls": argparse.SUPPRESS,
    },
    "label": {
        "action": "label pages that a model is least sure of",
        "target": "the crawl with the pages",
        "urls": argparse.SUPPRESS,
    },
    "recall": {
        "action": "estimate the recall of crawls",
        "target": "a crawl",
        "urls": "another crawl, with other seeds",
    },
}

#: Options of each action, beside those that say how score fetches a URL.
_OF_BOTH = ("relevant", "irrelevant", "output", "learner", "ngrams", "folds")
_OPTIONS = {
    "score": (
        "terms",
        "model",
        "algorithm",
        "hierarchy",
        "stop_words",
        "compatible",
        "sites_ok",
        "languages",
        "limit",
        "save",
    ),
    "train": (*_OF_BOTH, "precision", "recall"),
    "label": (*_OF_BOTH, "model", "save"),
    "recall": ("held_back",),
}
_OF_REQUESTS = ("obey_delay", "headers", "cookies", "agent.user_agent", "resolve", "config", "set")


class _Action(argparse.Action):
    """The action of a line. Help that is asked for behind it has its own options alone."""

    def __call__(self, parser: Any, args: argparse.Namespace, action: Any, option: str | None = None) -> None:
        setattr(args, self.dest, action)
        hidden = {*_others(action), *(() if action == "score" else _OF_REQUESTS)}
        for each in parser.actions:
            each.help = argparse.SUPPRESS if each.dest in hidden else ACTIONS[action].get(each.dest, each.help)
        self.metavar = action
        parser.examples = [line for line in EXAMPLES if line[1].startswith(f"topic {action} ")]


def _others(action: str) -> list[str]:
    """The options that only other actions have."""
    return [name for names in _OPTIONS.values() for name in names if name not in _OPTIONS[action]]


def options(topic: argparse.ArgumentParser) -> None:
    add = topic.add_argument
    about = (
        "score pages by a list of terms or a model, and explain the scores; train a model from labelled pages; label"
        " pages that a model is least sure of; estimate the recall of crawls"
    )
    add("action", metavar="|".join(ACTIONS), choices=ACTIONS, action=_Action, help=about)
    about = "a crawl; score: also a file of HTML or text, or a URL to fetch; train: not for directories of files"
    add("target", metavar="DIR|FILE|URL", nargs="?", help=about)
    about = "score: pages of the crawl to explain (default: list its best pages); recall: the other crawl"
    add("urls", metavar="URL|DIR", nargs="*", default=[], help=about)
    output_form(topic, "json")
    _score_options(topic)
    _train_options(topic)
    about = "file with one URL per line: relevant pages that were no seeds"
    topic.add_argument_group("recall").add_argument("--held-back", metavar="FILE", type=Path, help=about)
    request_options(group(topic, REQUESTS))
    settings(group(topic, CONFIGURATION))


def _score_options(topic: argparse.ArgumentParser) -> None:
    add, of_both = (group(topic, title).add_argument for title in ("score", "score, label"))
    about = "the list: lines such as 40: pitcher plant=CP (default: list and model of the crawl)"
    add("--terms", metavar="FILE", type=Path, help=about)
    of_both("--model", metavar="FILE", type=Path, help="a model of ttcrawl topic train; with a list it decides")
    about = "weights by part of the page, or by position and proximity (default: plain)"
    add("--algorithm", choices=("plain", "position"), help=about)
    about = "classes on several levels (CP.Drosera below CP): add scores to the class above, or below (default: flat)"
    add("--hierarchy", choices=("flat", "up", "down"), help=about)
    add("--stop-words", metavar="FILE", type=Path, help="words that are left out of terms and pages")
    add("--compatible", action="store_true", default=None, help="read and match exactly as Combine")
    add("--sites-ok", metavar="FILE", type=Path, help="regular expressions of URLs that always pass")
    about = "reject pages in other languages than these, such as en,sv; pages of unknown language may pass"
    add("--language", dest="languages", metavar="LIST", type=_languages, help=about)
    add("--limit", metavar="N", type=between(1, 1_000_000), help="pages of a crawl that are listed (default: 20)")
    about = "store the scores in a crawl that is not running, whose list or model these become"
    of_both("--save", action="store_true", default=None, help=about)


def _train_options(topic: argparse.ArgumentParser) -> None:
    add = topic.add_argument_group("train, label").add_argument
    about = (
        "pages about the subject: a file with one URL of the crawl per line, or a directory of files; label appends to"
        " the file (default: relevant.txt; of train also the labels of the crawl itself)"
    )
    add("--relevant", metavar="FILE|DIR", type=Path, help=about)
    add("--irrelevant", metavar="FILE|DIR", type=Path, help="pages about other subjects, likewise (irrelevant.txt)")
    about = "the model that is written (default: model.json)"
    add("-o", "--out", dest="output", metavar="FILE", type=Path, help=about)
    add("--output", metavar="FILE", type=Path, help=argparse.SUPPRESS)  # its name until 0.3
    about = "linear support vector machine, or logistic regression (default: svm)"
    add("--learner", choices=("svm", "logistic"), help=about)
    about = "words of the longest n-gram, 1 to 3 (default: 2)"
    add("--ngrams", metavar="N", type=between(1, 3), help=about)
    add("--folds", metavar="N", type=between(2, 100), help="folds of the cross-validation (default: 5)")
    add("--precision", metavar="P", type=_share, help="accept as many pages as this precision allows")
    add(
        "--recall", metavar="R", type=_share, help="accept as few pages as this recall allows (default: the largest F1)"
    )


def _languages(text: str) -> frozenset[str]:
    """Primary subtags: of en-GB, en."""
    names = [each.strip().lower().partition("-")[0] for each in text.split(",")]
    if not all(2 <= len(name) <= 8 and name.isascii() and name.isalpha() for name in names):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of languages such as en,sv")
    return frozenset(names)


def _share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share: write a number above 0, up to 1")
    return number


def run(args: argparse.Namespace) -> int:
    _check_options(args)
    if args.action != "recall":
        require("numpy", extra="topic")
    if args.action == "train":
        return _train(args)
    if args.action == "score":
        from ttcrawl.cli.topic_score import score

        return score(args)
    if args.action == "label":
        from ttcrawl.cli.topic_label import label

        return label(args)
    from ttcrawl.inspect.topic.recall import recall

    return recall([Path(each) for each in (args.target, *args.urls)], args.held_back, args.format)


def _train(args: argparse.Namespace) -> int:
    from ttcrawl.inspect.topic.train import Training, train
    from ttcrawl.topic.learn import Goal

    classes = (args.relevant, args.irrelevant) if args.relevant is not None else None
    directories = [path.is_dir() for path in classes or ()]
    if args.target is None and not all(directories):
        raise UsageError("name a crawl and two lists of its URLs, or two directories of files")
    if args.target is not None and any(directories):
        raise UsageError("with a crawl, --relevant and --irrelevant are files with one URL per line, no directories")
    return train(
        Training(
            directory=Path(args.target) if args.target is not None else None,
            classes=classes,
            output=args.output or Path("model.json"),
            learner=args.learner or "svm",
            ngrams=args.ngrams or 2,
            folds=args.folds or 5,
            goal=Goal(precision=args.precision, recall=args.recall),
            format=args.format,
        )
    )


def _check_options(args: argparse.Namespace) -> None:
    """Put the target in its place, and check that all options belong to the action. Raises UsageError."""
    if args.target is None and args.urls:  # they stand behind an option
        args.target, *args.urls = args.urls
    _refuse(args, _others(args.action), f"is not an option of {command_line('topic', args.action)}")
    _CHECKS[args.action](args)


def _check_score(args: argparse.Namespace) -> None:
    if args.target is None:
        raise UsageError("name a crawl, a file or a URL to score")
    if args.save:
        _check_save(args)


def _check_save(args: argparse.Namespace) -> None:
    """Without a list or a model: the crawl's own."""
    if args.urls:
        raise UsageError("--save stores the scores of all pages of a crawl: name no URL")
    _refuse(args, ("languages", "limit"), "belongs to a list of scores: --save stores those of all pages")


def _check_train(args: argparse.Namespace) -> None:
    """Without lists: the labels that the crawl has itself."""
    lists = [each for each in (args.relevant, args.irrelevant) if each is not None]
    if len(lists) == 1 or not (lists or args.target):
        raise UsageError("name pages of both classes: --relevant and --irrelevant")
    if args.precision is not None and args.recall is not None:
        raise UsageError("--precision and --recall exclude each other: name one")
    if args.urls:
        raise UsageError("ttcrawl topic train reads one crawl: name URLs in the files of --relevant and --irrelevant")


def _check_label(args: argparse.Namespace) -> None:
    if args.target is None or args.urls:
        raise UsageError("name one crawl, whose pages are labelled")


def _check_recall(args: argparse.Namespace) -> None:
    crawls = [each for each in (args.target, *args.urls) if each is not None]
    if not 1 <= len(crawls) <= 2 or (len(crawls) == 1 and args.held_back is None):
        raise UsageError("name two crawls with different seeds, or one crawl and --held-back FILE")


_CHECKS = {"score": _check_score, "train": _check_train, "label": _check_label, "recall": _check_recall}


def _refuse(args: argparse.Namespace, names: Sequence[str], why: str) -> None:
    for name in names:
        if getattr(args, name) is not None:
            raise UsageError(f"--{'language' if name == 'languages' else name.replace('_', '-')} {why}")
