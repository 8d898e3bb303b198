"""How a command ends: the exit statuses, and the errors that a user is told in one line."""

from __future__ import annotations

DONE, FAILED, USAGE, STOPPED = 0, 1, 2, 3


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to write instead. Exit status 2."""


class CrawlFailedError(Exception):
    """The crawl cannot go on, or brought nothing; the message says why and what to do. Exit status 1."""


def plain(error: Exception) -> str:
    """What an error says to people: one of the operating system names the file and has no number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__
