"""`ttcrawl resume`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import resume_options

SUMMARY = "continue a crawl that stopped for any reason"
IN_HELP = ("Crawl", 2)
options = resume_options


def run(args: argparse.Namespace) -> int:
    if not args.inline:
        from ttcrawl.ring import fork_server

        fork_server.prepare()  # it imports as much as the command does, so both import at the same time
    from ttcrawl.cli.crawling import resume

    return resume(args)
