"""How a command ends: the exit statuses, and the errors that a user is told in one line."""

from __future__ import annotations

from importlib.util import find_spec

DONE, FAILED, USAGE, STOPPED = 0, 1, 2, 3

#: Libraries that a crawl does not need -> the extra that brings them.
EXTRAS = {
    **dict.fromkeys(("matplotlib", "scipy", "powerlaw", "PIL"), "report"),
    **dict.fromkeys(("pandas", "pyarrow"), "frames"),
    "igraph": "graph",
}
REPORT = tuple(name for name, extra in EXTRAS.items() if extra == "report")


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to write instead. Exit status 2."""

    __module__ = "ttcrawl"  # by which people know it


class CrawlFailedError(Exception):
    """The crawl cannot go on, or brought nothing; the message says why and what to do. Exit status 1."""

    __module__ = "ttcrawl"


def require(*modules: str, otherwise: str = "") -> None:
    """To be called before work that would be in vain. Raises UsageError for a library that is not installed."""
    for name in modules:
        if find_spec(name) is None:
            raise UsageError(f"{name} is missing: install with: pip install 'ttcrawl[{EXTRAS[name]}]'{otherwise}")


def plain(error: Exception) -> str:
    """What an error says to people: one of the operating system names the file and has no number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__
