"""`ttcrawl recrawl`."""

from __future__ import annotations

import argparse
import time

from ttcrawl.cli.arguments import prepare_processes, resume_options, visit_options

SUMMARY = "visit the pages of a crawl again, for ever or once"
IN_HELP = ("Crawl", 3)
EXAMPLES = (
    (
        "visit each page once a day, for ever",
        "recrawl crawl-example.org --set revisit.policy=fixed",
    ),
    ("visit what is due now, then end", "recrawl crawl-example.org --once"),
)


def options(recrawl: argparse.ArgumentParser) -> None:
    resume_options(recrawl)
    visit_options(recrawl)


def run(args: argparse.Namespace) -> int:
    prepare_processes(args)
    from ttcrawl.cli.crawling import resume
    from ttcrawl.engine.recrawl.recrawls import Recrawl

    return resume(args, Recrawl(wall=time.time, once=args.once, known=args.known))
