"""The connection that alone writes the copy of a crawl."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.ask.view.view import view
from ttcrawl.errors import UsageError
from ttcrawl.export.postgresql.layout import create
from ttcrawl.export.postgresql.server import Connection, Server

#: Seconds that a copy waits for another one of the same crawl, such as a lost connection that the server still has, and
#: seconds between two looks.
TURN, LOOK = 5.0, 0.5

#: The first half of the number of a lock of PostgreSQL; the second one is the number of the crawl.
LOCK = 0x7474


class BusyError(UsageError):
    """Another process copies the same crawl."""


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
