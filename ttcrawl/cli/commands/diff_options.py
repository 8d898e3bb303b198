"""The options of `ttcrawl diff`."""

from __future__ import annotations

import argparse
from pathlib import Path


def diff_options(diff: argparse.ArgumentParser) -> None:
    add = diff.add_argument
    add("directory", metavar="DIR", type=Path)
    about = (
        "another crawl; or one or two moments, such as 2026-01-31 or 2026-01-31T12:00:00 (UTC; default: the first and"
        " the latest response of each URL)"
    )
    add("others", metavar="DIR|TIME", nargs="*", default=[], help=about)
    about = "only changes for which this holds, such as 'change=gone' or 'same<0.9' (repeatable: all must hold)"
    add("--where", dest="conditions", metavar="CONDITION", action="append", default=[], help=about)
    add("--text", action="store_true", help="add a unified diff of the main text")
    about = "list the links that appeared and vanished, and the pages to which no other page links any more"
    add("--links", action="store_true", help=about)
    add("--format", default="text", choices=("text", "jsonl"))
