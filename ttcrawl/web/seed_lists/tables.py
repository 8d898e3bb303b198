"""Tables with a column of URLs: CSV and TSV with a header or without, JSON lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from ttcrawl.web.seed_lists.entry import Entry, NoListError

#: The name of the column, unless another one is named.
URL = "url"

#: Columns that are named where one is missing.
NAMED = 20

#: Rows that decide whether a table without a header has a column of URLs.
SAMPLE = 20

#: Characters of a cell: texts of pages are long.
LONGEST = 1 << 24

_DELIMITERS = "\t,;|"
_WITH_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,10}[A-Za-z]{2,24}(?:/\S*)?")


class Layout(Struct, frozen=True, kw_only=True):
    """How a table is written. `header`: its first row has the names of the columns. `alone`: it has one column."""

    delimiter: str
    index: int  # of the column with the URLs
    header: bool
    alone: bool = False


def layout(head: Sequence[str], column: str) -> Layout | None:
    """Return how the table that begins with these lines is written; None: it is none.

    Raises NoListError if it has no column of this name.
    """
    lines = [line for line in head if line.strip() and not line.startswith("#")][:SAMPLE]
    if not lines:
        return None
    name = (column or URL).casefold()
    for delimiter in _DELIMITERS:
        names = [each.strip().casefold() for each in _row(lines[0], delimiter)]
        if name in names:
            return Layout(delimiter=delimiter, index=names.index(name), header=True, alone=len(names) == 1)
    if column:
        raise NoListError(
            _without(column, max((_row(lines[0], each) for each in _DELIMITERS), key=lambda row: len(row)))
        )
    return next(filter(None, (_without_header(lines, delimiter) for delimiter in _DELIMITERS)), None)


def _row(line: str, delimiter: str) -> list[str]:
    with suppress(csv.Error):
        return next(csv.reader([line], delimiter=delimiter), [])
    return []


def _without(column: str, columns: Sequence[str]) -> str:
    more = f" and {len(columns) - NAMED:,} more" if len(columns) > NAMED else ""
    return f"has no column {column}: its columns are {', '.join(columns[:NAMED])}{more}"


def _without_header(lines: Sequence[str], delimiter: str) -> Layout | None:
    """A table in each row of which the same cell is a URL, or a domain behind a rank. A URL in the first cell may go on
    with the delimiter, unless it is in quotes or something with blanks follows."""
    rows = [_row(line, delimiter) for line in lines]
    for header in (False, True):
        own = rows[header:]
        if not own or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in own):
            continue
        for index, cells in enumerate(zip(*own, strict=True)):
            ranked = index == 1 and all(row[0].strip().isdecimal() and _DOMAIN.fullmatch(row[1].strip()) for row in own)
            if not ranked and not all(_WITH_SCHEME.match(cell.strip()) for cell in cells):
                continue
            apart = all(
                line.startswith('"') or " " in "".join(row[1:]) for line, row in zip(lines[header:], own, strict=True)
            )
            if index or apart:
                return Layout(delimiter=delimiter, index=index, header=header)
    return None


def delimited(lines: Iterable[str], form: Layout) -> Iterator[Entry]:
    """The cells of the column; empty ones are left out."""
    csv.field_size_limit(LONGEST)
    reader = csv.reader(lines, delimiter=form.delimiter)
    header = form.header
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield Entry(number, "a row with more characters than a cell may have")
            continue
        if not row or row[0].startswith("#"):
            continue
        if not header and len(row) > form.index and (text := row[form.index].strip()):
            yield Entry(number, text)
        header = False


def objects(lines: Iterable[str], column: str) -> Iterator[Entry]:
    """A JSON object in each line. One without a URL is left out if it is the first: pages.jsonl of a WACZ begins so.

    Raises NoListError if the first objects have no such column.
    """
    name, missing, found = column or URL, list[str](), False
    decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = decode(line)
            text = msgspec.json.decode(row[name], type=str | None) if name in row else None
        except (msgspec.MsgspecError, UnicodeEncodeError):
            yield Entry(number, line.strip())
            continue
        if text is not None:
            found = True
            yield Entry(number, text.strip())
        elif not found:
            missing += row
            if number > SAMPLE:
                raise NoListError(_without(name, list(dict.fromkeys(missing))))
    if missing and not found:
        raise NoListError(_without(name, list(dict.fromkeys(missing))))
