"""`ttcrawl status`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.cli.arguments import between

SUMMARY = "what a crawl is doing, and why hosts wait"
IN_HELP = ("Look", 1)


def options(status: argparse.ArgumentParser) -> None:
    add = status.add_argument
    add("directory", metavar="DIR", type=Path)
    about = "hosts shown, longest queue first (20)"
    add("--hosts", metavar="N", type=between(0, 1_000_000), default=20, help=about)
    add("--format", default="text", choices=("text", "json"))


def run(args: argparse.Namespace) -> int:
    from ttcrawl.output.terminal import show
    from ttcrawl.snapshot.status import render, status

    show(render(status(args.directory, args.hosts), args.format), args.format)
    return 0
