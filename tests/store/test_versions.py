"""A crawl that an earlier version began is read by every command, and continues."""

import itertools
import os
import re
import shutil
import signal
import sqlite3
import tarfile
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.support.crawls.preforked import run
from tests.support.long_tables import few
from tests.support.web.site import Answer, Web, page
from ttcrawl import NotACrawl
from ttcrawl import open as open_crawl
from ttcrawl.cli import main
from ttcrawl.report.summarize import summarize
from ttcrawl.store.schema import TABLES, VERSION
from ttcrawl.store.versions import STEPS, known, upgrade, version_of

HERE, ADDRESS = Path(__file__).parent, "127.0.0.77"

#: name -> version and directory in its archive, as those versions made them. 5: three pages, a 404 and what robots.txt
#: forbids, stopped by max_pages with four URLs queued. 6: three hosts, a sitemap with priorities, redirects, a rule
#: that counts off-domain links, duplicates, a pattern that causes them; by depth, and by number with URLs put last. 7:
#: one host whose pages are there twice, stopped by max_pages with two URLs queued. 8, 9, 11 to 15: the same.
OLD = {
    "5": ("version-5.tar.gz", "crawl"),
    "6 by depth": ("version-6.tar.gz", "depth"),
    "6 by number": ("version-6.tar.gz", "number"),
    "7": ("version-7.tar.gz", "depth"),
    "8": ("version-8.tar.gz", "depth"),
    "9": ("version-9.tar.gz", "depth"),
    "11": ("version-11.tar.gz", "depth"),
    "12": ("version-12.tar.gz", "depth"),
    "13": ("version-13.tar.gz", "depth"),
    "14": ("version-14.tar.gz", "depth"),
    "15": ("version-15.tar.gz", "depth"),
}


@pytest.fixture
def old(tmp_path, request):
    name, directory = OLD[getattr(request, "param", "5")]
    with tarfile.open(HERE / name) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / directory


READERS = (
    ["report"],
    ["verify"],
    ["report", "--format", "html"],
    ["report", "--politeness"],
    ["plot"],
    ["status"],
    ["why", "--summary"],
    ["duplicates"],
    ["aliases"],
    ["graph"],
    ["diff"],
    ["diff", "1990-01-01"],
)
every_version = pytest.mark.parametrize("old", OLD, indirect=True)


@pytest.mark.slow
@pytest.mark.parametrize("words", few(2, READERS), ids=" ".join)
@every_version
def test_every_command_reads_it(old, words, capsys, request):
    assert main([words[0], str(old), *words[1:]]) == 0, capsys.readouterr().err
    with closing(sqlite3.connect(old / "crawl.db")) as db:  # and leaves it as it is
        assert db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone()[0] in (
            "5",
            "6",
            "7",
            "8",
            "9",
            "11",
            "12",
            "13",
            "14",
            "15",
        )


@every_version
def test_readers_see_what_the_upgrade_makes(old):
    with closing(open_crawl(old)) as crawl:
        before = [list(rows()) for rows in (crawl.iter_urls, crawl.iter_pages, crawl.iter_links, crawl.iter_metadata)]
    with closing(sqlite3.connect(old / "crawl.db", isolation_level=None)) as db:
        upgrade(db)
    with closing(open_crawl(old)) as crawl:
        after = [list(rows()) for rows in (crawl.iter_urls, crawl.iter_pages, crawl.iter_links, crawl.iter_metadata)]
    assert before == after and all(before)


def test_what_was_not_counted_is_not_made_up(old):
    growth = summarize(old).growth
    assert growth.in_scope == (None,) * 5 and growth.series_in_scope == ((), ())


@pytest.mark.slow
def test_it_goes_on(old):
    web = {("a.test", f"/{n}"): Answer(body=page("/9", title=str(n))) for n in range(3, 10)}
    with Web(web, address=ADDRESS, port=37969):
        more = ("--max-pages", "0", "--set", f"fetch.resolve=a.test:37969:{ADDRESS}", "--progress", "none")
        done = run("resume", old, *more)
    assert done.returncode == 0, done.stderr
    assert main(["verify", str(old)]) == 0
    with closing(sqlite3.connect(old / "crawl.db")) as db:
        states = dict(db.execute("SELECT state, count(*) FROM url GROUP BY 1"))
        (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone()
        (last,) = db.execute("SELECT in_scope FROM growth ORDER BY pages DESC LIMIT 1").fetchone()
    assert version == str(VERSION) and states == {"fetched": 9, "refused": 1}
    assert last == 9  # all but the seed


#: What is queued in the crawls of version 6.
WEB_OF_6 = {
    **{
        ("a.test", f"/{kind}/{n}{query}"): Answer(body=page(title=f"{kind} {n}"))
        for kind, query in (("deep", ""), ("art", "?print=1"))
        for n in range(16)
    },
    ("a.test", "/moved"): Answer(status=302, headers=(("Location", "/moved/2"),)),
    ("a.test", "/moved/2"): Answer(status=301, headers=(("Location", "/art/3"),)),
}


@pytest.mark.slow
@pytest.mark.parametrize("old", ["6 by depth", "6 by number"], indirect=True)
@pytest.mark.parametrize("priority", ["depth", "number"])
def test_version_6_goes_on_in_any_order(old, priority, capsys):
    """By number its originals were chosen by numbers, which no longer decide."""
    with closing(sqlite3.connect(old / "crawl.db")) as db:
        (last,) = db.execute("SELECT max(id) FROM visit").fetchone()
        rows = db.execute("SELECT url, depth, id, priority > 1 << 61 FROM url WHERE state = 'queued' AND id > 25")
        queued = {url: (last, depth, id) for url, depth, id, last in rows}
    assert any(last for last, _, _ in queued.values()) == (old.name == "number")
    address = f"127.0.0.{80 + 2 * (priority == 'depth') + (old.name == 'depth')}"  # they may run at the same time
    resolve = "\n".join(f"{name}.test:37971:{address}" for name in "abc")
    with Web(WEB_OF_6, address=address, port=37971):
        words = ("--max-pages", "0", "--set", f"frontier.priority={priority}", "--progress", "none", "--inline")
        done = run("resume", old, *words, "--set", "duplicates.repeated=no", "--set", f"fetch.resolve={resolve}")
    assert done.returncode == 0, done.stderr
    assert main(["verify", str(old)]) == 0, capsys.readouterr().out
    with closing(sqlite3.connect(old / "crawl.db")) as db:
        rows = db.execute("SELECT url FROM visit WHERE id > ? ORDER BY id", (last,))
        fetched = [url for (url,) in rows if url in queued]
        assert db.execute("SELECT count(*) FROM url WHERE state = 'queued'").fetchone() == (0,)

    def number(url):
        return int(re.search(r"(\d+)\D*$", url)[1])

    if priority == "depth":
        assert fetched == sorted(queued, key=queued.__getitem__)
    else:
        assert fetched == sorted(queued, key=lambda url: (queued[url][0], number(url), queued[url]))


@pytest.mark.slow
@pytest.mark.parametrize("old", ["7", "8", "9", "11", "12", "13", "14", "15"], indirect=True)
def test_versions_7_to_15_go_on_and_are_read_later(old, capsys):
    twice = {("a.test", f"/{n}{query}"): Answer(body=page(title=str(n))) for n in (4, 5) for query in ("", "?print=1")}
    with Web(twice, address="127.0.0.78", port=37973):
        words = ("--max-pages", "0", "--set", "record.reading=later", "--progress", "none", "--inline")
        done = run("resume", old, *words)
    assert done.returncode == 0 and "2 pages are not read yet" in done.stderr, done.stderr
    assert run("read", old).returncode == 0
    assert main(["verify", str(old)]) == 0, capsys.readouterr().out
    with closing(sqlite3.connect(old / "crawl.db")) as db:
        assert db.execute("SELECT count(*) FROM text").fetchone() == (11,)


def columns(db):
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    return {name: {row[1:3] for row in db.execute(f"PRAGMA table_info({name})")} for name in tables}


def views(db):
    """In one spelling: SQLite quotes the names that an upgrade changed."""
    rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE type != 'table' AND sql NOTNULL")
    return {name: sql.replace('"', "") for name, sql in rows}


@every_version
def test_the_tables_are_those_of_a_new_crawl(old):
    """Whatever is added to the schema has to be added by a step as well."""
    with closing(sqlite3.connect(":memory:")) as new, closing(sqlite3.connect(old / "crawl.db")) as db:
        new.executescript(TABLES)
        db.isolation_level = None
        upgrade(db)
        assert columns(db) == columns(new) and views(db) == views(new)


#: Instructions of SQLite between two points at which a process may be killed, and points that are tried.
STEP, POINTS = 20, 9


def instructions(database):
    """How often STEP instructions are done by an upgrade of a copy."""
    copy, counter = database.with_name("copy.db"), itertools.count()
    shutil.copy(database, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.set_progress_handler(lambda: next(counter) < 0, STEP)
        upgrade(db)
    copy.unlink()
    return next(counter)


def killed_at(database, point):
    """Upgrade in a process that SIGKILL ends; returns the signal that ended it, 0 if it was done before."""
    process = os.fork()
    if not process:
        counter = itertools.count()
        with suppress(BaseException):
            db = sqlite3.connect(database, isolation_level=None)
            db.set_progress_handler(lambda: next(counter) == point and os.kill(os.getpid(), signal.SIGKILL), STEP)
            upgrade(db)
        os._exit(1)
    return os.WTERMSIG(os.waitpid(process, 0)[1])


def rows(directory):
    with closing(open_crawl(directory)) as crawl:
        return [list(each()) for each in (crawl.iter_urls, crawl.iter_pages, crawl.iter_links, crawl.iter_metadata)]


@every_version
def test_an_upgrade_that_is_killed_changes_nothing(old):
    before, version, all_points = rows(old), version_of(old / "crawl.db"), instructions(old / "crawl.db")
    for number in range(POINTS):
        assert killed_at(old / "crawl.db", all_points * number // POINTS) == signal.SIGKILL
        assert version_of(old / "crawl.db") == version
    assert rows(old) == before
    with closing(sqlite3.connect(old / "crawl.db", isolation_level=None)) as db:
        upgrade(db)
    assert rows(old) == before


def test_there_is_a_step_from_each_version_to_the_next():
    assert sorted(STEPS) == list(range(min(STEPS), VERSION))
    assert known("5") and known(str(VERSION))
    assert not any(map(known, ("4", str(VERSION + 1), "", "x", "-5", "5.0")))


@pytest.mark.parametrize("version", [min(STEPS) - 1, VERSION + 1])
def test_other_tables_are_refused_with_the_versions_that_can_be_read(old, version):
    with closing(sqlite3.connect(old / "crawl.db")) as db, db:
        db.execute("UPDATE crawl SET value = ? WHERE name = 'schema_version'", (str(version),))
    with pytest.raises(NotACrawl, match=rf"tables of version {version}, .* versions {min(STEPS)} to {VERSION}; "):
        open_crawl(old)
