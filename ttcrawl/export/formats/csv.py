"""Rows as CSV."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Sequence
from typing import Any, cast

from ttcrawl.export.output import Output
from ttcrawl.export.table_files import TableRow, forms, table_format, values_of
from ttcrawl.output.csv_form import no_formula


def comma_separated(row: type, texts: Sequence[str], rows: Iterable[TableRow], out: Output) -> None:
    """A line of names, then a line per row (RFC 4180, in UTF-8). A missing value is empty; booleans are true and false.

    A text that spreadsheets take for a formula gets an apostrophe in front.
    """
    of_column = forms(row, of_json=_cell, of_other=_cell)
    columns, values = [*of_column.values(), *(_cell for _ in texts)], values_of(row)
    writer = csv.writer(codecs.getwriter("utf-8")(cast(Any, out)), lineterminator="\n")
    writer.writerow((*of_column, *texts))
    writer.writerows(
        [form(value) for form, value in zip(columns, values(each) + of_texts, strict=True)] for each, of_texts in rows
    )


def _cell(value: Any) -> object:
    if isinstance(value, str):
        return no_formula(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


FORMAT = table_format(comma_separated, about="a table (RFC 4180, UTF-8)")
