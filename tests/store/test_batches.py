"""Rows that are written together: what is refused is laid to the URL whose row it is, and nothing is half written."""

import sqlite3
from contextlib import closing

import pytest

from ttcrawl.store.batches import Batches, UnstorableError

INSERT = "INSERT INTO thing VALUES (?, ?)"


@pytest.fixture
def db():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute("CREATE TABLE url (id INTEGER PRIMARY KEY, url TEXT)")
        db.executemany("INSERT INTO url VALUES (?, ?)", [(n, f"http://a.test/{n}") for n in range(9)])
        db.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        db.execute("BEGIN")
        yield db


REFUSED = {
    "a surrogate": ("\ud83d", "UnicodeEncodeError"),
    "too large a number": (1 << 64, "OverflowError"),
    "no number": (float("nan"), "IntegrityError"),
    "nothing": (None, "IntegrityError"),
    "no value": ([], ""),  # InterfaceError or ProgrammingError, as Python has it
    "too long": ("x" * 2000, "DataError"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_laid_to_its_url(db, what):
    value, why = REFUSED[what]
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1000)
    batches = Batches(db)
    for number in range(8):
        batches.add(INSERT, (number, value if number in (3, 5) else "text"), number)
    batches.add("INSERT INTO thing VALUES (?1, ?2)", (8, value), "dns:b.test")
    with pytest.raises(UnstorableError) as raised:
        batches.flush()
    names = {"InterfaceError", "ProgrammingError"} if what == "no value" else {why}
    assert raised.value.urls.keys() == {"http://a.test/3", "http://a.test/5", "dns:b.test"}
    assert set(raised.value.urls.values()) <= names
    batches.flush()  # nothing is left of them


def test_a_row_that_is_there_already(db):
    db.execute(INSERT, (1, "before"))
    batches = Batches(db)
    for number in range(3):
        batches.add(INSERT, (number, "text"), number)
    with pytest.raises(UnstorableError, match="/1 cannot be kept"):
        batches.flush()


def test_what_is_no_fault_of_a_url(db):
    for statement, row, owner in (
        ("INSERT INTO nowhere VALUES (?, ?)", (1, "a"), 1),  # as a full disk: an OperationalError
        (INSERT, (1, None), ""),
    ):
        batches = Batches(db)
        batches.add(statement, row, owner)
        with pytest.raises(sqlite3.Error):
            batches.flush()


def test_all_is_written_otherwise(db):
    batches = Batches(db)
    batches.flush()
    for number in range(3):
        batches.add(INSERT, (number, "text"), number)
    batches.flush()
    assert db.execute("SELECT count(*) FROM thing").fetchone() == (3,)
    db.execute("COMMIT")
