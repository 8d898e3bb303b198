"""`ttcrawl mirror`: rounds until the copy is equal to the crawl, and with --follow until the crawl has ended."""

from __future__ import annotations

import time
from pathlib import Path

from ttcrawl.config import FORM
from ttcrawl.errors import DONE, CrawlFailedError, UsageError
from ttcrawl.export.postgresql.follow import follow as follow_crawl
from ttcrawl.export.postgresql.round import compare
from ttcrawl.export.postgresql.server import LostConnection, Server
from ttcrawl.export.postgresql.writer import BusyError, copied
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import view


def mirror(directory: Path, url: str, *, follow: bool, take_over: bool) -> int:
    """Copy a crawl into the database of a URL, "" for the one in its config.ini; return the exit status.

    `take_over`: as of `copied`.

    Raises NotACrawl, UsageError, and CrawlFailedError if PostgreSQL cannot be reached.
    """
    server = Server(url or _configured(directory))
    with ReadProgress() as progress:
        crawl = (follow_crawl if follow else _once)(directory, server, progress, take_over=take_over)
    tell(f"{directory} is in {server.shown}, crawl {crawl}")
    return DONE


def _configured(directory: Path) -> str:
    with view(directory) as db:
        url = db.config.postgresql.url
    if not url:
        raise UsageError(f"name the database, or set [postgresql] url in {directory / 'config.ini'}: write {FORM}")
    return url


def _once(directory: Path, server: Server, progress: Progress, *, take_over: bool) -> int:
    """Copy the crawl as it is; return its number."""
    try:
        with copied(server, directory, take_over=take_over) as (connection, crawl):
            while not compare(directory, connection, crawl, time.monotonic, progress).equal:
                pass
            return crawl
    except LostConnection as error:
        raise CrawlFailedError(f"{error}; what was copied is kept: run the command again") from None
    except BusyError as error:
        raise UsageError(f"{error}: wait until it has ended, or stop it") from None
