"""The options of `ttcrawl check`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.cli.commands.crawl_options import request_options, seed_file_options, settings
from ttcrawl.inspect.check.kinds import NAMES


def check_options(check: argparse.ArgumentParser) -> None:
    add = check.add_argument
    add("seeds", metavar="SEED|DIR", nargs="*", default=[], help="URLs to crawl and check, or the directory of a crawl")
    add("-d", dest="directory", metavar="DIR", type=Path, help="where to crawl (default: crawl-HOST)")
    add("--max-pages", dest="crawl.max_pages", metavar="N", help="crawl at most N pages")
    seed_file_options(check)
    request_options(check)
    settings(check)
    about = "request external URLs, and what pages load, once (HEAD, then GET where HEAD is refused), or do not"
    add("--external", action=argparse.BooleanOptionalAction, default=True, help=about)
    for name, about in (
        ("--only", f"report only this kind of problem (repeatable): {', '.join(NAMES)}"),
        ("--skip", "do not report this kind of problem (repeatable)"),
    ):
        add(name, metavar="KIND", choices=NAMES, action="append", default=[], help=about)
    add("--baseline", metavar="FILE", type=Path, help="do not report the problems in this file")
    add("--write-baseline", metavar="FILE", type=Path, help="write all problems into this file; they count as known")
    add("--format", default="text", choices=("text", "json", "csv", "junit"))
    add("--progress", choices=("auto", "plain", "none"), default="auto", help="how progress is shown (default: auto)")
