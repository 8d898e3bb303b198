"""Rows as Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ttcrawl.export.output import Output
from ttcrawl.export.table_files import TableRow, table_format, values_of
from ttcrawl.snapshot.frames import arrow_array
from ttcrawl.snapshot.kinds import kinds

T = TypeVar("T")

#: Rows of a group at most, and bytes or characters of its values after which it ends.
ROWS, SIZE = 20_000, 8 << 20


def parquet(row: type, texts: Sequence[str], rows: Iterable[TableRow], out: Output) -> None:
    """Moments are timestamps (UTC)."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    of_column = {name: kind for name, (kind, _) in kinds(row).items()} | dict.fromkeys(texts, "str")
    empty = _table(pyarrow, of_column, dict.fromkeys(of_column, ()))
    repeated = [name for name in of_column if name not in texts]  # a dictionary of texts only takes memory
    options = {"compression": "zstd", "use_dictionary": repeated, "write_statistics": repeated}
    with ParquetWriter(out, empty.schema, **options) as writer:
        for group in row_groups(_sized(values_of(row), rows)):
            columns = dict(zip(of_column, zip(*group, strict=True), strict=True))
            writer.write_table(_table(pyarrow, of_column, columns))


def row_groups(rows: Iterable[tuple[T, int]]) -> Iterator[list[T]]:
    """The row groups of a file, of rows with their sizes. A row that is larger than a group ends one."""
    group: list[T] = []
    total = 0
    for row, size in rows:
        group.append(row)
        total += size
        if total >= SIZE or len(group) >= ROWS:
            yield group
            group, total = [], 0
    if group:
        yield group


def _sized(
    of_row: Callable[[Any], tuple[Any, ...]], rows: Iterable[TableRow]
) -> Iterator[tuple[tuple[object, ...], int]]:
    """The values of each row, and the characters of their texts."""
    for row, texts in rows:
        values = of_row(row) + texts
        yield values, sum([len(value) for value in values if isinstance(value, (str, bytes))])


def _table(arrow: Any, of_column: Mapping[str, str], columns: Mapping[str, Any]) -> Any:
    kinds_ = {name: "str" if kind == "category" else kind for name, kind in of_column.items()}
    return arrow.table({name: arrow_array(arrow, kind, columns[name]) for name, kind in kinds_.items()})


FORMAT = table_format(parquet, about="a table", needs="pyarrow", binary=True)
