"""The URLs of a selection, in the order of discovery: some before, or behind, an id.

A selection by one facet is read from its index. Of several facets the rarest one has the index; if it is frequent, or a
text is looked for, the URLs are searched in segments until there are enough or the time is over: the next page goes on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

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

#: Facet -> values as table `listed` has them, any of which a URL has.
Values: TypeAlias = Mapping[str, Sequence[object]]


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
        self.values: Values = stored_values(db, selection)
        self._text = selection.text
        self.candidates = index.newest  # URLs of the selection, at most
        self._cost, self._rarest = index.newest, ""  # URLs to which the index of a facet leads, and which facet
        states = [str(state) for state in self.values.get("state", ()) if state] or [""]
        for name in self.values if index.last else ():
            self.candidates = min(self.candidates, self._tally(name, [""] if name == "state" else states))
            if (urls := self._tally(name, [""])) < self._cost and not self._is_partial(name):
                self._cost, self._rarest = urls, name

    @property
    def is_direct(self) -> bool:
        """Whether an index leads to each URL."""
        few = self._cost <= FEW or (not self.values and not self._text)
        return few or (len(self.values) == 1 and bool(self._rarest) and not self._text)

    def ids(self, begin: int, end: int, limit: int, *, descending: bool = False) -> list[int]:
        """The ids behind `begin` up to `end`; all of them in view.db, or none."""
        if end > self._index.last or not self._rarest:
            return self._ids(self.values, begin, end, limit, descending)
        # each value has its own part of the index, in order of the ids
        parts = [{**self.values, self._rarest: [each]} for each in dict.fromkeys(self.values[self._rarest])]
        merged = (id for part in parts for id in self._ids(part, begin, end, limit, descending))
        return sorted(merged, reverse=descending)[:limit]

    def _ids(self, values: Values, begin: int, end: int, limit: int, descending: bool) -> list[int]:
        listed = end <= self._index.last
        source = "listing.listed" if listed else f"({ROWS} WHERE url.id > {begin} AND url.id <= {end})"
        if not values:
            source = "url"
        conditions, of_values = _conditions(values)
        joins, where = "", ["each.id > ?", "each.id <= ?", *conditions]
        bound: list[object] = [begin, end, *of_values]
        if self._text:
            condition, text = text_condition(self._text)
            joins = "JOIN url AS named ON named.id = each.id LEFT JOIN page ON page.url = each.id"
            where.append(f"({condition.format('named.url')} OR {condition.format('page.title')})")
            bound += [text, text]
        order = "DESC" if descending else ""
        rows = self._db.execute(
            f"SELECT each.id FROM {source} AS each {self._hint if listed else ''} {joins} WHERE {' AND '.join(where)}"
            f" ORDER BY each.id {order} LIMIT {limit}",
            bound,
        )
        return [id for (id,) in rows]

    def columns(self, limit: int) -> list[tuple[object, ...]]:
        """The values of all facets, of the first URLs in view.db."""
        conditions, bound = _conditions(self.values)
        where, names = " AND ".join(conditions) or "true", ", ".join(each.name for each in FACETS)
        return self._db.execute(
            f"SELECT {names} FROM listing.listed AS each {self._hint} WHERE {where} LIMIT {limit}", bound
        ).fetchall()

    @property
    def _hint(self) -> str:
        return f"INDEXED BY listed_{self._rarest}" if self._rarest else ""

    def _tally(self, name: str, states: Sequence[str]) -> int:
        """The URLs of the values of a facet that were chosen; those of them that have one of the states."""
        values = {"" if value is None else value for value in self.values[name]}
        (urls,) = self._db.execute(
            "SELECT coalesce(sum(urls), 0) FROM listing.tally WHERE facet = ?"
            f" AND state IN ({_marks(states)}) AND value IN ({_marks(values)})",
            (name, *states, *values),
        ).fetchone()
        return int(urls)

    def _is_partial(self, name: str) -> bool:
        """Whether the index of a facet lacks URLs with one of these values."""
        return None in self.values[name] and (name == "same" or bool(BY_NAME[name].conditions))


def _conditions(values: Values) -> tuple[list[str], list[object]]:
    """One condition for each facet, and what is bound to them."""
    conditions, bound = [], list[object]()
    for name, several in values.items():
        present = [value for value in several if value is not None]
        # IS would do for both, and finds no index that lacks the rows without a value
        any_of = [f"each.{name} = ?" if len(present) == 1 else f"each.{name} IN ({_marks(present)})"] if present else []
        any_of += [f"each.{name} IS NULL"] if None in several else []
        conditions.append(f"({' OR '.join(any_of)})")
        bound += present
    return conditions, bound


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


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
