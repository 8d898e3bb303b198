"""Exceptions for a crawl that cannot be read, and for data that does not exist."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.shell import command_line
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.store.damage import DAMAGE
from ttcrawl.store.database import StoreError, is_damage, why


class NotACrawl(UsageError):
    """The directory cannot be read as a crawl. The message is one line with the reason and the remedy."""

    __module__ = "ttcrawl"  # the public name of the class


class NotThere(KeyError):
    """The crawl does not have this URL, or not this data about it. The message is one line with the reason."""

    __module__ = "ttcrawl"

    def __str__(self) -> str:
        return escape_untrusted(str(self.args[0]))  # KeyError would add quotes


def unreadable(directory: Path, error: StoreError) -> CrawlFailedError:
    """Return the error for a crawl that another program has locked, or a disk that is full or fails."""
    return CrawlFailedError(f"cannot read {directory / 'crawl.db'}: {why(error)}")


@contextmanager
def damage(directory: Path) -> Iterator[None]:
    """Turns errors of damaged data into NotACrawl, and errors of locks and disks into CrawlFailedError.

    Raises ValueError if the view was closed before.
    """
    try:
        yield
    except NotThere:
        raise
    except sqlite3.ProgrammingError as error:  # the view is closed, or two threads use it
        raise ValueError(str(error)) from error
    except DAMAGE as error:
        if isinstance(error, StoreError) and not is_damage(error):
            raise unreadable(directory, error) from error
        raise NotACrawl(
            f"{directory / 'crawl.db'} is damaged ({error}); see {command_line('verify', directory)}"
        ) from error
