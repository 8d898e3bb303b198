"""Rows as JSON lines and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from ttcrawl.output.csv_form import no_formula
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import JSON, MOMENT

#: Characters that are collected before they are written.
PIECE = 1 << 16


def moment(seconds: float) -> str:
    """Return a moment in ISO 8601, UTC.

    >>> moment(1_700_000_000.25)
    '2023-11-14T22:13:20.250000Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def json_lines(row: type, rows: Iterable[Any], more: Callable[[Any], dict[str, object]]) -> Iterator[bytes]:
    """One object per row. Moments are ISO 8601; columns of JSON are objects and arrays, null if they are empty.

    `more` returns further members of a row.
    """
    encode = msgspec.json.Encoder().encode
    forms = _forms(row, of_json=parse, of_other=_same)
    for each in rows:
        values = {name: form(getattr(each, name)) for name, form in forms.items()}
        yield encode(values | more(each)) + b"\n"


def comma_separated(
    row: type, rows: Iterable[Any], more: Callable[[Any], dict[str, object]], names: tuple[str, ...] = ()
) -> Iterator[bytes]:
    """A line of names, then a line per row (RFC 4180, in UTF-8). A missing value is empty; booleans are true and false.

    A text that spreadsheets take for a formula gets an apostrophe in front. `more` returns the columns `names`.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    forms = _forms(row, of_json=_cell, of_other=_cell)
    writer.writerow((*forms, *names))
    for each in rows:
        values = more(each) if names else {}
        cells = [form(getattr(each, name)) for name, form in forms.items()]
        writer.writerow((*cells, *(_cell(values[name]) for name in names)))
        if out.tell() >= PIECE:
            yield out.getvalue().encode()
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode()


def _forms(
    row: type, *, of_json: Callable[[Any], object], of_other: Callable[[Any], object]
) -> dict[str, Callable[[Any], object]]:
    """Column -> the function that brings a value into the form in which it is written."""
    forms: dict[str, Callable[[Any], object]] = {}
    for name, (kind, optional) in kinds(row).items():
        if kind == MOMENT:
            forms[name] = lambda value: None if value is None else moment(value)
        elif kind == "bool" and optional:
            forms[name] = lambda value: None if value is None else of_other(bool(value))
        elif kind == "bool":
            forms[name] = lambda value: of_other(bool(value))
        elif kind == JSON:
            forms[name] = of_json
        else:
            forms[name] = of_other
    return forms


def _same(value: Any) -> object:
    return value


def _cell(value: Any) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return no_formula(value) if isinstance(value, str) else value
