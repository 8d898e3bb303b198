"""A selection in the order of a column: one value after the other, and the URLs of each in the order of discovery.

Each value has its part of an index in view.db, so a page of a million URLs costs what a page by one value does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.inspect.listing.facets import NONE
from ttcrawl.inspect.listing.listed import ROWS_OF_PAGE, SECONDS, Index, listed
from ttcrawl.inspect.listing.selection import Selection
from ttcrawl.snapshot.rows import Overview
from ttcrawl.snapshot.snapshot import View

#: Facets that are columns of the list with an index, and not too many values.
ORDERS = ("state", "reason", "status", "type", "depth", "language")

#: A value of the column as in addresses, and the id of a URL.
Position: TypeAlias = tuple[str, int]


#: Greater than all ids.
BEHIND = 10**17 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """`before`, `after`: the position before which, or behind which, there may be more; None: there is nothing.

    `cut`: the time of the page was over before it was full.
    """

    rows: tuple[Overview, ...]
    before: Position | None
    after: Position | None
    cut: bool


def ordered(
    db: View,
    selection: Selection,
    index: Index,
    order: str,
    *,
    after: Position | None = None,
    before: Position | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Ordered:
    """The first URLs behind a position, or the last ones before one. `order`: of ORDERS; with - before it, the greatest
    values come first; those without a value come last. view.db has to be attached."""
    column, backwards = order.removeprefix("-"), before is not None
    values = _values(db, selection, column, falling=order.startswith("-"))
    value, id = before or after or ("", 0)
    start = values.index(value) if value in values else 0
    rows, goes_on, deadline = list[Overview](), None, clock() + SECONDS
    for number, value in enumerate(values[start::-1] if backwards else values[start:]):
        if len(rows) == ROWS_OF_PAGE or (number and clock() > deadline):
            goes_on = value, id
            break
        step = {"before": id} if backwards else {"after": id}
        page = listed(db, selection.only(column, value), index, limit=ROWS_OF_PAGE - len(rows), clock=clock, **step)
        rows = [*page.rows, *rows] if backwards else [*rows, *page.rows]
        if (more := page.before if backwards else page.after) is not None:
            goes_on = value, more
            break
        id = BEHIND if backwards else 0
    cut = goes_on is not None and len(rows) < ROWS_OF_PAGE
    if before is not None:
        behind = _position(rows[-1], column) if rows else (before[0], before[1] - 1)
        return Ordered(rows=tuple(rows), before=goes_on, after=behind, cut=cut)
    ahead = after and (_position(rows[0], column) if rows else (after[0], after[1] + 1))
    return Ordered(rows=tuple(rows), before=ahead, after=goes_on, cut=cut)


def _values(db: View, selection: Selection, column: str, *, falling: bool) -> list[str]:
    """The values in order, as in addresses."""
    rows = db.execute("SELECT value FROM listing.tally WHERE facet = ? AND state = ? AND urls > 0", (column, ""))
    values = sorted((value for (value,) in rows if value != ""), reverse=falling)
    selected = selection.values.get(column)
    return [each for each in (*map(str, values), NONE) if selected is None or each in selected]


def _position(row: Overview, column: str) -> Position:
    value = getattr(row, column)
    return NONE if value in (None, "") else str(value), row.id
