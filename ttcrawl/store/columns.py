"""The columns of the tables, as declared."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache

from ttcrawl.store.schema import TABLES


@cache
def columns(table: str) -> Mapping[str, str]:
    """Return the columns of a table: name -> INTEGER, REAL, TEXT or BLOB."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return dict(db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)))
