"""All tables in one SQLite file, for Datasette, Superset and others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from ttcrawl.errors import UsageError
from ttcrawl.export import STORED
from ttcrawl.export.fields import source_of
from ttcrawl.export.format import Format, Options
from ttcrawl.export.sources import Source
from ttcrawl.export.sqlite_schema import LEFT_OUT, URLS, columns, indexes, table, views
from ttcrawl.export.table_files import TEXTS, page_texts, values_of
from ttcrawl.output.steps import Progress, reported
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import JSON, MOMENT
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.new_database import NewDatabase, new_database
from ttcrawl.store.replaced import replaced

#: URLs that are remembered by their ids: many URLs are discovered on one page.
REMEMBERED = 1 << 14


def sqlite(db: View, options: Options, progress: Progress) -> list[Path]:
    """What is stored, or the tables that are named, as of one moment: the snapshot stays open. Raises UsageError."""
    options.must_be_one_file()
    if options.out is None:
        raise UsageError("sqlite is one file: name it with -o FILE")
    names = tuple(dict.fromkeys(options.tables or STORED))
    if options.text and "pages" not in names:
        raise UsageError("--text is for the table pages")
    sources = [source_of(db, name) for name in names]
    for source in sources:  # before the file is written
        compile_conditions(options.conditions, source.row)
    with replaced(options.out) as path, new_database(path, options.out) as file:
        for source in sources:
            _write_table(db, source, options, progress, file)
        for statement in (*views(names), "ANALYZE"):
            file.execute(statement)
    return [options.out]


def _write_table(db: View, source: Source, options: Options, progress: Progress, file: NewDatabase) -> None:
    texts = TEXTS if options.text and source.name == "pages" else ()
    of_column = columns(source, texts)
    file.execute(table(source, of_column))
    holds = compile_conditions(options.conditions, source.row)
    (total,) = db.execute(source.count).fetchone()
    rows = filter(holds, reported(source.pieces.rows_of_one_snapshot(db), progress, source.name, total))
    file.insert(source.name, tuple(of_column), _values(db, source, rows, texts))
    for statement in indexes(source.name):
        file.execute(statement)


def _values(db: View, source: Source, rows: Iterator[Any], texts: Sequence[str]) -> Iterator[Sequence[object]]:
    """The values of each row, and the texts of its page."""
    values_of_row, of_column = values_of(source.row), list(kinds(source.row).items())
    changed = [(at, form) for at, (name, (kind, _)) in enumerate(of_column) if (form := _form(db, name, kind))]
    left_out = [at for at, (name, _) in enumerate(of_column) if name in LEFT_OUT]
    for row in rows:
        values = list(values_of_row(row))
        for at, form in changed:
            if values[at] is not None:
                values[at] = form(values[at])
        for at in left_out:  # at most one
            del values[at]
        yield [*values, *page_texts(db, row, texts)]


def _form(db: View, name: str, kind: str) -> Callable[[Any], object] | None:
    if name in URLS:
        return lru_cache(REMEMBERED)(db.url_of)
    if kind == JSON:
        return _json
    return moment if kind == MOMENT else None


def _json(text: str) -> str | None:
    """An empty text is no JSON, which those who go by the declared type cannot read (SQLAlchemy, and so Superset)."""
    return text or None


def moment(seconds: float) -> str:
    """Return a moment as datetime() of SQLite writes it (UTC), with its fraction.

    >>> moment(1_700_000_000.25)
    '2023-11-14 22:13:20.250000'
    """
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


FORMAT = Format(
    about="all tables in one SQLite file, for Datasette, Superset and others",
    has_tables=True,
    compressed=(),
    write=sqlite,
)
