"""The actions of `ttcrawl cluster` and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ttcrawl.cli.commands import cluster_commands as run
from ttcrawl.cli.commands.crawl_options import any_key, run_options, settings

#: Most rings on one machine.
MOST = 64


def cluster_commands(cluster: argparse.ArgumentParser, add_command: Callable[..., argparse.ArgumentParser]) -> None:
    """`add_command(actions, name, function, about)` adds a command to a group of commands."""
    actions: Any = cluster.add_subparsers(metavar="ACTION", required=True)
    crawl = add_command(actions, "crawl", run.crawl, "crawl from seeds into a new directory, with several rings")
    crawl.add_argument("seeds", metavar="SEED", nargs="*", help="URLs at which the crawl begins")
    crawl.add_argument("--rings", metavar="N", type=_rings, default=2, help="number of rings (default: 2)")
    about = "the directory of the cluster (default: crawl-HOST)"
    crawl.add_argument("-d", dest="directory", metavar="DIR", type=Path, help=about)
    _ray(crawl)
    run_options(crawl)
    settings(crawl)
    resume = add_command(actions, "resume", run.resume, "continue the crawl of a cluster that stopped for any reason")
    resume.add_argument("directory", metavar="DIR", type=Path)
    resume.add_argument("seeds", metavar="SEED", nargs="*", default=[], help="URLs to add to the seeds")
    _ray(resume)
    run_options(resume)
    any_key(resume)
    status = add_command(actions, "status", run.status, "what a cluster is doing, and each of its rings")
    status.add_argument("directory", metavar="DIR", type=Path)
    status.add_argument("--format", default="text", choices=("text", "json"))
    about = "stop the crawl of a cluster as Ctrl-C does, and wait until it has ended"
    stop = add_command(actions, "stop", run.stop, about)
    stop.add_argument("directory", metavar="DIR", type=Path)
    about = "let one more ring join the crawl, which runs or has stopped"
    join = add_command(actions, "join", run.join, about)
    join.add_argument("directory", metavar="DIR", type=Path)
    about = "let a ring give its hosts to the others"
    leave = add_command(actions, "leave", run.leave, about)
    leave.add_argument("directory", metavar="DIR", type=Path)
    leave.add_argument("--ring", metavar="N", type=int, required=True, help="the number of the ring")
    about = "make one crawl directory of those of all rings, for every command that reads a crawl"
    gather = add_command(actions, "gather", run.gather, about)
    about = "the directory of the cluster, or those of all its rings"
    gather.add_argument("directories", metavar="DIR", nargs="+", type=Path, help=about)
    gather.add_argument("-o", dest="out", metavar="DIR", type=Path, required=True, help="the directory that is written")


def _ray(command: argparse.ArgumentParser) -> None:
    about = "run each ring on a machine of the Ray cluster whose head is there, the one with its disk"
    command.add_argument("--ray", metavar="HOST:PORT", default="", help=about)


def _rings(text: str) -> int:
    with suppress(ValueError):
        if 1 <= (number := int(text)) <= MOST:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST}")
