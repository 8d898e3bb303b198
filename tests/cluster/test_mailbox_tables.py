"""The manual describes each table of a mailbox, column by column."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from ttcrawl.store.mailbox import TABLES

MANUAL = Path(__file__).parents[2] / "docs" / "cluster.md"


def test_the_manual_describes_all_tables_of_the_mailbox():
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in TABLES:
            db.execute(statement)
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        tables = {name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")] for name in names}
    section = MANUAL.read_text().split("\n## Tables of a ring\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE)
    assert {name: re.findall(r"`(\w+)`", columns) for name, columns in rows} == tables
