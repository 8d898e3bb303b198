"""The table of an experiment: a line for each policy."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence

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


def _row(name: str, curves: Sequence[Curves], experiment: Experiment) -> dict[str, str]:
    last, begun = [each.last for each in curves], [each.at(early(experiment)) for each in curves]
    row = {"policy": name}
    for points, columns in ((last, _LAST), (begun, (*_EARLY, *(_RELEVANT if experiment.relevant else ())))):
        row |= {heading: _range([value(point) for point in points], digits) for heading, value, digits in columns}
    return row


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
