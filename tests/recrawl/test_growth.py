"""What a site that never changes leaves behind: a row for each visit and nothing else, and no free pages."""

import sqlite3
from contextlib import closing

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, NoValidators, Server
from ttcrawl.store.database import PAGE

HOSTS, DAYS = 4, 20

#: A visit: its row, with the URL, and the entry of an index.
VISIT = 300


def sizes(directory):
    """(table -> its rows, visits, bytes of the database, free pages)."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
        (count,), (size,), (free,) = (
            db.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size", "freelist_count")
        )
    return rows, rows.pop("visit"), count * size, free


@pytest.mark.slow
def test_an_unchanged_site_grows_by_its_visits(tmp_path):
    clock, directory = Clock(), tmp_path / "c"
    pages = {f"h{n}.test": (NoValidators if n % 2 else Server)() for n in range(HOSTS)}
    measured = []
    with served(pages, clock) as port:
        for _ in range(3):
            recrawl(directory, pages, port, clock, DAYS * DAY)
            measured.append(sizes(directory))
    (rows, visits, size, _), (later_rows, later_visits, later_size, free) = measured[1:]
    assert later_visits - visits >= HOSTS * (DAYS - 1)
    grown = {name: count - rows[name] for name, count in later_rows.items() if count != rows[name]}
    assert set(grown) <= {"archive"} and free == 0, grown
    assert later_size - size <= VISIT * (later_visits - visits) + 8 * PAGE
