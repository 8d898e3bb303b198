"""Other programs that lock a database or read it, and what becomes of its log."""

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from ttcrawl.store.database import LOG_BYTES, connect, is_damage, is_locked, why
from ttcrawl.store.locks import begin, end_log, readers_of_log
from ttcrawl.store.sqlite import Store

#: A program that executes statements on a file, and stays until its input ends.
OTHER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    db.execute(statement).fetchone()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "crawl.db"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE a (b)")
        yield path


def other(path, *statements):
    arguments = [sys.executable, "-c", OTHER, path, *statements]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def end(process):
    process.communicate()
    assert process.returncode == 0


def test_a_lock_of_another_program_is_waited_for(path):
    process = other(path, "BEGIN IMMEDIATE")
    with closing(connect(path)) as db:
        free = threading.Timer(0.2, end, (process,))
        free.start()
        begin(db, lambda seconds: None)
        assert db.in_transaction
        free.join()


def test_a_lock_is_waited_for_where_sqlite_does_not(tmp_path):
    """A change of the journal fails at once while another program writes."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.execute("CREATE TABLE a (b)")
    process = other(tmp_path / "a.db", "BEGIN IMMEDIATE")
    free = threading.Timer(0.3, end, (process,))
    free.start()
    with closing(connect(tmp_path / "a.db")) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    free.join()


@pytest.mark.slow
def test_waiting_is_said(path):
    process, said = other(path, "BEGIN IMMEDIATE"), []
    with closing(connect(path)) as db:
        free = threading.Timer(4.5, end, (process,))
        free.start()
        begin(db, said.append)
        free.join()
    assert len(said) == 1 and said[0] >= 3


def test_a_crawl_is_the_writer_from_the_beginning_of_each_transaction(tmp_path):
    """So a lock of another program is found where it can be waited for, not in the middle of an outcome."""
    with closing(Store(tmp_path / "c.db", create=True)) as store:
        for _ in range(2):
            with closing(sqlite3.connect(tmp_path / "c.db", timeout=0)) as db, pytest.raises(sqlite3.OperationalError):
                db.execute("BEGIN IMMEDIATE")
            store.commit()


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_lock_is_no_damage(tmp_path, statement):
    with closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.execute("CREATE TABLE a (b)")
    process = other(tmp_path / "a.db", statement)
    with closing(sqlite3.connect(tmp_path / "a.db", timeout=0)) as db, pytest.raises(sqlite3.Error) as caught:
        db.execute("INSERT INTO a VALUES (1)")
    end(process)
    assert is_locked(caught.value) and not is_damage(caught.value)
    assert "another program has locked it" in why(caught.value)


@pytest.mark.parametrize("query", ["SELECT * FROM nothing", "SELECT", "INSERT INTO a VALUES (1, 2)"])
def test_other_errors_may_be_damage(path, query):
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.Error) as caught:
        db.execute(query)
    assert is_damage(caught.value) and not is_locked(caught.value) and why(caught.value) == str(caught.value)


def test_a_file_that_is_no_database_is_damaged(tmp_path):
    (tmp_path / "a.db").write_bytes(b"no database " * 100)
    with closing(sqlite3.connect(tmp_path / "a.db")) as db, pytest.raises(sqlite3.Error) as caught:
        db.execute("SELECT * FROM a")
    assert is_damage(caught.value)


@pytest.mark.parametrize(
    ("statements", "reads"),
    [
        (("BEGIN", "SELECT count(*) FROM a"), True),
        (("SELECT count(*) FROM a",), False),
        (("BEGIN", "SELECT count(*) FROM a", "COMMIT"), False),
        (("BEGIN",), False),
    ],
)
def test_who_keeps_the_log(path, statements, reads):
    with closing(connect(path)) as db:
        db.execute("INSERT INTO a VALUES (1)")
        process = other(path, *statements)
        assert readers_of_log(path) == ([process.pid] if reads else [])
        end(process)
        assert readers_of_log(path) == []


def test_the_log_is_cut_to_its_bound_when_it_begins_anew(path):
    log = path.with_name("crawl.db-wal")
    with closing(connect(path)) as db:
        assert db.execute("PRAGMA journal_size_limit").fetchone() == (LOG_BYTES,)
        db.execute("PRAGMA journal_size_limit = 100000")
        reader = other(path, "BEGIN", "SELECT count(*) FROM a")
        for _ in range(50):
            db.execute("INSERT INTO a VALUES (zeroblob(10000))")
        assert log.stat().st_size > 500_000
        end(reader)
        db.execute("PRAGMA wal_checkpoint").fetchall()
        db.execute("INSERT INTO a VALUES (1)")
        assert log.stat().st_size <= 100_000


@pytest.mark.parametrize(
    ("statements", "left"),
    [((), None), (("SELECT count(*) FROM a",), 0), (("BEGIN", "SELECT count(*) FROM a"), "some")],
)
def test_the_end_of_the_log(tmp_path, statements, left):
    """It is gone without readers; it has no bytes if one has the file open without a snapshot."""
    path, log = tmp_path / "a.db", tmp_path / "a.db-wal"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE a (b)")
        process = other(path, *statements) if statements else None
        db.execute("INSERT INTO a VALUES (zeroblob(10000))")
        end_log(db)
        size = log.stat().st_size if log.exists() else None
        assert size == left or (left == "some" and size > 10_000)
        assert db.execute("SELECT count(*) FROM a").fetchone() == (1,)
        if process:
            end(process)
        end_log(db)
        assert not os.path.lexists(log)
