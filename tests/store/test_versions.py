"""A crawl that an earlier version began is read by every command, and goes on."""

import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.forked import run
from tests.site import Answer, Web, page
from ttcrawl.ask.report.read import summarize
from ttcrawl.cli import main
from ttcrawl.store.schema import TABLES, VERSION
from ttcrawl.store.versions import STEPS, known

#: Made by that version: three pages, a 404 and what robots.txt forbids, stopped by max_pages with four URLs queued.
OLD = Path(__file__).parent / "version-5.tar.gz"
ADDRESS, PORT = "127.0.0.77", 37969


@pytest.fixture
def old(tmp_path):
    with tarfile.open(OLD) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "crawl"


READERS = (
    ["report"],
    ["report", "--format", "html"],
    ["report", "--politeness"],
    ["plot"],
    ["status"],
    ["verify"],
    ["why", "--summary"],
    ["duplicates"],
    ["aliases"],
    ["graph"],
)


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_every_command_reads_it(old, words, capsys):
    url = [f"http://a.test:{PORT}/"] if words == ["why"] else []
    assert main([words[0], str(old), *words[1:], *url]) == 0, capsys.readouterr().err
    with closing(sqlite3.connect(old / "crawl.db")) as db:  # and leaves it as it is
        assert db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone() == ("5",)


def test_what_was_not_counted_is_not_made_up(old):
    growth = summarize(old).growth
    assert growth.in_scope == (None,) * 5 and growth.series_in_scope == ((), ())


def test_it_goes_on(old):
    web = {("a.test", f"/{n}"): Answer(body=page("/9", title=str(n))) for n in range(3, 10)}
    with Web(web, address=ADDRESS, port=PORT):
        more = ("--max-pages", "0", "--set", f"fetch.resolve=a.test:{PORT}:{ADDRESS}", "--progress", "none")
        done = run("resume", old, *more)
    assert done.returncode == 0, done.stderr
    assert main(["verify", str(old)]) == 0
    with closing(sqlite3.connect(old / "crawl.db")) as db:
        states = dict(db.execute("SELECT state, count(*) FROM url GROUP BY 1"))
        (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone()
        (last,) = db.execute("SELECT in_scope FROM growth ORDER BY pages DESC LIMIT 1").fetchone()
    assert version == str(VERSION) and states == {"fetched": 9, "refused": 1}
    assert last == 9  # all but the seed


def columns(db):
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    return {name: {row[1:3] for row in db.execute(f"PRAGMA table_info({name})")} for name in tables}


def test_the_tables_are_those_of_a_new_crawl(old):
    """Whatever is added to the schema has to be added by a step as well."""
    from ttcrawl.store.versions import upgrade

    with closing(sqlite3.connect(":memory:")) as new, closing(sqlite3.connect(old / "crawl.db")) as db:
        new.executescript(TABLES)
        db.isolation_level = None
        upgrade(db)
        assert columns(db) == columns(new)


def test_there_is_a_step_from_each_version_to_the_next():
    assert sorted(STEPS) == list(range(min(STEPS), VERSION))
    assert known("5") and known(str(VERSION))
    assert not any(map(known, ("4", str(VERSION + 1), "", "x", "-5", "5.0")))
