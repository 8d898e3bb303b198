"""Items of `ttcrawl extract` as tables: a row for each item, a column for each field, a missing value is null.

They are read twice: first for the names and types of the columns, then for the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.errors import UsageError, require
from ttcrawl.export.compressed import COMPRESSORS
from ttcrawl.export.fields import FieldRows, columns_of
from ttcrawl.export.formats.csv import comma_separated
from ttcrawl.export.formats.jsonl import json_lines
from ttcrawl.export.formats.parquet import parquet
from ttcrawl.export.formats.sqlite import moment
from ttcrawl.export.output import output
from ttcrawl.export.sqlite_schema import declared_type
from ttcrawl.export.table_files import Write, values_of
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import MOMENT, Moment
from ttcrawl.store.new_database import NewDatabase, new_database, quoted
from ttcrawl.store.replaced import replaced

#: The items of one extractor: (URL, time of the answer, position on the page, JSON object), read at each call.
Read = Callable[[], Iterable[tuple[str, float, int, str]]]

_WRITERS: Mapping[str, tuple[Write, bool]] = {
    "jsonl": (json_lines, False),
    "csv": (comma_separated, False),
    "parquet": (parquet, True),
}
FORMATS = (*_WRITERS, "sqlite")
_SUFFIXES = {**{f".{name}": name for name in FORMATS}, ".ndjson": "jsonl", ".db": "sqlite", ".sqlite3": "sqlite"}


@dataclass(frozen=True, slots=True)
class Extracted:
    """The columns in front of the fields."""

    page_url: str
    page_time: Moment
    item: int


def format_of(out: Path | None, name: str) -> str:
    """The format that is named, or that the name of the file has; JSON lines for stdout. Raises UsageError."""
    if name or out is None or out.is_dir():
        return name or "jsonl"
    suffixes = [each for each in out.suffixes if each not in COMPRESSORS]
    if not suffixes or suffixes[-1].lower() not in _SUFFIXES:
        raise UsageError(f"{out}: end the name with .{', .'.join(FORMATS)}, or choose with --format")
    return _SUFFIXES[suffixes[-1].lower()]


def check(out: Path | None, form: str, tables: int) -> None:
    """Raises UsageError if these tables cannot be written so."""
    if form == "parquet":
        require("pyarrow")
    binary = form == "sqlite" or _WRITERS[form][1]
    if form == "sqlite" and (out is None or out.is_dir()):
        raise UsageError("sqlite is one file: name it with -o FILE")
    if binary and out is not None and out.suffix in COMPRESSORS:
        raise UsageError(f"{form} is not compressed by {out.suffix}: name another file with -o FILE")
    if tables > 1 and form != "sqlite" and (out is None or not out.is_dir()):
        raise UsageError("several extractors need a directory that exists, -o DIR, or a file of SQLite")


def write_items(tables: Mapping[str, Read], out: Path | None, form: str) -> list[Path]:
    """Write the items of extractors; return the files. Raises UsageError for fields that make no table."""
    if form == "sqlite":
        assert out is not None
        with replaced(out) as fresh, new_database(fresh, out) as file:
            for name, read in tables.items():
                _insert(file, name, read)
        return [out]
    paths = list[Path]()
    write, binary = _WRITERS[form]
    for name, read in tables.items():
        path: Path | None = out / f"{name.replace(':', '.')}.{form}" if out is not None and out.is_dir() else out
        rows = _rows(read)
        with output(path, binary=binary) as file:
            write(rows.row, (), ((row, ()) for row in _each(rows, read)), file)
        paths += [path] if path else []
    return paths


def _rows(read: Read) -> FieldRows:
    fields = (fields for *_, text in read() if isinstance(fields := parse(text), dict))
    return FieldRows(Extracted, columns_of(fields))


def _each(rows: FieldRows, read: Read) -> Iterator[object]:
    return (rows(*stored) for stored in read())


def _insert(file: NewDatabase, name: str, read: Read) -> None:
    rows = _rows(read)
    of_column = {column: kind for column, (kind, _) in kinds(rows.row).items()}
    columns = ",\n".join(f"    {quoted(column)} {declared_type(kind)}" for column, kind in of_column.items())
    file.execute(f"CREATE TABLE {quoted(name)} (\n{columns}\n)")
    forms = [moment if kind == MOMENT else None for kind in of_column.values()]
    values = values_of(rows.row)

    def converted(row: object) -> list[object]:
        pairs = zip(forms, values(row), strict=True)
        return [form(value) if form and value is not None else value for form, value in pairs]

    file.insert(name, tuple(of_column), map(converted, _each(rows, read)))
