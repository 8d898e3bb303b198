"""`ttcrawl read`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.cli.arguments import crawl_directory, prepare_processes, processes
from ttcrawl.errors import DONE

SUMMARY = "read the pages whose reading was put off"
IN_HELP = ("Change", 3)
EXAMPLES = (("read the pages that wait", "read crawl-example.org"),)


def options(read: argparse.ArgumentParser) -> None:
    crawl_directory(read)
    about = "number of parse processes (default: one for each processor)"
    read.add_argument("--parsers", metavar="N", type=processes, default=0, help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.cluster.stopped_rings import stopped_rings
    from ttcrawl.store.mailbox import is_cluster

    prepare_processes(args, fetch_first=False)
    if not is_cluster(args.directory):
        return _read(args.directory, args.parsers)
    with stopped_rings(args.directory) as rings:
        for path in rings.paths.values():
            if status := _read(path, args.parsers, ring=True):
                return status
    return DONE


def _read(directory: Path, parsers: int, *, ring: bool = False) -> int:
    from ttcrawl.cli.crawling import write_report
    from ttcrawl.engine.run.reading import read
    from ttcrawl.output.display import ReadProgress, tell

    with ReadProgress() as progress:
        status = read(directory, parsers, progress, tell, ring=ring)
    write_report(directory)
    return status
