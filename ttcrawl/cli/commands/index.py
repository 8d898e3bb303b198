"""`ttcrawl index`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import crawl_directory, directory

SUMMARY = "bring a crawl into an index of Zebra, and keep it up to date"
IN_HELP = ("Give", 3)
EXAMPLES = (("index a crawl while it runs", "index crawl-example.org zebra --follow"),)


def options(index: argparse.ArgumentParser) -> None:
    add = index.add_argument
    crawl_directory(index)
    about = "the directory of the index, with its zebra.cfg (default: [hooks] zebra in DIR/config.ini)"
    add("index", metavar="INDEX", type=directory, nargs="?", help=about)
    add("--follow", action="store_true", help="index what changes until the crawl has ended")


def run(args: argparse.Namespace) -> int:
    from ttcrawl.export.zebra import index

    return index(args.directory, args.index, follow=args.follow)
