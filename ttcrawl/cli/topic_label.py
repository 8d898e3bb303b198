"""`ttcrawl topic label`: questions, training after every few answers, and at the end the model and the new scores."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.cluster.maintain import save_in_rings
from ttcrawl.errors import DONE, STOPPED, require
from ttcrawl.inspect.topic.label.learner import FEWEST, Learner
from ttcrawl.inspect.topic.label.lists import Lists
from ttcrawl.inspect.topic.label.pool import read_pool
from ttcrawl.inspect.topic.label.questions import Questions
from ttcrawl.inspect.topic.label.terminal import Terminal
from ttcrawl.inspect.topic.labelled import IRRELEVANT, RELEVANT
from ttcrawl.inspect.topic.model_output import lines, must_be_writable, write
from ttcrawl.maintain.save_topics import save
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.mailbox import is_cluster
from ttcrawl.store.stopped import check, must_be_complete
from ttcrawl.topic.classifier import Classifier
from ttcrawl.topic.model import load_model

QUESTION = "Score the pages of the crawl by this model, and store the scores? [y] yes  [n] no"


def label(args: argparse.Namespace) -> int:
    """Ask until the user quits or all pages were asked. Returns the exit status. Raises UsageError."""
    require("sklearn")
    directory, output = Path(args.target), args.output or Path("model.json")
    pages = crawl_to_read(directory)
    relevant, irrelevant = args.relevant or RELEVANT, args.irrelevant or IRRELEVANT
    ngrams = args.ngrams or 2
    check(pages)
    must_be_complete(pages)
    must_be_writable(output)
    model = Classifier(load_model(args.model)) if args.model is not None else None
    with ExitStack() as opened:
        lists = opened.enter_context(Lists(relevant, irrelevant))
        db = opened.enter_context(view(pages))
        with ReadProgress() as progress:
            pool = read_pool(db, relevant, irrelevant, ngrams, model, opened, progress)
        db.let_go()  # while a person thinks, a crawl that runs could not shorten its journal
        learner = Learner(pool, args.learner or "svm", ngrams, args.folds or 5)
        questions = Questions(db, pool, learner, lists)
        with Terminal() as terminal:
            questions.ask(terminal)
            trained = learner.learn(questions.session.labels)
            if trained is None:
                print(f"no model is trained: it needs {FEWEST} labels of each class; the answers are kept")
                return STOPPED
            write(output, trained)
            print("\n".join(map(escape_untrusted, lines(trained, output, {}))))
            print(f"  accepts {learner.accepted:,} of {counted(len(pool.ids), 'page')}")
            stored = bool(args.save) or terminal.confirm(QUESTION)
    if stored:  # the view is closed: a writer waits for readers
        with ReadProgress() as progress:
            store = save_in_rings if is_cluster(directory) else save
            print(store(directory, {"model": str(output)}, progress).text(directory))
    else:
        later = command_line("topic", "score", directory, "--model", output, "--save")
        print(f"{later} does so later")
    return DONE
