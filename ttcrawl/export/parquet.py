"""Rows as Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

from ttcrawl.ask.library.frames import arrow_array
from ttcrawl.ask.library.kinds import kinds
from ttcrawl.errors import require
from ttcrawl.export.groups import groups

GROUP = 20_000  # rows


def parquet(
    row: type,
    rows: Iterable[Any],
    more: Callable[[Any], dict[str, object]],
    names: tuple[str, ...],
    file: BinaryIO,
) -> None:
    """Moments are timestamps (UTC). `more` returns the values of the texts `names`. Raises UsageError."""
    require("pyarrow")
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    of_column = {name: kind for name, (kind, _) in kinds(row).items()} | dict.fromkeys(names, "str")
    empty = _table(pyarrow, of_column, dict.fromkeys(of_column, ()))
    with ParquetWriter(file, empty.schema, compression="zstd") as writer:
        for group in groups(rows, GROUP):
            columns: dict[str, Any] = {name: [getattr(each, name) for each in group] for name in kinds(row)}
            texts = [more(each) for each in group] if names else []
            columns |= {name: [each[name] for each in texts] for name in names}
            writer.write_table(_table(pyarrow, of_column, columns))


def _table(arrow: Any, of_column: dict[str, str], columns: dict[str, Any]) -> Any:
    kinds_ = {name: "str" if kind == "category" else kind for name, kind in of_column.items()}
    return arrow.table({name: arrow_array(arrow, kind, columns[name]) for name, kind in kinds_.items()})
