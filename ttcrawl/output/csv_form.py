"""The tables of a report as CSV: one line for each value, so that programs can select and join them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence

from ttcrawl.output.layout import Section, Value
from ttcrawl.output.untrusted import escape_untrusted

COLUMNS = ("table", "row", "crawl", "column", "value")
#: The row of the sentence that says what a table amounts to.
STATEMENT = "In a sentence"
#: A spreadsheet takes a text that begins so for a formula (OWASP, CSV injection).
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_form(parts: Sequence[Section], names: Sequence[str]) -> str:
    """Sections of crawls side by side, without a line feed at the end.

    A row that is part of another is `ROW / PART`. Numbers are complete; a missing value, or one that is not finite, is
    empty. A text that spreadsheets take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for section in parts:
        cells = [(name, column) for name in names for column in section.columns]
        for label, values in _rows(section):
            for (name, column), value in zip(cells, values, strict=True):
                writer.writerow(map(_text, (section.title, label, name, column, value)))
        for name, statement in zip(names, section.statements, strict=True) if section.statements else ():
            writer.writerow(map(_text, (section.title, STATEMENT, name, "", statement)))
    return out.getvalue().rstrip("\n")


def csv_records(records: Sequence[Mapping[str, object]]) -> str:
    """Records with the same fields, one line for each, without a line feed at the end."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records[0])
    writer.writerows(
        [no_formula(each) if isinstance(each, str) else each for each in record.values()] for record in records
    )
    return out.getvalue().rstrip("\n")


def _rows(section: Section) -> Iterator[tuple[str, Sequence[Value]]]:
    """The rows with the labels of the rows that they are part of: those further left, directly above."""
    above: list[tuple[int, str]] = []
    for row in section.rows:
        text = row.label.lstrip(" ")
        indent = len(row.label) - len(text)
        above = [each for each in above if each[0] < indent]
        above.append((indent, text))
        yield " / ".join(text for _, text in above), row.values


def no_formula(text: str) -> str:
    """Return a cell that spreadsheets take for a text: a formula gets an apostrophe in front.

    >>> no_formula("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def _text(value: Value) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if not isinstance(value, str):
        return repr(value)
    return no_formula(escape_untrusted(value))
