"""Crawls of the corpus in every order: see the docstring of the package.

python -m benchmarks.topical [--runs N ...] [--only ORDER ...] [--save]

Every curve is kept in bench-results/topical; one that is there is not measured again. `--save` writes table and plot
into docs/, for which five runs are the least.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import manual
from benchmarks.crawlers import ROOT
from benchmarks.docsites import Missing
from benchmarks.topical.corpus import Corpus, corpus
from benchmarks.topical.crawls import BREADTH, Order, crawl, orders
from benchmarks.topical.curve import SHARES, Curve, Run, plot, table
from benchmarks.topical.model import train
from benchmarks.topical.subject import MEASURED, SUBJECTS, Subject

RESULTS = ROOT / "bench-results" / "topical"
MANUAL, PICTURE = ROOT / "docs" / "topic.md", ROOT / "docs" / "topic-found.png"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"

#: Share of the relevant pages at which a crawl ends. Breadth first finds all of them.
ENOUGH = max(SHARES)


def measure(served: Corpus, subject: Subject, wanted: Sequence[Order], number: int, work: Path) -> dict[str, Run]:
    """Order -> its run of this number. Breadth first is the first order: it says how many relevant pages there are."""
    runs: dict[str, Run] = {}
    relevant = 0
    for order in wanted:
        path = RESULTS / f"{order.name.replace(', ', '-').replace(' ', '-')}-{number}.json"
        if path.exists():
            curve = Curve(**json.loads(path.read_text()))
        else:
            with tempfile.TemporaryDirectory(dir=work) as folder:
                enough = math.ceil(ENOUGH * relevant) if relevant else math.inf
                curve = crawl(served, subject, order, number, Path(folder) / "crawl", enough)
            path.write_text(json.dumps(asdict(curve)))
        relevant = relevant or len(curve.found)
        runs[order.name] = run = Run(curve, relevant)
        marks = ", ".join(f"{share:.0%}: {run.pages(share)}" for share in SHARES)
        print(f"run {number}, {order.name}: {marks}", file=sys.stderr, flush=True)
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--only", nargs="+", metavar="ORDER", help=f"besides {BREADTH}")
    parser.add_argument("--save", action="store_true", help="write the result into docs/")
    arguments = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    subject = SUBJECTS[MEASURED]
    model = RESULTS / f"{subject.name}.json"
    wanted = [each for each in orders(subject, model) if each.name in {BREADTH, *(arguments.only or [each.name])}]
    try:
        with tempfile.TemporaryDirectory(prefix="topical-") as folder, corpus(arguments.runs) as served:
            if not model.exists():
                shutil.move(train(subject, Path(folder)), model)
            every = [measure(served, subject, wanted, number, Path(folder)) for number in arguments.runs]
    except Missing as missing:
        raise SystemExit(str(missing)) from None
    runs = {order.name: [each[order.name] for each in every] for order in wanted}
    about = f"{len(every)} runs: median and range. {os.cpu_count()} cores, Python {platform.python_version()}."
    text = f"{about}\n\n{table(runs, BREADTH)}"
    print(text)
    if arguments.save:
        manual.write(MANUAL, BEGIN, END, text)
        plot(runs, PICTURE)


if __name__ == "__main__":
    main()
