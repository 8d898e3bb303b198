"""The URLs of a selection, in the order of discovery: some before, or behind, an id.

A selection by one facet is read from its index. Of several facets the rarest one has the index; if it is frequent, or a
text is looked for, the URLs are searched in segments until there are enough or the time is over: the next page goes on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from ttcrawl.inspect.listing.facets import BY_NAME, FACETS, ROWS
from ttcrawl.inspect.listing.selection import Selection, stored_values, text_condition
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.rows import Overview
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import OVERVIEW

#: URLs of a page.
ROWS_OF_PAGE = 50

#: Seconds of a search, ids of a segment with view.db and without it, and URLs that are looked at one by one at once.
SECONDS, SEGMENT, SLOW_SEGMENT, FEW = 0.5, 20_000, 5_000, 20_000

END = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """`before`, `after`: the id behind which, or before which, there may be more; None: there is nothing.

    `searched`: the id up to which the search came before its time was over; None: it has ended.
    """

    rows: tuple[Overview, ...]
    before: int | None
    after: int | None
    searched: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """What view.db has: the URLs up to the id `last`. 0: nothing."""

    last: int
    newest: int  # the last id of crawl.db

    @property
    def is_partial(self) -> bool:
        """Whether it is being made, rather than some moments behind a crawl that runs."""
        return self.newest - self.last > max(1_000, self.newest // 50) or (self.last == 0 < self.newest)


def index_of(db: View, *, attached: bool) -> Index:
    (newest,) = db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
    row = db.execute("SELECT last FROM listing.progress").fetchone() if attached else None
    return Index(last=row[0] if row else 0, newest=newest)


class Search:
    """Finds the ids of a selection."""

    def __init__(self, db: View, selection: Selection, index: Index) -> None:
        self._db, self._index = db, index
        self.values = stored_values(db, selection)
        self._text = selection.text
        self.candidates = index.newest  # URLs of the selection, at most
        self._cost, self._rarest = index.newest, ""  # URLs to which the index of a facet leads, and which facet
        state = str(self.values.get("state") or "")
        for name in self.values if index.last else ():
            self.candidates = min(self.candidates, self._tally(name, "" if name == "state" else state))
            if (urls := self._tally(name, "")) < self._cost and not self._is_partial(name):
                self._cost, self._rarest = urls, name

    @property
    def is_direct(self) -> bool:
        """Whether an index leads to each URL."""
        few = self._cost <= FEW or (not self.values and not self._text)
        return few or (len(self.values) == 1 and bool(self._rarest) and not self._text)

    def ids(self, begin: int, end: int, limit: int, *, descending: bool = False) -> list[int]:
        """The ids behind `begin` up to `end`; all of them in view.db, or none."""
        listed = end <= self._index.last
        source = "listing.listed" if listed else f"({ROWS} WHERE url.id > {begin} AND url.id <= {end})"
        if not self.values:
            source = "url"
        hint = f"INDEXED BY listed_{self._rarest}" if listed and self._rarest else ""
        joins, where = "", ["each.id > ?", "each.id <= ?", *self._conditions]
        values: list[object] = [begin, end, *self._bound]
        if self._text:
            condition, text = text_condition(self._text)
            joins = "JOIN url AS named ON named.id = each.id LEFT JOIN page ON page.url = each.id"
            where.append(f"({condition.format('named.url')} OR {condition.format('page.title')})")
            values += [text, text]
        order = "DESC" if descending else ""
        rows = self._db.execute(
            f"SELECT each.id FROM {source} AS each {hint} {joins} WHERE {' AND '.join(where)}"
            f" ORDER BY each.id {order} LIMIT {limit}",
            values,
        )
        return [id for (id,) in rows]

    def columns(self, limit: int) -> list[tuple[object, ...]]:
        """The values of all facets, of the first URLs in view.db."""
        where = " AND ".join(self._conditions) or "true"
        hint = f"INDEXED BY listed_{self._rarest}" if self._rarest else ""
        names = ", ".join(each.name for each in FACETS)
        return self._db.execute(
            f"SELECT {names} FROM listing.listed AS each {hint} WHERE {where} LIMIT {limit}", self._bound
        ).fetchall()

    @property
    def _conditions(self) -> list[str]:
        # IS would do for both, and finds no index that lacks the rows without a value
        return [f"each.{name} {'IS NULL' if value is None else '= ?'}" for name, value in self.values.items()]

    @property
    def _bound(self) -> list[object]:
        return [value for value in self.values.values() if value is not None]

    def _tally(self, name: str, state: str) -> int:
        """The URLs of a value that was chosen; with `state`, those of them that have it."""
        value = self.values[name]
        row = self._db.execute(
            "SELECT urls FROM listing.tally WHERE facet = ? AND state = ? AND value = ?",
            (name, state, "" if value is None else value),
        ).fetchone()
        return int(row[0]) if row else 0

    def _is_partial(self, name: str) -> bool:
        """Whether the index of a facet lacks the URLs of this value."""
        return self.values[name] is None and (name == "same" or bool(BY_NAME[name].conditions))


def listed(
    db: View,
    selection: Selection,
    index: Index,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int = ROWS_OF_PAGE,
    clock: Callable[[], float] = time.monotonic,
) -> Listed:
    """The first URLs behind the id `after`, or the last ones before the id `before`."""
    search, holds = Search(db, selection, index), compile_conditions(selection.conditions, Overview)
    ids: list[int] = []
    position, deadline = (after if before is None else before - 1), clock() + SECONDS
    while len(ids) <= limit and (position < index.newest if before is None else position > 0):
        width = END if search.is_direct else SEGMENT if position < index.last else SLOW_SEGMENT
        if before is None:
            edge = index.last if position < index.last else index.newest
            begin, end = position, min(position + width, edge)
        else:
            edge = 0 if position <= index.last else index.last
            begin, end = max(position - width, edge), position
        ids += search.ids(begin, end, limit + 1 - len(ids), descending=before is not None)
        position = end if before is None else begin
        if clock() > deadline:
            break
    more = len(ids) > limit
    over = not more and (position < index.newest if before is None else position > 0)
    ids = sorted(ids[:limit])
    rows = tuple(row for row in overview(db, ids) if holds(row))
    first = ids[0] if ids else after + 1
    last = ids[-1] if ids else position
    if before is None:
        return Listed(
            rows=rows,
            before=first if after else None,
            after=position if over else last if more else None,
            searched=position if over else None,
        )
    return Listed(
        rows=rows,
        before=position + 1 if over else first if more else None,
        after=before - 1,
        searched=position if over else None,
    )


def overview(db: View, ids: list[int]) -> list[Overview]:
    """The rows of some URLs, by id."""
    rows = db.execute(
        f"{OVERVIEW.query} WHERE url.id IN (SELECT value FROM json_each(?)) ORDER BY url.id", (json.dumps(ids),)
    )
    return [Overview(*row) for row in rows]
