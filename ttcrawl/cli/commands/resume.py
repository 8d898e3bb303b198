"""`ttcrawl resume`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import prepare_processes, resume_options

SUMMARY = "continue a crawl that stopped for any reason"
IN_HELP = ("Crawl", 2)
options = resume_options


def run(args: argparse.Namespace) -> int:
    prepare_processes(args)
    from ttcrawl.cli.crawling import resume

    return resume(args)
