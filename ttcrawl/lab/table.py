"""The tables of the laboratory: a line for each policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from ttcrawl.lab.curves import Curves, Point
from ttcrawl.lab.experiment import Experiment
from ttcrawl.lab.recrawling import Recrawled
from ttcrawl.output.layout import Row, Section

#: Where policies are compared, as a share of the pages of the record: at the end they have all collected the same.
EARLY = 0.25

#: Columns of totals at the end of a trial: heading, value, decimal places.
_LAST: Sequence[tuple[str, Callable[[Point], float], int]] = (
    ("requests", lambda point: point.requests, 0),
    ("pages", lambda point: point.pages, 0),
    ("seconds", lambda point: point.seconds, 0),
    ("waiting %", lambda point: 100 * point.waiting / point.seconds if point.seconds else 0.0, 1),
    ("duplicates", lambda point: point.duplicates, 0),
    ("traps", lambda point: point.traps, 0),
    ("errors", lambda point: point.errors, 0),
    ("not recorded", lambda point: point.missing, 0),
)

#: Columns of totals early in a trial.
_EARLY: Sequence[tuple[str, Callable[[Point], float], int]] = (
    ("in-links %", lambda point: 100 * point.in_links, 1),
    ("distinct", lambda point: point.distinct, 0),
    ("URLs", lambda point: point.discovered, 0),
)

#: The same, of a record with relevant pages.
_RELEVANT: Sequence[tuple[str, Callable[[Point], float], int]] = (
    ("relevant", lambda point: point.relevant, 0),
    ("harvest %", lambda point: 100 * point.harvest, 1),
)

#: Columns of policies for visits.
_RECRAWLED: Sequence[tuple[str, Callable[[Recrawled], float], int]] = (
    ("visits", lambda each: each.visits, 0),
    ("changes seen", lambda each: each.seen, 0),
    ("of", lambda each: each.changes, 0),
    ("fresh %", lambda each: 100 * each.fresh, 1),
    ("weighted %", lambda each: 100 * each.weighted_fresh, 1),
    ("mean age s", lambda each: each.age, 0),
)


def early(experiment: Experiment) -> int:
    """Return the number of requests after which policies are compared."""
    return max(1, round(experiment.pages * EARLY))


def table(experiment: Experiment) -> list[dict[str, str]]:
    """Return a row for each policy: the columns by their headings."""
    return [_row(name, experiment.of(name), experiment) for name in experiment.names]


def figures(experiment: Experiment) -> list[dict[str, object]]:
    """Return the same for programs: of each column the values of all trials."""
    return [
        {"policy": name, **{_key(heading): values for heading, values, _ in _values(experiment.of(name), experiment)}}
        for name in experiment.names
    ]


def _key(heading: str) -> str:
    """Return the name of a column in JSON.

    >>> _key("in-links %"), _key("not recorded"), _key("URLs")
    ('in_links_percent', 'not_recorded', 'urls')
    """
    return heading.lower().replace("%", "percent").replace("-", "_").replace(" ", "_")


def _row(name: str, curves: Sequence[Curves], experiment: Experiment) -> dict[str, str]:
    columns = _values(curves, experiment)
    return {"policy": name, **{heading: _range(values, digits) for heading, values, digits in columns}}


def _values(curves: Sequence[Curves], experiment: Experiment) -> Iterator[tuple[str, list[float], int]]:
    """Yield the heading of each column, the value of each trial, and decimal places."""
    last, begun = [each.last for each in curves], [each.at(early(experiment)) for each in curves]
    for points, columns in ((last, _LAST), (begun, (*_EARLY, *(_RELEVANT if experiment.relevant else ())))):
        for heading, value, digits in columns:
            yield heading, [value(point) for point in points], digits


def _range(values: Sequence[float], digits: int) -> str:
    """The value, or the smallest and the largest among the trials.

    >>> _range([3.0], 0), _range([1234, 1250], 0), _range([1.01, 1.02], 1)
    ('3', '1,234-1,250', '1.0')
    """
    low, high = (f"{each:,.{digits}f}" for each in (min(values), max(values)))
    return low if low == high else f"{low}-{high}"


def section(experiment: Experiment) -> Section:
    """Return the table for reading."""
    note = f"From {_EARLY[0][0]} on: after {early(experiment):,} requests, a quarter of the record's pages."
    return _section(table(experiment), note)


def recrawl_section(done: Sequence[Recrawled]) -> Section:
    """Return the table of policies for visits."""
    note = "Weighted by the importance of pages: a copy of a page with weight 2 counts twice."
    return _section([_recrawl_row(name, [*trials]) for name, trials in groupby(done, lambda each: each.policy)], note)


def _recrawl_row(name: str, trials: Sequence[Recrawled]) -> dict[str, str]:
    return {"policy": name, **{heading: _range(list(map(of, trials)), digits) for heading, of, digits in _RECRAWLED}}


def _section(rows: Sequence[Mapping[str, str]], note: str) -> Section:
    title, *columns = rows[0]
    lines = tuple(Row(label=label, values=tuple(values)) for label, *values in (row.values() for row in rows))
    return Section(title=title, rows=lines, columns=tuple(columns), subject=title, how=note)
