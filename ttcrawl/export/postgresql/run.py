"""`ttcrawl mirror`: rounds until the copy is equal to the crawl, and with --follow until the crawl has ended."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.ask.progress import Progress, silent
from ttcrawl.ask.view.view import view
from ttcrawl.config import FORM
from ttcrawl.engine.lock import crawled_by
from ttcrawl.engine.progress import ReadProgress, tell
from ttcrawl.errors import DONE, CrawlFailedError, UsageError
from ttcrawl.export.postgresql.layout import create
from ttcrawl.export.postgresql.recent import copy_recent
from ttcrawl.export.postgresql.round import compare
from ttcrawl.export.postgresql.server import Connection, LostConnection, Server

#: Seconds between two copies of what is new, at least.
PAUSE = 3.0

#: Pauses as multiples of the time that the work before took: a round, which reads the whole crawl, or such a copy.
AFTER_WORK = 49.0

#: What the crawl and its processes need comes first.
NICENESS = 10

#: Seconds between two looks at whether the crawl has ended.
LOOK = 0.5

#: Seconds between two attempts to connect, and seconds of them after the crawl has ended.
AGAIN, PATIENCE = 2.0, 300.0

#: Seconds that a copy waits for another one of the same crawl, such as a lost connection that the server still has.
TURN = 5.0

#: The first half of the number of a lock of PostgreSQL; the second one is the number of the crawl.
LOCK = 0x7474


class BusyError(UsageError):
    """Another process copies the same crawl."""


def mirror(directory: Path, url: str, *, follow: bool) -> int:
    """Copy a crawl into the database of a URL, "" for the one in its config.ini; return the exit status.

    Raises NotACrawl, UsageError, and CrawlFailedError if PostgreSQL cannot be reached.
    """
    server = Server(url or _configured(directory))
    with ReadProgress() as progress:
        crawl = (_follow if follow else _once)(directory, server, progress)
    tell(f"{directory} is in {server.shown}, crawl {crawl}")
    return DONE


def _configured(directory: Path) -> str:
    with view(directory) as db:
        url = db.config.postgresql.url
    if not url:
        raise UsageError(f"name the database, or set [postgresql] url in {directory / 'config.ini'}: write {FORM}")
    return url


def _once(directory: Path, server: Server, progress: Progress) -> int:
    """Copy the crawl as it is; return its number."""
    try:
        with copied(server, directory) as (connection, crawl):
            while not compare(directory, connection, crawl, time.monotonic, progress).equal:
                pass
            return crawl
    except LostConnection as error:
        raise CrawlFailedError(f"{error}; what was copied is kept: run the command again") from None
    except BusyError as error:
        raise UsageError(f"{error}: wait until it has ended, or stop it") from None


def _follow(directory: Path, server: Server, progress: Progress) -> int:
    """Copy until the crawl has ended, and everything is copied; return its number."""
    os.nice(NICENESS)
    message, ended = "", 0.0
    while True:
        try:
            with copied(server, directory) as (connection, crawl):
                message, ended = "", 0.0
                _rounds(directory, connection, crawl, progress)
                return crawl
        except (LostConnection, BusyError) as error:
            if not message:
                tell(f"{error}; the crawl is copied as soon as possible")
            message = str(error)
        if not crawled_by(directory):
            ended = ended or time.monotonic()
            if time.monotonic() - ended > PATIENCE:
                raise CrawlFailedError(f"{message}; complete the copy with ttcrawl mirror {directory}") from None
        time.sleep(AGAIN)


def _rounds(directory: Path, connection: Connection, crawl: int, progress: Progress) -> None:
    """Compare again and again, until the crawl has ended and is copied."""
    while True:
        running, begun = crawled_by(directory), time.monotonic()
        result = compare(directory, connection, crawl, time.monotonic, progress)
        if not result.equal:
            continue
        progress = silent  # the first round may take long
        if not running:
            return
        next_round, next_copy = _next(begun), time.monotonic() + PAUSE
        while _runs_until(min(next_round, next_copy), directory) and time.monotonic() < next_round:
            begun = time.monotonic()
            copy_recent(directory, connection, crawl)
            next_copy = _next(begun)


def _next(begun: float) -> float:
    """When to work again after work that has begun then."""
    return time.monotonic() + max(PAUSE, AFTER_WORK * (time.monotonic() - begun))


def _runs_until(end: float, directory: Path) -> bool:
    """Wait until this moment, or until the crawl has ended; return whether it runs."""
    while running := crawled_by(directory):
        remaining = end - time.monotonic()
        if remaining <= 0:
            break
        time.sleep(min(LOOK, remaining))
    return bool(running)


@contextmanager
def copied(server: Server, directory: Path) -> Iterator[tuple[Connection, int]]:
    """A connection that alone writes the copy of a crawl, and the number of the crawl."""
    with server.connected() as connection:
        create(connection)
        crawl = _number(connection, directory)
        end = time.monotonic() + TURN
        while not connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (LOCK, crawl))[0][0]:
            connection.commit()
            if time.monotonic() > end:
                raise BusyError(f"another process copies {directory} into this database")
            time.sleep(LOOK)
        connection.commit()
        yield connection, crawl


def _number(connection: Connection, directory: Path) -> int:
    """Return the number of a crawl, which its beginning and its first seed identify: the directory may be moved."""
    with view(directory) as db:
        identity = db.settings.get("started", ""), db.seeds[0] if db.seeds else ""
    connection.execute("LOCK TABLE ttcrawl.mirror IN SHARE ROW EXCLUSIVE MODE")
    connection.execute(
        "INSERT INTO ttcrawl.mirror (crawl, started, seed, directory)"
        " SELECT coalesce(max(crawl) + 1, 0), %s, %s, %s FROM ttcrawl.mirror ON CONFLICT (started, seed)"
        " DO UPDATE SET directory = excluded.directory",
        (*identity, os.fspath(directory.absolute())),
    )
    query = "SELECT crawl FROM ttcrawl.mirror WHERE (started, seed) = (%s, %s)"
    ((number,),) = connection.execute(query, identity)
    connection.commit()
    return int(number)
