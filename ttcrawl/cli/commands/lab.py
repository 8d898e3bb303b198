"""`ttcrawl lab`: policies on a recorded web."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import (
    CONFIGURATION,
    any_key,
    between,
    crawl_directory,
    directory,
    group,
    output_form,
    processes,
)
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, UsageError

if TYPE_CHECKING:
    from ttcrawl.output.layout import Section

SUMMARY = "try policies on the web that a crawl has recorded"
IN_HELP = ("Tools", 5)
EXAMPLES = (
    ("which order finds the linked pages first", "lab crawl-example.org --policy breadth --policy in-links"),
    (
        "a longer delay, and one's own policy",
        "lab crawl-example.org --policy breadth,politeness.delay=5 --policy mine.py:score",
    ),
    ("which policy keeps copies fresh, at 1,000 visits a day", "lab crawl-example.org --recrawl --budget 1000"),
)


def options(lab: argparse.ArgumentParser) -> None:
    crawl_directory(lab)
    about = (
        "a policy (repeatable; default: breadth and random): breadth, first, directory, random, in-links, pagerank,"
        " rank-mass, opic, relevant, topic, sitemap, larger-sites, or FILE.py:FUNCTION; with settings of its own behind"
        " commas, such as breadth,politeness.delay=5 or breadth,traps=off"
    )
    lab.add_argument("--policy", metavar="POLICY", dest="policies", action="append", default=[], help=about)
    about = "trials of each policy, with times drawn from those of each host: the table shows their range (default: 1)"
    lab.add_argument("--trials", metavar="N", type=between(1, 1000), default=1, help=about)
    about = "end each trial after N pages"
    lab.add_argument("--max-pages", metavar="N", type=between(1, 999_999_999), help=about)
    about = "write the curves as CSV and JSON and, with matplotlib, figures into this directory"
    lab.add_argument("-o", "--out", metavar="DIR", type=directory, help=about)
    about = (
        "instead: try policies for visits (freshness, age, harmonic, uniform, proportional, important) on the recorded"
        " changes of a crawl that was crawled again"
    )
    lab.add_argument("--recrawl", action="store_true", help=about)
    about = "visits in 24 hours with --recrawl (default: as many as the record made)"
    lab.add_argument("--budget", metavar="N", type=between(1, 999_999_999), help=about)
    about = "what makes a page important with --recrawl: depth (links from the seeds; default), in-links, or equal"
    lab.add_argument("--weights", choices=("depth", "in-links", "equal"), help=about)
    about = "trials at once, which changes no result (default: one for each processor; of a small record one)"
    lab.add_argument("--processes", metavar="N", type=processes, default=0, help=about)
    any_key(group(lab, CONFIGURATION))
    output_form(lab, "json", "csv")


def run(args: argparse.Namespace) -> int:
    if args.recrawl:
        return _recrawl(args)
    if args.budget is not None or args.weights:
        raise UsageError(f"--{'budget' if args.budget is not None else 'weights'} goes with --recrawl")
    return _crawl(args)


def _recrawl(args: argparse.Namespace) -> int:
    from ttcrawl.lab.files import recrawl_csv, recrawl_json, write_recrawls
    from ttcrawl.lab.recrawling import recrawls
    from ttcrawl.lab.table import recrawl_section
    from ttcrawl.snapshot.snapshot import view

    if args.max_pages or args.processes or args.set:
        raise UsageError("--recrawl makes no crawls: leave out --max-pages, --processes and --set")
    with view(crawl_to_read(args.directory)) as crawl:
        done = recrawls(crawl, args.policies, args.budget, weights=args.weights or "depth", trials=args.trials)
    _show(args.format, lambda: recrawl_section(done), lambda: recrawl_json(done), lambda: recrawl_csv(done))
    return _written(args.out, lambda out: write_recrawls(done, out))


def _crawl(args: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import overrides
    from ttcrawl.lab.bench import tried_of
    from ttcrawl.lab.experiment import experiment, limits_of
    from ttcrawl.lab.files import csv_text, json_text, write
    from ttcrawl.lab.table import section
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.snapshot.snapshot import view

    policies = [tried_of(each) for each in dict.fromkeys(args.policies or ("breadth", "random"))]
    settings = overrides(args)
    if args.max_pages:
        settings.append(("crawl.max_pages", str(args.max_pages)))
    with view(crawl_to_read(args.directory)) as crawl, ReadProgress() as progress:
        done = experiment(
            crawl, policies, trials=args.trials, settings=settings, processes=args.processes, progress=progress
        )
    _show(args.format, lambda: section(done), lambda: json_text(done), lambda: csv_text(done))
    for line in limits_of(done):
        tell(line)
    return _written(args.out, lambda out: write(done, out))


def _show(form: str, text: Callable[[], Section], as_json: Callable[[], str], as_csv: Callable[[], str]) -> None:
    from ttcrawl.output.tables import lay_out
    from ttcrawl.output.terminal import screen, show

    if form == "text":
        show(lay_out([text()], [""], "text", screen()))
    else:
        print({"json": as_json, "csv": as_csv}[form]())


def _written(out: Path | None, write: Callable[[Path], Sequence[Path]]) -> int:
    from ttcrawl.output.display import tell

    for path in write(out) if out is not None else ():
        tell(f"wrote {path}")
    return DONE
