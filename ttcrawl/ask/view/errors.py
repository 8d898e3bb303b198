"""What is said of a crawl that cannot be read, or has not what was asked for."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.web.shown import shown

#: What a damaged database is met with: rows that are missing, and words where numbers belong.
DAMAGE = (sqlite3.DatabaseError, ValueError, TypeError, LookupError, OverflowError, zlib.error)


class NotACrawl(UsageError):
    """The directory cannot be read as a crawl; the message is one line that says why and what to do."""

    __module__ = "ttcrawl"  # by which people know it


class NotThere(KeyError):
    """The crawl has no such URL, or of this URL no such thing; the message is one line that says which and why."""

    __module__ = "ttcrawl"

    def __str__(self) -> str:
        return shown(str(self.args[0]))  # KeyError would show it in quotes


@contextmanager
def damage(directory: Path) -> Iterator[None]:
    """Raises NotACrawl, from what was raised in here because of it; ValueError where the view was closed meanwhile."""
    try:
        yield
    except NotThere:
        raise
    except sqlite3.ProgrammingError as error:  # closed meanwhile, or used by two threads
        raise ValueError(str(error)) from error
    except DAMAGE as error:
        raise NotACrawl(f"{directory / 'crawl.db'} is damaged ({error}); see ttcrawl verify {directory}") from error
