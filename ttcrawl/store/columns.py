"""The columns of the tables, as declared."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache

from ttcrawl.store.schema import TABLES


def columns(table: str) -> Mapping[str, str]:
    """Return the columns of a table: name -> INTEGER, REAL, TEXT or BLOB."""
    return _columns()[table]


@cache
def _columns() -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        for table, name, kind in db.execute(
            "SELECT of.name, each.name, each.type FROM sqlite_schema AS of JOIN pragma_table_info(of.name) AS each"
            " ORDER BY of.name, each.cid"
        ):
            found.setdefault(table, {})[name] = kind
    return found
