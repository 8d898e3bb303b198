"""The problems that are known already: a text file with one problem per line, sorted, for a version control system.

A line has the kind, the URL and the page; then the status of a link that a server has refused (4xx), because a page
that is forbidden today may be missing tomorrow; then the last day on which the line holds. Errors that come and go
(5xx, no answer) are one: "unavailable". Lines with three columns, as earlier versions wrote them, hold for any error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.inspect.check.kinds import BROKEN, EXTERNAL, NAMES, UNSURE, Problem
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.store.replaced import replaced

HEADER = (
    "# Known problems, written by ttcrawl check --write-baseline: kind, URL, page, status, last day (separated by tabs)"
)

#: Columns that say which problem it is, and all columns.
IDENTITY, COLUMNS = 3, 5

#: The status of a link that gets no answer about its page.
UNAVAILABLE = "unavailable"

_REFUSED = re.compile("http (4[0-9]{2})(?![0-9])")
_STATUS = re.compile(f"4[0-9]{{2}}|{UNAVAILABLE}|")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`status`: "404", UNAVAILABLE; "": any. `last`: the last day on which it holds; None: for ever."""

    status: str = ""
    last: date | None = None

    def holds(self, today: date) -> bool:
        return self.last is None or today <= self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The lines of each identity."""

    lines: Mapping[tuple[str, ...], list[Line]] = field(default_factory=dict)

    def lines_of(self, problem: Problem) -> list[Line]:
        """The lines of a problem, also those that hold no longer."""
        status = status_of(problem)
        return [line for line in self.lines.get(identity(problem), ()) if line.status in ("", status)]

    def knows(self, problem: Problem, today: date) -> bool:
        return any(line.holds(today) for line in self.lines_of(problem))


def status_of(problem: Problem) -> str:
    """The status of a Line; "" for a problem that is no error of a server."""
    if match := _REFUSED.match(problem.detail):
        return match[1]
    return UNAVAILABLE if problem.kind in (BROKEN, EXTERNAL, UNSURE) else ""


def identity(problem: Problem) -> tuple[str, ...]:
    """URLs are escaped: an image may have any src."""
    return tuple(map(escape_untrusted, problem.identity))


def read_baseline(path: Path) -> Baseline:
    """Raises UsageError if the file cannot be read, or if a line is not a problem."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror}; name the baseline that --write-baseline wrote with --baseline"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    problems: dict[tuple[str, ...], list[Line]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.removesuffix("\r").split("\t")
        if not IDENTITY <= len(cells) <= COLUMNS or cells[0] not in NAMES:
            raise UsageError(f"{path}, line {number}: write a kind, a URL and a page, separated by tabs")
        problems.setdefault(tuple(cells[:IDENTITY]), []).append(_line(f"{path}, line {number}", *cells[IDENTITY:]))
    return Baseline(lines=problems)


def _line(position: str, status: str = "", last: str = "") -> Line:
    if not _STATUS.fullmatch(status):
        raise UsageError(f"{position}: write a status from 400 to 499, {UNAVAILABLE} or nothing, not {status!r}")
    try:
        return Line(status=status, last=date.fromisoformat(last) if last else None)
    except ValueError:
        raise UsageError(f"{position}: write the last day as 2030-12-31, not {last!r}") from None


def write_baseline(path: Path, problems: Iterable[Problem], earlier: Baseline, today: date, last: date | None) -> None:
    """Write these problems as known until `last`, or until the day that an earlier baseline has for them.

    Raises OSError, UsageError for a part of a crawl.
    """
    lines = sorted({_written(each, earlier, today, last) for each in problems})
    with replaced(path) as fresh:
        fresh.write_text("".join(f"{line}\n" for line in (HEADER, *lines)), encoding="utf-8")


def _written(problem: Problem, earlier: Baseline, today: date, last: date | None) -> str:
    held = [line for line in earlier.lines_of(problem) if line.holds(today)]
    day = held[0].last if held else last
    status = status_of(problem)
    more = (status, day.isoformat()) if day else (status,) if status else ()
    return "\t".join((*identity(problem), *more))
