"""Rows as Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ttcrawl.errors import require
from ttcrawl.export.groups import row_groups
from ttcrawl.export.output import Output
from ttcrawl.snapshot.frames import arrow_array
from ttcrawl.snapshot.kinds import kinds


def parquet(
    row: type,
    rows: Iterable[Any],
    more: Callable[[Any], dict[str, object]],
    names: tuple[str, ...],
    file: Output,
) -> None:
    """Moments are timestamps (UTC). `more` returns the values of the texts `names`. Raises UsageError."""
    require("pyarrow")
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    of_column = {name: kind for name, (kind, _) in kinds(row).items()} | dict.fromkeys(names, "str")
    empty = _table(pyarrow, of_column, dict.fromkeys(of_column, ()))
    repeated = [name for name in of_column if name not in names]  # a dictionary of texts only takes memory
    options = {"compression": "zstd", "use_dictionary": repeated, "write_statistics": repeated}
    with ParquetWriter(file, empty.schema, **options) as writer:
        for group in row_groups(_sized(list(kinds(row)), rows, more, names)):
            columns = dict(zip(of_column, zip(*group, strict=True), strict=True))
            writer.write_table(_table(pyarrow, of_column, columns))


def _sized(
    columns: list[str], rows: Iterable[Any], more: Callable[[Any], dict[str, object]], names: tuple[str, ...]
) -> Iterator[tuple[tuple[object, ...], int]]:
    """The values of each row, and the characters of their texts."""
    for row in rows:
        values = tuple(getattr(row, name) for name in columns)
        if names:
            texts = more(row)
            values += tuple(texts[name] for name in names)
        yield values, sum(len(value) for value in values if isinstance(value, (str, bytes)))


def _table(arrow: Any, of_column: Mapping[str, str], columns: Mapping[str, Any]) -> Any:
    kinds_ = {name: "str" if kind == "category" else kind for name, kind in of_column.items()}
    return arrow.table({name: arrow_array(arrow, kind, columns[name]) for name, kind in kinds_.items()})
