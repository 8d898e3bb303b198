"""Tables as files, one for each table: what JSON lines, CSV and Parquet have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from ttcrawl.errors import UsageError
from ttcrawl.export import USUAL
from ttcrawl.export.compressed import COMPRESSORS
from ttcrawl.export.fields import source_of
from ttcrawl.export.format import Format, Options, selected
from ttcrawl.export.output import Output, output
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.rows import JSON, MOMENT
from ttcrawl.snapshot.snapshot import View

MAIN_TEXT = "main_text"
TEXTS = ("text", MAIN_TEXT)

#: Brings a value into the form in which it is written.
Form: TypeAlias = Callable[[Any], object]


#: A row, and the texts of its page that are further columns.
TableRow: TypeAlias = tuple[Any, tuple[str | None, ...]]

#: write(class of the rows, names of the texts, rows, file).
Write: TypeAlias = Callable[[type, Sequence[str], Iterable[TableRow], Output], None]


def table_format(write: Write, *, about: str, needs: str = "", binary: bool = False) -> Format:
    """A format of tables. It has the file DIR/TABLE.NAME for each table."""
    return Format(
        about=about,
        directory="a file for each table",
        needs=needs,
        has_tables=True,
        compressed=() if binary else tuple(COMPRESSORS),
        write=partial(_tables, write=write, binary=binary),
    )


def _tables(db: View, options: Options, progress: Progress, *, write: Write, binary: bool) -> list[Path]:
    names = options.tables or (USUAL if options.directory else ("pages",))
    if len(names) > 1 and options.directory is None:
        raise UsageError("several tables need a directory that exists: -o DIR")
    if options.text and "pages" not in names:
        raise UsageError("--text is for the table pages")
    sources = {name: source_of(db, name) for name in names}
    for source in sources.values():  # before the first file is written
        compile_conditions(options.conditions, source.row)
    paths = []
    for name, source in sources.items():
        path = options.directory / f"{name}.{options.form}" if options.directory else options.out
        columns = TEXTS if options.text and name == "pages" else ()
        with output(path, binary=binary) as file:
            rows = selected(db, source, options, progress, file)
            with_texts = ((row, page_texts(db, row, columns)) for row in rows)
            write(source.row, columns, with_texts, file)
        paths += [path] if path else []
    return paths


def page_texts(db: View, page: Any, names: Sequence[str]) -> tuple[str | None, ...]:
    """The text and the main text of a page, or what of them is named."""
    return tuple([words_or_none(db, page.id, page.url, main=name == MAIN_TEXT) for name in names])


def moment(seconds: float) -> str:
    """Return a moment in ISO 8601, UTC.

    >>> moment(1_700_000_000.25)
    '2023-11-14T22:13:20.250000Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def values_of(row: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that returns the values of a row of this class, in the order of its columns."""
    return attrgetter(*kinds(row)) if is_dataclass(row) else lambda each: tuple(vars(each).values())


def forms(row: type, *, of_json: Form, of_other: Form) -> dict[str, Form]:
    """Column -> the form of its values. Moments are ISO 8601, integers that stand for yes and no are booleans."""
    of_column: dict[str, Form] = {}
    for name, (kind, optional) in kinds(row).items():
        if kind == MOMENT:
            of_column[name] = lambda value: None if value is None else moment(value)
        elif kind == "bool" and optional:
            of_column[name] = lambda value: None if value is None else of_other(bool(value))
        elif kind == "bool":
            of_column[name] = lambda value: of_other(bool(value))
        else:
            of_column[name] = of_json if kind == JSON else of_other
    return of_column
