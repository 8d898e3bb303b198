"""`ttcrawl index`: its options, and what it does with them."""

from __future__ import annotations

import argparse
from pathlib import Path


def index_options(index: argparse.ArgumentParser) -> None:
    add = index.add_argument
    add("directory", metavar="DIR", type=Path)
    about = "the directory of the index, with its zebra.cfg (default: [hooks] zebra in DIR/config.ini)"
    add("index", metavar="INDEX", type=Path, nargs="?", help=about)
    add("--follow", action="store_true", help="index what changes until the crawl has ended")


def index(options: argparse.Namespace) -> int:
    """Returns the exit status."""
    from ttcrawl.export.zebra import index

    return index(options.directory, options.index, follow=options.follow)
