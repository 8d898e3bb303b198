"""A table in PostgreSQL, and the rows of crawl.db from which its rows are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ttcrawl.export.postgresql.server import Connection
from ttcrawl.snapshot.snapshot import View

Row: TypeAlias = tuple[Any, ...]

#: SQL for an id that is unique in the database, from one of a crawl: the first crawl has number 0.
ID = "{} + crawl::bigint * 10000000000"

#: The first number after all keys.
END = (1 << 63) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`selected` and `source` make a query of crawl.db; the rows of one key are replaced together.

    `rows` makes the rows of PostgreSQL from a row of this query; their columns are `columns`, with `key` among them.
    """

    name: str  # with its schema
    key: str  # a column of integers
    columns: Mapping[str, str]  # name -> type; also column `crawl`
    needs: tuple[str, ...]  # tables of crawl.db: a crawl of an earlier version may lack one, and then has no rows
    source_key: str  # the SQL expression of the key
    selected: str
    source: str
    rows: Callable[[View, Row], Iterable[Row]] = lambda db, row: (row[1:],)
    #: Adds all rows of a crawl itself, where `rows` cannot make them from crawl.db alone.
    insert: Callable[[Connection, View, int, Iterable[Row]], None] | None = None
    where: str = "true"
    generated: Mapping[str, str] = field(default_factory=dict)  # columns that PostgreSQL computes: name -> SQL
    indexes: tuple[str, ...] = ()
    by_range: bool = True  # an index of crawl.db finds keys
    after: tuple[str, ...] = ()  # SQL that makes other tables from changed rows, with %(crawl)s and %(keys)s
    recent: str = ""  # which rows are copied between two rounds: see `ttcrawl.export.postgresql.recent`

    def query(self, condition: str) -> str:
        """The SQL of the rows whose key fulfills a condition, such as "= ?"; the key is the first column."""
        return (
            f"SELECT {self.source_key}, {self.selected} FROM {self.source}"
            f" WHERE ({self.where}) AND {self.source_key} {condition}"
        )
