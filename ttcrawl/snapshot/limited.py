"""A view whose queries end in time: somebody waits for the page that they fill."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.snapshot.snapshot import View, view

#: Instructions of SQLite's machine between two looks at the clock: about a millisecond.
INSTRUCTIONS = 20_000


class TooSlow(UsageError):
    """A query was ended because it took too long. The message is one line with the limit."""


@contextmanager
def limited_view(directory: Path, seconds: float) -> Iterator[View]:
    """A view of a crawl, all of whose queries together may take this long. Raises what `view` raises, and TooSlow."""
    with view(directory) as snapshot:
        end = time.monotonic() + seconds
        snapshot.interrupt_if(lambda: time.monotonic() > end, INSTRUCTIONS)
        try:
            yield snapshot
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:  # errors of Python have none
                raise
            raise TooSlow(f"the queries of this page took more than {seconds:g} s and were ended") from error
