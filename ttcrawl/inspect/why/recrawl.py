"""When a URL is requested again by `ttcrawl recrawl`, and what its visits have shown."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.output.moments import moment
from ttcrawl.output.number import counted
from ttcrawl.snapshot.tables import row_about
from ttcrawl.store.database import Database
from ttcrawl.vocabulary.reason import about, sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """A row of table `revisit`, without what is remembered of its validators."""

    next: float
    visits: int
    not_modified: int
    changes: int
    missing: int
    failures: int
    announced: float | None  # when it changed by a sitemap or feed, not checked yet
    refused: str  # why the last visit was not requested, as reason of a URL; "": it was


def visits(db: Database, url: int) -> Visits | None:
    """Return what is known of the visits of a URL; None: it is not requested again."""
    return row_about(db, Visits, "revisit", url)


def lines(visits: Visits) -> list[str]:
    """Return the lines for a person."""
    count = f"{counted(visits.visits, 'visit')} so far"
    result = [
        f"next {moment(visits.next)}",
        f"{count}: {visits.not_modified:,} not modified (304), {visits.changes:,} with a change",
    ]
    if visits.missing:
        result.append(f"the last {visits.missing:,} found an error where a page was: it stays until the fourth")
    if visits.refused:
        result.append(f"not requested at the last turn ({visits.refused}): {_meaning(visits.refused)}")
    if visits.failures:
        result.append(f"the last {visits.failures:,} had no answer about the page: it stays")
    if visits.announced is not None:
        result.append(f"changed at {moment(visits.announced)} by a sitemap or feed: not checked yet")
    return result


def _meaning(reason: str) -> str:
    """Return the sentence of a reason, in the state that it belongs to."""
    row = about(reason)
    return sentence(row.family.states[0], reason) if row else reason
