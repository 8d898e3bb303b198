"""One moment of a crawl whose indexes lag behind its ledger, whose tables are damaged, or whose files are missing."""

import pickle
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.library.sample_crawl import BASE, HOME, OTHER, QUEUED, URLS, make
from ttcrawl.snapshot.errors import NotACrawl, NotThere
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.status import status
from ttcrawl.web.url import key


def lagging(place, indexed, *statements):
    """As while a crawl runs: by_key and queue lack what was met after the URL `indexed`, or have some of it already."""
    directory = make(place)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE crawl SET value = ? WHERE name = 'indexed'", (str(indexed),))
        db.execute("DELETE FROM by_key WHERE id > ?", (indexed,))
        db.execute("UPDATE site SET delay = 1")
        for statement in statements:
            db.execute(statement)
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("indexed", [0, 1, 4, len(URLS)])
def test_every_url_is_found_however_far_the_index_is(tmp_path, indexed):
    with view(lagging(tmp_path / "c", indexed)) as db:
        assert [db.url_id(url) for url in URLS] == list(range(1, len(URLS) + 1))
        assert db.url_id(f"{BASE}/never") is None and db.of_key(key(HOME)) == (1, HOME)
        keys = "SELECT value FROM json_each(?) AS wanted"
        ids = db.execute(f"SELECT {db.id_of('value')} FROM ({keys})", (f"[{key(OTHER)}, {key(HOME)}, 5]",)).fetchall()
        assert ids == [(2,), (1,), (None,)]


@pytest.mark.parametrize("indexed", [0, 4, len(URLS)])
@pytest.mark.parametrize("swept", [True, False])
def test_every_queued_url_stands_in_the_queue_once(tmp_path, indexed, swept):
    """The sweep may have moved a URL behind `indexed` into the queue, or not yet."""
    directory = lagging(tmp_path / "c", indexed, *([] if swept else [f"DELETE FROM queue WHERE id > {indexed}"]))
    with view(directory) as db:
        ids = [id for (id,) in db.execute(f"SELECT id FROM {db.queue}")]
        assert ids == [URLS.index(QUEUED) + 1]
        assert db.execute(f"SELECT site, queued FROM {db.queue_of_site}").fetchall() == [(1, 1)]
    assert status(directory, 5).queued == 1


@pytest.mark.slow
def test_it_is_one_moment_until_it_is_let_go(tmp_path):
    with closing(sqlite3.connect(make(tmp_path / "c") / "crawl.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")  # as while it runs
        with view(tmp_path / "c") as db:
            assert db.settings["finished"] == "max_pages"
            writer.execute("DELETE FROM page")
            assert db.execute("SELECT count(*) FROM page").fetchone() != (0,)
            db.let_go()
            assert db.execute("SELECT count(*) FROM page").fetchone() == (0,)


def test_statements_keep_the_moment_and_write_to_temporary_tables_alone(tmp_path):
    with view(make(tmp_path / "c")) as db:
        db.execute_all("CREATE TEMP TABLE mine (a); INSERT INTO mine VALUES (1); INSERT INTO mine VALUES (2);")
        db.executemany("INSERT INTO mine VALUES (?)", [(3,)])
        db.define("half", 1, lambda value: value / 2)
        assert db.execute("SELECT sum(half(a)) FROM mine").fetchone() == (3,)
    with pytest.raises(NotACrawl, match="readonly"), view(tmp_path / "c") as db:
        db.execute("DELETE FROM page")


#: A command that changes a stopped crawl, and is killed when the file has a part of the change.
KILLED = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN")
db.execute("DELETE FROM url")
db.execute("CREATE TABLE filling (a)")
db.executemany("INSERT INTO filling VALUES (?)", [("x" * 3000,)] * 500)
os.kill(os.getpid(), 9)
"""


def test_a_change_that_was_killed_is_taken_back_by_whoever_reads(tmp_path):
    directory = make(tmp_path / "c")
    subprocess.run([sys.executable, "-c", KILLED, directory / "crawl.db"])
    assert (directory / "crawl.db-journal").stat().st_size
    with view(directory) as db:
        assert db.execute("SELECT count(*) FROM url").fetchone() == (len(URLS),)
    assert not (directory / "crawl.db-journal").exists()


@pytest.mark.slow
def test_settings_and_configuration(tmp_path):
    directory = make(tmp_path / "c")
    with view(directory) as db:
        assert db.seeds == (HOME,) and db.config.politeness.delay > 0
    (directory / "config.ini").unlink()
    with view(directory) as db, pytest.raises(NotACrawl, match=r"config\.ini is missing.*restore the file"):
        _ = db.config


@pytest.mark.slow
@pytest.mark.parametrize("error", [ValueError("no"), TypeError("no"), KeyError("no"), sqlite3.DatabaseError("no")])
def test_damage_is_said_in_one_way(tmp_path, error):
    directory = make(tmp_path / "c")
    with pytest.raises(NotACrawl) as caught, view(directory):
        raise error
    assert str(caught.value).startswith(f"{directory}/crawl.db is damaged (")
    assert str(caught.value).endswith(f"; see ttcrawl verify {directory}")
    assert caught.value.__cause__ is error and pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


@pytest.mark.slow
def test_what_is_not_there_is_no_damage(tmp_path):
    with pytest.raises(NotThere, match="of this no such thing"), view(make(tmp_path / "c")):
        raise NotThere("of this no such thing")


@pytest.mark.slow
def test_a_view_that_was_closed_is_no_damage(tmp_path):
    with pytest.raises(ValueError, match="closed"), view(make(tmp_path / "c")) as db:
        db.close()
        db.execute("SELECT 1")


def test_where_there_is_no_crawl(tmp_path):
    with pytest.raises(NotACrawl, match="it does not exist"):
        View(tmp_path / "none")
