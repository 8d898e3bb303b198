"""The queries that verify asks for each page look rows up by an index: a scan for each takes the square of the time."""

import sqlite3
from contextlib import closing

import pytest

from ttcrawl.inspect.verify import archive, revisits
from ttcrawl.store.schema import TABLES

QUERIES = {"the pages of a file": archive.PLACED, "revisit records of other bytes": revisits.WRONG}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_in_another_one_scans_no_table(name):
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        db.executescript(archive.TEMPORARY + revisits.TEMPORARY)
        plan = db.execute(f"EXPLAIN QUERY PLAN {QUERIES[name]}", ("file",) * ("?1" in QUERIES[name])).fetchall()
    inner = {step for step, _, _, about in plan if about.startswith("CORRELATED")}
    assert inner and not [about for _, parent, _, about in plan if parent in inner and about.startswith("SCAN")]
