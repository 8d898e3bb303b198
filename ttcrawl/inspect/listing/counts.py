"""How many URLs of a selection have each value of a facet: exact, or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.inspect.listing.facets import BY_NAME, FACETS, NONE, Facet
from ttcrawl.inspect.listing.listed import Search
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.state import STATES

#: Values of a facet that are listed, and URLs whose values are counted one by one: 30 ms.
VALUES, COUNTED = 12, 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """`urls`: None where only counting all of them would tell."""

    value: str
    urls: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """`total`: None where only counting all URLs would tell. `of`: the most frequent values of each facet."""

    total: int | None
    of: dict[Facet, tuple[Count, ...]]


def counts(db: View, search: Search, *, with_text: bool) -> Counts:
    """The counts of a selection in view.db. With a text, which is looked for nowhere here, there are no numbers."""
    values = search.values
    total: int | None = None
    states = [str(state) for state in values.get("state", ()) if state is not None]
    if values.keys() <= {"state"} and (states or not values):
        total = search.candidates if values else _all(db)
        of = {each: _tallied(db, each, states, numbers=not with_text) for each in FACETS}
    elif search.candidates <= COUNTED:
        rows = search.columns(COUNTED + 1)
        total = len(rows)
        of = {
            each: _counted(db, each, Counter(column), numbers=not with_text)
            for each, column in zip(FACETS, zip(*rows, strict=True) if rows else [()] * len(FACETS), strict=True)
        }
    else:
        total = search.candidates if len(values) == 1 else None
        of = {each: _tallied(db, each, states, numbers=False) for each in FACETS}
        if len(values) == 1:
            ((name, several),) = values.items()
            of[BY_NAME["state"]] = _states(db, name, several, numbers=not with_text)
    of |= {BY_NAME[name]: _with_others(db, BY_NAME[name], of[BY_NAME[name]]) for name in values if name != "state"}
    return Counts(total=None if with_text else total, of=of)


def _with_others(db: View, facet: Facet, counts: tuple[Count, ...]) -> tuple[Count, ...]:
    """The counts of a facet by which URLs are selected, and other values of it that could be selected, too."""
    listed = {each.value for each in counts}
    others = _tallied(db, facet, (), numbers=False)
    return (*counts, *(each for each in others if each.value not in listed))[:VALUES]


def _all(db: View) -> int:
    (urls,) = db.execute(
        "SELECT coalesce(sum(urls), 0) FROM listing.tally WHERE facet = ? AND state = ?", ("state", "")
    ).fetchone()
    return int(urls)


def _tallied(db: View, facet: Facet, states: Sequence[str], *, numbers: bool) -> tuple[Count, ...]:
    """The most frequent values among the URLs in these states; (): in any."""
    states = [] if facet.name == "state" else states
    if len(states) < 2:
        query = "SELECT value, urls FROM listing.tally WHERE facet = ? AND state = ? AND urls > 0"
        states = states or [""]
    else:
        marks = ", ".join("?" * len(states))
        query = f"SELECT value, sum(urls) AS urls FROM listing.tally WHERE facet = ? AND state IN ({marks})"
        query += " GROUP BY value HAVING sum(urls) > 0"
    rows = db.execute(f"{query} ORDER BY urls DESC LIMIT {VALUES}", (facet.name, *states))
    return _counted(db, facet, Counter(dict(rows)), numbers=numbers)


def _states(db: View, facet: str, values: Sequence[object], *, numbers: bool) -> tuple[Count, ...]:
    several = ["" if value is None else value for value in values]
    query = f"""
        SELECT state, sum(urls) FROM listing.tally WHERE facet = ? AND state IN ({", ".join("?" * len(STATES))})
        AND value IN ({", ".join("?" * len(several))}) GROUP BY state HAVING sum(urls) > 0"""
    rows = db.execute(query, (facet, *STATES, *several))
    return _counted(db, BY_NAME["state"], Counter(dict(rows)), numbers=numbers)


def _counted(db: View, facet: Facet, urls: Counter[object], *, numbers: bool) -> tuple[Count, ...]:
    return tuple(
        Count(value=_shown(db, facet, value), urls=number if numbers else None)
        for value, number in urls.most_common(VALUES)
    )


def _shown(db: View, facet: Facet, value: object) -> str:
    if value is None or value == "":
        return NONE
    if facet.name == "host":
        row = db.execute("SELECT host FROM site WHERE id = ?", (value,)).fetchone()
        return row[0] if row else f"(site {value})"
    return str(value)
