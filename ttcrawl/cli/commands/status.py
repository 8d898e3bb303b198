"""`ttcrawl status`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import between, crawl_directory, output_form
from ttcrawl.errors import DONE

SUMMARY = "what a crawl is doing, and why hosts wait"
IN_HELP = ("Look", 1)
EXAMPLES = (("the 50 hosts with the longest queues", "status crawl-example.org --hosts 50"),)


def options(status: argparse.ArgumentParser) -> None:
    add = status.add_argument
    crawl_directory(status)
    about = "hosts shown, longest queue first (20)"
    add("--hosts", metavar="N", type=between(0, 1_000_000), default=20, help=about)
    output_form(status, "json")


def run(args: argparse.Namespace) -> int:
    from ttcrawl.cli.styles import OF_STATUS
    from ttcrawl.output.terminal import show
    from ttcrawl.snapshot.status import render, status
    from ttcrawl.store.mailbox import is_cluster

    if is_cluster(args.directory):
        from ttcrawl.cluster.status import cluster_status
        from ttcrawl.report import rings

        print(rings.render(cluster_status(args.directory), args.format))
        return DONE
    show(render(status(args.directory, args.hosts), args.format), args.format, OF_STATUS)
    return DONE
