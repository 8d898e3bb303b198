"""Rows as JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ttcrawl.export.output import Output
from ttcrawl.export.table_files import TableRow, forms, table_format, values_of
from ttcrawl.snapshot.json_columns import parse


def _as_it_is(value: object) -> object:
    return value


def json_lines(row: type, texts: Sequence[str], rows: Iterable[TableRow], out: Output) -> None:
    """One object per row. Moments are ISO 8601; columns of JSON are objects and arrays, null if they are empty."""
    encode = msgspec.json.Encoder().encode
    of_column = forms(row, of_json=parse, of_other=_as_it_is)
    names, values_in = tuple(of_column), values_of(row)
    changed = [(name, form) for name, form in of_column.items() if form is not _as_it_is]  # the minority
    for each, of_texts in rows:
        values = dict(zip(names, values_in(each), strict=True))
        for name, form in changed:
            values[name] = form(values[name])
        out.write(encode(values | dict(zip(texts, of_texts, strict=True))) + b"\n")


FORMAT = table_format(json_lines, about="a table, one JSON object per row")
