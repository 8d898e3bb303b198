"""`ttcrawl mirror`: rounds until the copy is equal to the crawl, and with --follow until the crawl has ended."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory
from ttcrawl.errors import DONE, CrawlFailedError, UsageError

if TYPE_CHECKING:
    from ttcrawl.export.postgresql.server import Server
    from ttcrawl.output.steps import Progress

SUMMARY = "copy a crawl into PostgreSQL, and keep the copy up to date"
IN_HELP = ("Give", 4)
EXAMPLES = (("keep a copy up to date", "mirror crawl-example.org postgresql://localhost/crawls --follow"),)


def options(mirror: argparse.ArgumentParser) -> None:
    from ttcrawl.config import FORM

    add = mirror.add_argument
    crawl_directory(mirror)
    about = f"{FORM} (default: [postgresql] url in DIR/config.ini)"
    add("database", metavar="URL", nargs="?", default="", help=about)
    add("--follow", action="store_true", help="copy what changes until the crawl has ended")
    about = "the database has this crawl from another directory: let this one, its copy, take its place"
    add("--take-over", action="store_true", help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.export.postgresql.follow import follow
    from ttcrawl.export.postgresql.server import Server
    from ttcrawl.output.display import ReadProgress, tell

    directories = _directories(args.directory)
    if args.follow and len(directories) > 1:
        raise UsageError(
            "--follow copies one ring: name its directory, or set [postgresql] url, so that each copies itself"
        )
    server = Server(args.database or _configured(directories[0]))
    for directory in directories:
        with ReadProgress() as progress:
            copy = follow if args.follow else _once
            crawl = copy(directory, server, progress, take_over=args.take_over)
        tell(f"{directory} is in {server.shown}, schema ttcrawl, crawl {crawl}")
    return DONE


def _directories(directory: Path) -> list[Path]:
    """Those of the rings of a cluster; each is a crawl of its own in the database."""
    from ttcrawl.cluster.stopped_rings import ring_paths
    from ttcrawl.store.mailbox import is_cluster

    return (list(ring_paths(directory).values()) if is_cluster(directory) else []) or [directory]


def _configured(directory: Path) -> str:
    from ttcrawl.config import FORM
    from ttcrawl.snapshot.snapshot import view

    with view(directory) as db:
        url = db.config.postgresql.url
    if not url:
        raise UsageError(f"name the database, or set [postgresql] url in {directory / 'config.ini'}: write {FORM}")
    return url


def _once(directory: Path, server: Server, progress: Progress, *, take_over: bool) -> int:
    """Copy the crawl as it is; return its number."""
    from ttcrawl.export.postgresql.round import compare
    from ttcrawl.export.postgresql.server import LostConnection
    from ttcrawl.export.postgresql.writer import BusyError, copied

    try:
        with copied(server, directory, take_over=take_over) as (connection, crawl):
            while not compare(directory, connection, crawl, time.monotonic, progress).equal:
                pass
            return crawl
    except LostConnection as error:
        raise CrawlFailedError(f"{error}; what was copied is kept: run the command again") from None
    except BusyError as error:
        raise UsageError(f"{error}: wait until it has ended, or stop it") from None
