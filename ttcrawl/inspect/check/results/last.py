"""What the last check of a crawl has found, from check.db: nothing is checked for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.frozen import frozen
from ttcrawl.inspect.check.kinds import KINDS, Problem
from ttcrawl.inspect.check.results.history import problem_of
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.store.check_db import NAME, open_check
from ttcrawl.store.database import StoreError, why
from ttcrawl.store.regular import is_regular
from ttcrawl.store.side_database import SideDatabase

_OF_KIND = "SELECT * FROM problem WHERE kind = ? ORDER BY url, source LIMIT ?"


@frozen
class Checked:
    """A kind of problem that was looked for."""

    kind: str
    title: str
    why: str
    level: str
    time: float  # of the check, seconds since the epoch
    problems: int


def last_check(directory: Path) -> list[Checked]:
    """The kinds with problems, the worst level first, then those without; empty if the crawl was never checked."""
    if not is_regular(directory / NAME):
        return []
    with _opened(directory) as db:
        times = dict(db.execute("SELECT kind, time FROM run"))
        counts = dict(db.execute("SELECT kind, count(*) FROM problem GROUP BY kind"))
    rules = Rules()
    checked = [
        Checked(
            kind=kind.name,
            title=kind.title,
            why=f"{kind.meaning[:1].upper()}{kind.meaning[1:]}. {kind.why}",
            level=rules.level(kind.name),
            time=times[kind.name],
            problems=counts.get(kind.name, 0),
        )
        for kind in KINDS
        if kind.name in times
    ]
    return sorted(checked, key=lambda each: not each.problems)


def problems_of(directory: Path, kind: str, most: int) -> list[Problem]:
    """The first problems of a kind, by URL and page."""
    with _opened(directory) as db:
        return list(map(problem_of, db.execute(_OF_KIND, (kind, most))))


@contextmanager
def _opened(directory: Path) -> Iterator[SideDatabase]:
    """Raises CrawlFailedError if the file cannot be read, as on a medium that cannot be written."""
    try:
        with closing(open_check(directory / NAME)) as db:
            yield db
    except StoreError as error:
        raise CrawlFailedError(f"cannot read {directory / NAME}: {why(error)}") from error
