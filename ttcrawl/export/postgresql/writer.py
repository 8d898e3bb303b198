"""The connection that alone writes the copy of a crawl."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.export.postgresql.schemas import create
from ttcrawl.export.postgresql.server import Connection, Server
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.snapshot import view

#: Seconds that a copy waits for another one of the same crawl, such as a lost connection that the server still has, and
#: seconds between two looks.
TURN, LOOK = 5.0, 0.5

#: The first half of the number of a lock of PostgreSQL; the second one is the number of the crawl.
LOCK = 0x7474


class BusyError(UsageError):
    """Another process copies the same crawl."""


@contextmanager
def copied(server: Server, directory: Path, *, take_over: bool = False) -> Iterator[tuple[Connection, int]]:
    """A connection that alone writes the copy of a crawl, and the number of the crawl.

    `take_over`: the copy of another directory with the same crawl becomes the copy of this one. Raises LostConnection,
    UsageError, NotACrawl.
    """
    with server.connected() as connection:
        create(connection)
        crawl = _number(connection, directory.absolute(), take_over=take_over)
        end = time.monotonic() + TURN
        while not connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (LOCK, crawl))[0][0]:
            connection.commit()
            if time.monotonic() > end:
                raise BusyError(f"another process copies {directory} into this database")
            time.sleep(LOOK)
        connection.commit()
        yield connection, crawl


def _number(connection: Connection, directory: Path, *, take_over: bool) -> int:
    """Return the number of a crawl, which its beginning and its first seed identify: the directory may be moved."""
    identity = _identity(directory)
    connection.execute("LOCK TABLE ttcrawl.mirror IN SHARE ROW EXCLUSIVE MODE")
    query = "SELECT crawl, directory FROM ttcrawl.mirror WHERE (started, seed) = (%s, %s)"
    for _, recorded in connection.execute(query, identity):
        if not take_over and _is_another(Path(recorded), directory, identity):
            raise UsageError(
                f"the database has this crawl from {recorded}, and {directory} is a copy of it: mirror the original, or"
                f" let the copy take its place with {command_line('mirror', directory, '--take-over')}"
            )
    connection.execute(
        "INSERT INTO ttcrawl.mirror (crawl, started, seed, directory)"
        " SELECT coalesce(max(crawl) + 1, 0), %s, %s, %s FROM ttcrawl.mirror ON CONFLICT (started, seed)"
        " DO UPDATE SET directory = excluded.directory",
        (*identity, os.fspath(directory)),
    )
    ((number, _),) = connection.execute(query, identity)
    connection.commit()
    return int(number)


def _identity(directory: Path) -> tuple[str, str]:
    """Rings of a cluster have the same seeds, and may begin in the same millisecond."""
    with view(directory) as db:
        ring = db.settings.get("ring", "")
        return db.settings.get("started", ""), (db.seeds[0] if db.seeds else "") + (ring and f" (ring {ring})")


def _is_another(recorded: Path, directory: Path, identity: tuple[str, str]) -> bool:
    """Whether a crawl is in the recorded directory too, and this is another one."""
    try:
        return not recorded.samefile(directory) and _identity(recorded) == identity
    except (OSError, NotACrawl):  # it was moved, or is on another machine
        return False
