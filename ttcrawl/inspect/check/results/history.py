"""What has changed since the last check of a crawl, and what a report leaves out because it is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any

from ttcrawl.inspect.check.kinds import NAMES, Problem
from ttcrawl.inspect.check.results.baseline import identity, status_of
from ttcrawl.output.moments import moment
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.store.side_database import SideDatabase


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """With the last check: one problem for each page and URL."""

    time: float  # of the last check, seconds since the epoch
    new: tuple[Problem, ...]
    mended: tuple[Problem, ...]
    unreached: int = 0  # earlier problems that this check could not see

    @property
    def sentence(self) -> str:
        unreached = f", {self.unreached:,} not reached" if self.unreached else ""
        numbers = f"{len(self.new):,} new, {len(self.mended):,} mended{unreached}"
        return f"{numbers} since the check of {moment(self.time)[:16]} UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Beside the problems of a report: what it was compared with. `last_check` is None for a first one."""

    in_baseline: int = 0  # problems that are left out
    expired: int = 0  # problems that are listed again, because the last day of their line has passed
    unchanged: int = 0  # problems that are left out, because their page has not changed
    last_check: Comparison | None = None


def compare(
    db: SideDatabase,
    problems: Iterable[Problem],
    kinds: Set[str],
    now: float,
    reached: Callable[[Problem], bool] = lambda problem: True,
) -> Comparison | None:
    """Compare problems of these kinds with those of the last check, and keep them for the next one.

    `reached`: whether this check could have seen an earlier problem; the others are kept, too.
    """
    times = dict(db.execute("SELECT kind, time FROM run").fetchall())
    by_kind = defaultdict[str, list[Problem]](list)
    for each in problems:
        by_kind[each.kind].append(each)
    new, mended, unreached = list[Problem](), list[Problem](), 0
    db.execute("BEGIN IMMEDIATE")
    for kind in filter(kinds.__contains__, NAMES):  # all at once would need memory for each problem several times
        old, fresh = _different(_last(db, kind)), _different(by_kind[kind])
        absent = {name: each for name, each in old.items() if name not in fresh}
        unseen = {name: each for name, each in absent.items() if not reached(each)}
        unreached += len(unseen)
        if kind in times:
            new += (each for name, each in fresh.items() if name not in old)
            mended += (each for name, each in absent.items() if name not in unseen)
        db.execute("DELETE FROM problem WHERE kind = ?", (kind,))
        db.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (kind, now))
        db.executemany(
            "INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?, ?)", map(_row, (*fresh.values(), *unseen.values()))
        )
    db.execute("COMMIT")
    both = kinds & times.keys()
    if not both:
        return None
    time = max(times[kind] for kind in both)
    return Comparison(time=time, new=tuple(new), mended=tuple(mended), unreached=unreached)


def line_of(problem: Problem) -> str:
    """A problem in a list of several kinds."""
    detail = f"  {problem.detail}" if problem.detail else ""
    where = f"  on {problem.where}" if problem.where else ""
    return escape_untrusted(f"{problem.kind}: {problem.url}{detail}{where}")


def _different(problems: Iterable[Problem]) -> dict[tuple[str, ...], Problem]:
    """One problem for each page, URL and status: texts of links change without any harm."""
    different: dict[tuple[str, ...], Problem] = {}
    for each in problems:
        different.setdefault((*identity(each), status_of(each)), each)
    return different


def _last(db: SideDatabase, kind: str) -> Iterator[Problem]:
    return map(problem_of, db.execute("SELECT * FROM problem WHERE kind = ?", (kind,)))


def _row(problem: Problem) -> tuple[str | int, ...]:
    cells = (problem.kind, problem.url, problem.source, problem.text, problem.detail)
    return (*map(escape_untrusted, cells), problem.line, problem.column)


def problem_of(row: tuple[Any, ...]) -> Problem:
    """The problem of a row of table `problem`."""
    kind, url, source, text, detail, line, column = row
    return Problem(kind=kind, url=url, source=source, text=text, detail=detail, line=line, column=column)
