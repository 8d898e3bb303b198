"""A table as a pandas frame.

Rows pass through pyarrow in pieces, so that Python objects never exist for all cells at once. A text takes its bytes in
UTF-8 and a few more; repeated values become categories. Measured: a frame of a million URLs of 60 characters takes
174 MB, and 360 MB during construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ttcrawl.errors import require
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import CATEGORY, JSON, MOMENT
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import Table

if TYPE_CHECKING:
    from pandas import DataFrame, Series

PIECE = 20_000  # rows


def frame_libraries() -> tuple[ModuleType, ModuleType]:
    """pandas and pyarrow, which are optional. Raises UsageError if one is missing."""
    require("pandas", "pyarrow", otherwise="; the iterators (iter_pages and so on) give the same rows without")
    import pandas
    import pyarrow

    return pandas, pyarrow


def frame(db: View, table: Table[Any]) -> DataFrame:
    """All rows, in the order of the table. The index is `id` if the table has this column."""
    pandas, arrow = frame_libraries()
    names, of_column = table.columns, kinds(table.row)
    pieces: dict[str, list[Any]] = {name: [] for name in names}
    cursor = db.execute(table.ordered)
    while rows := cursor.fetchmany(PIECE):
        for name, values in zip(names, zip(*rows, strict=True), strict=True):
            pieces[name].append(_piece(arrow, of_column[name], values))
    columns = {}
    for name in names:
        columns[name] = _column(pandas, arrow, of_column[name], pieces.pop(name))
    result: DataFrame = pandas.DataFrame(columns, copy=False)
    return result.set_index("id") if "id" in columns else result


def _piece(arrow: Any, kind: tuple[str, bool], values: tuple[Any, ...]) -> Any:
    """Raises ValueError if a value is not of this kind."""
    try:
        return arrow_array(arrow, kind[0], values)
    except (TypeError, OverflowError) as error:
        raise ValueError(str(error)) from error


def arrow_array(arrow: Any, kind: str, values: Sequence[Any]) -> Any:
    """The values of a column of this kind as an array of pyarrow."""
    match kind:
        case "int":
            return arrow.array(values, arrow.int64())
        case "bool":
            return arrow.array([None if value is None else bool(value) for value in values], arrow.bool_())
        case "float":
            return arrow.array(values, arrow.float64())
        case "moment":
            microseconds = [None if value is None else round(value * 1e6) for value in values]
            return arrow.array(microseconds, arrow.int64()).cast(arrow.timestamp("us", "UTC"))
        case "date":
            return arrow.array([value and date.fromisoformat(value) for value in values], arrow.date32())
        case "datetime":
            return arrow.array([value and datetime.fromisoformat(value) for value in values], arrow.timestamp("us"))
        case "category":
            return arrow.array(values, arrow.string()).dictionary_encode()
        case _:
            return arrow.array(values, arrow.string())


def _column(pandas: Any, arrow: Any, kind: tuple[str, bool], pieces: list[Any]) -> Series | Any:
    base, optional = kind
    chunks = arrow.chunked_array(pieces or [_piece(arrow, kind, ())])
    if base == "str":
        return pandas.StringDtype("pyarrow").__from_arrow__(chunks)
    if base == "int" and optional:
        return pandas.Int64Dtype().__from_arrow__(chunks)
    if base == "bool" and optional:
        return pandas.BooleanDtype().__from_arrow__(chunks)
    if base == JSON:
        return pandas.Series(map(parse, chunks.to_pylist()), dtype=object)
    if base == CATEGORY:
        return chunks.unify_dictionaries().to_pandas()
    if base == MOMENT:
        return chunks.to_pandas()
    return chunks.to_numpy()
