"""When a URL is requested again by `ttcrawl recrawl`, and what its visits have shown."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """A row of table `revisit`, without what is remembered of its validators."""

    next: float
    visits: int
    not_modified: int
    changes: int
    missing: int
    failures: int


def visits(db: Database, url: int) -> Visits | None:
    """Return what is known of the visits of a URL; None: it is not requested again."""
    row = db.execute(
        "SELECT next, visits, not_modified, changes, missing, failures FROM revisit WHERE url = ?", (url,)
    ).fetchone()
    if row is None:
        return None
    next_, count, not_modified, changes, missing, failures = row
    return Visits(
        next=next_, visits=count, not_modified=not_modified, changes=changes, missing=missing, failures=failures
    )


def lines(visits: Visits, moment: str) -> list[str]:
    """Return the lines for a person; `moment`: of the next visit."""
    count = f"{visits.visits:,} visit{'s' * (visits.visits != 1)} so far"
    result = [
        f"next {moment}",
        f"{count}: {visits.not_modified:,} not modified (304), {visits.changes:,} with a change",
    ]
    if visits.missing:
        result.append(f"the last {visits.missing:,} found an error where a page was: it stays until the fourth")
    if visits.failures:
        result.append(f"the last {visits.failures:,} had no answer about the page: it stays")
    return result
