"""`ttcrawl resume`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import prepare_processes, resume_options

SUMMARY = "continue a crawl that stopped for any reason"
IN_HELP = ("Crawl", 2)
EXAMPLES = (("continue with 1,000 more pages", "resume crawl-example.org --max-pages 2000"),)
options = resume_options


def run(args: argparse.Namespace) -> int:
    prepare_processes(args)
    from ttcrawl.cli.crawling import resume

    return resume(args)
