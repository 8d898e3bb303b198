"""A database beside crawl.db that one process has open more than once."""

import subprocess
import sys
from contextlib import closing

from ttcrawl.store.view_db import NAME, open_view

#: Another program that reads a database, and closes it.
OTHER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("SELECT count(*) FROM progress").fetchone()
db.close()
"""


def test_another_connection_leaves_the_locks_of_the_first_one(tmp_path):
    """Who closes a file loses all locks of its process on it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    Then another program, which believes that it is alone, deletes the log of this one."""
    path = tmp_path / NAME
    with closing(open_view(path)) as db:
        db.execute("INSERT INTO progress VALUES ('', 1, 0, 0, 0, '')")
        open_view(path).close()
        subprocess.run([sys.executable, "-c", OTHER, path], check=True)
        assert path.with_name(f"{NAME}-wal").exists()
        db.execute("UPDATE progress SET last = 2")
    with closing(open_view(path)) as db:
        assert db.execute("SELECT last FROM progress").fetchall() == [(2,)]
