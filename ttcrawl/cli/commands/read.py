"""`ttcrawl read`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import crawl_directory, prepare_processes, processes

SUMMARY = "read the pages whose reading was put off"
IN_HELP = ("Change", 3)
EXAMPLES = (("read the pages that wait", "read crawl-example.org"),)


def options(read: argparse.ArgumentParser) -> None:
    crawl_directory(read)
    about = "number of parse processes (default: one for each processor)"
    read.add_argument("--parsers", metavar="N", type=processes, default=0, help=about)


def run(args: argparse.Namespace) -> int:
    prepare_processes(args, fetch_first=False)
    from ttcrawl.cli.crawling import write_report
    from ttcrawl.engine.run.reading import read
    from ttcrawl.output.display import ReadProgress, tell

    with ReadProgress() as progress:
        status = read(args.directory, args.parsers, progress, tell)
    write_report(args.directory)
    return status
