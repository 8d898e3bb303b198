"""One moment of a crawl's database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ttcrawl.ask.report.opening import NotACrawl, open_crawl


@contextmanager
def snapshot(directory: Path) -> Iterator[sqlite3.Connection]:
    """A connection of its own, and one transaction: what a running crawl commits meanwhile is not seen.

    Raises NotACrawl: also for what is found damaged while it is open.
    """
    with closing(open_crawl(directory)) as db:
        try:
            db.execute("BEGIN")
            yield db
        except sqlite3.ProgrammingError as error:  # closed meanwhile, or used by two threads
            raise ValueError(str(error)) from error
        except (sqlite3.DatabaseError, ValueError) as error:
            raise NotACrawl(f"{directory / 'crawl.db'} is damaged ({error}); see ttcrawl verify {directory}") from error
