"""`ttcrawl lab`: policies on a recorded web."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.cli.arguments import CONFIGURATION, any_key, between, crawl_directory, group, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, UsageError

SUMMARY = "try policies on a recorded web: crawl it again on a virtual clock, without a request"
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
        " relevant, topic, sitemap, larger-sites, or FILE.py:FUNCTION; with settings of its own behind commas, such as"
        " breadth,politeness.delay=5 or breadth,traps=off"
    )
    lab.add_argument("--policy", metavar="POLICY", dest="policies", action="append", default=[], help=about)
    about = "trials of each policy, with times drawn from those of each host: the table shows their range (default: 1)"
    lab.add_argument("--seeds", metavar="N", type=between(1, 1000), default=1, help=about)
    about = "end each trial after N pages"
    lab.add_argument("--max-pages", metavar="N", type=between(1, 999_999_999), help=about)
    about = "write curves.csv, lab.json and, with matplotlib, figures into this directory"
    lab.add_argument("--out", metavar="DIR", type=Path, help=about)
    about = (
        "instead: try policies for visits (freshness, age, harmonic, uniform, proportional, important) on the recorded"
        " changes of a crawl that was crawled again"
    )
    lab.add_argument("--recrawl", action="store_true", help=about)
    about = "visits in 24 hours with --recrawl (default: as many as the record made)"
    lab.add_argument("--budget", metavar="N", type=between(1, 999_999_999), help=about)
    any_key(group(lab, CONFIGURATION))
    output_form(lab, "json", "csv")


def run(args: argparse.Namespace) -> int:
    if args.recrawl:
        return _recrawl(args)
    if args.budget is not None:
        raise UsageError("--budget goes with --recrawl")
    return _crawl(args)


def _recrawl(args: argparse.Namespace) -> int:
    from msgspec.structs import asdict

    from ttcrawl.lab.recrawling import recrawl_rows, recrawls
    from ttcrawl.lab.table import csv_rows, laid_out
    from ttcrawl.output.json_form import json_form
    from ttcrawl.snapshot.snapshot import view

    with view(crawl_to_read(args.directory)) as crawl:
        done = recrawls(crawl, args.policies, args.budget)
    if args.format == "text":
        print("\n".join(laid_out(recrawl_rows(done))))
    else:
        rows = [asdict(each) for each in done]
        print(json_form(rows) if args.format == "json" else csv_rows(rows))
    return DONE


def _crawl(args: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import overrides
    from ttcrawl.lab.experiment import experiment, limits_of, tried_of
    from ttcrawl.lab.files import csv_text, json_text, write
    from ttcrawl.lab.table import lines
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.snapshot.snapshot import view

    policies = [tried_of(each) for each in dict.fromkeys(args.policies or ("breadth", "random"))]
    settings = overrides(args)
    if args.max_pages:
        settings.append(("crawl.max_pages", str(args.max_pages)))
    with view(crawl_to_read(args.directory)) as crawl, ReadProgress() as progress:
        done = experiment(crawl, policies, seeds=args.seeds, settings=settings, progress=progress)
    if args.format == "text":
        for line in lines(done):
            print(escape_untrusted(line))
    else:
        print({"json": json_text, "csv": csv_text}[args.format](done))
    for line in limits_of(done):
        tell(line)
    if args.out is not None:
        for path in write(done, args.out):
            tell(f"written: {path}")
    return DONE
