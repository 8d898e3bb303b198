"""The table of an experiment: a line for each policy."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence

from ttcrawl.lab.curves import Curves, Point
from ttcrawl.lab.experiment import Experiment

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
    """The value, or the smallest and the largest among the seeds.

    >>> _range([3.0], 0), _range([1234, 1250], 0), _range([1.01, 1.02], 1)
    ('3', '1,234-1,250', '1.0')
    """
    low, high = (f"{each:,.{digits}f}" for each in (min(values), max(values)))
    return low if low == high else f"{low}-{high}"


def lines(experiment: Experiment) -> list[str]:
    """Return the table for a terminal, and what its columns are."""
    first = next(iter(_EARLY))[0]
    note = f"From {first} on: after {early(experiment):,} requests, a quarter of the record's pages."
    return [*laid_out(table(experiment)), note]


def laid_out(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return rows with the same columns as lines: the first column to the left, numbers to the right."""
    cells = [list(rows[0]), *(list(row.values()) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in cells
    ]


def csv_rows(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows with the same columns as CSV, without a line feed at the end."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().rstrip("\n")
