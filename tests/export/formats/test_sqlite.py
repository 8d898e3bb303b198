"""One SQLite file has the rows of the other exports, with URLs in place of ids, as SQLite and Datasette read them."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.library.sample_crawl import EVIL, HOME, MAIN, OTHER, PICTURE, TEXT, URLS
from ttcrawl.cli import main
from ttcrawl.errors import CrawlFailedError
from ttcrawl.export import STORED
from ttcrawl.export.format import Options
from ttcrawl.export.formats.sqlite import FORMAT
from ttcrawl.export.sources import SOURCES
from ttcrawl.export.sqlite_schema import LEFT_OUT, VIEWS, columns
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.new_database import new_database

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def rows(path, query):
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(query)]


def of_json(value, url_of, name):
    """A value of JSON lines as it is in the SQLite file."""
    if name in ("found_on", "payload"):
        return url_of.get(value)
    if isinstance(value, str) and MOMENT.fullmatch(value):
        return value.replace("T", " ").removesuffix("Z")
    return int(value) if isinstance(value, bool) else value


@pytest.mark.parametrize("crawl", ["sample", "site"])
@pytest.mark.parametrize("table", STORED)
def test_the_rows_are_those_of_json_lines(export, directory, site, table, crawl):
    of_crawl = directory if crawl == "sample" else site[1]
    urls = export("jsonl", "--table", "urls", crawl=of_crawl).read_bytes().splitlines()
    url_of = {row["id"]: row["url"] for row in map(json.loads, urls)}
    want = [json.loads(line) for line in export("jsonl", "--table", table, crawl=of_crawl).read_bytes().splitlines()]
    got = rows(export("sqlite", name="all", crawl=of_crawl), f"SELECT * FROM {table} ORDER BY rowid")
    assert len(got) == len(want)
    for mine, other in zip(got, want, strict=True):
        assert [*mine] == [name for name in other if name not in LEFT_OUT]
        for name, value in mine.items():
            if isinstance(other[name], dict | list):
                assert json.loads(value) == other[name], name
            else:
                assert value == of_json(other[name], url_of, name), name


def test_the_file_is_complete_and_its_references_lead_somewhere(export, site):
    path = export("sqlite", crawl=site[1])
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        names = dict(db.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"))
    assert {name for name, kind in names.items() if kind == "table"} == {*STORED, "sqlite_stat1"}
    assert {name for name, kind in names.items() if kind == "view"} == {*VIEWS}


def test_the_views(export, site):
    path, (web, _) = export("sqlite", crawl=site[1]), site
    gone, home = web.url("a.test", "/gone"), web.url("a.test", "/")
    (broken,) = rows(path, "SELECT * FROM broken_links WHERE kind = 'anchor'")
    assert (broken["source"], broken["target"], broken["anchor"]) == (home, gone, "gone")
    assert broken["reason"] == "http 404"
    assert [(row["url"], row["location"]) for row in rows(path, "SELECT * FROM redirects")] == [
        (web.url("a.test", "/old"), "/new")
    ]
    counts = {(row["state"], row["reason"]): row["urls"] for row in rows(path, "SELECT * FROM reasons")}
    assert counts["moved", "http 301"] == 1 and sum(counts.values()) == len(rows(path, "SELECT * FROM urls"))
    inlinks = {row["target"]: (row["links"], row["pages"]) for row in rows(path, "SELECT * FROM inlinks")}
    assert inlinks[home] == (2, 2)
    copies = {row["url"]: (row["same"], row["original"]) for row in rows(path, "SELECT * FROM duplicates")}
    pair = {web.url("a.test", "/copy"), web.url("a.test", "/b?x=1&y=2")}
    assert any({url, original} == pair and same == "bytes" for url, (same, original) in copies.items())


def test_columns_that_are_searched_have_indexes(export):
    path = export("sqlite")
    query = (
        "SELECT of.tbl_name || '.' || each.name AS name FROM sqlite_schema AS of, pragma_index_info(of.name) AS each"
    )
    first = {row["name"] for row in rows(path, f"{query} WHERE of.type = 'index' AND each.seqno = 0")}
    assert first >= {"links.source", "links.target", "urls.url", "urls.host", "urls.state", "pages.url", "visits.url"}
    assert rows(path, "SELECT count(*) AS n FROM visits WHERE started < datetime('now', '-1 day')")[0]["n"] > 0


def test_every_column_of_every_table_has_a_type_that_others_know(export):
    for name, source in SOURCES.items():
        assert {each.kind for each in columns(source).values()} <= {
            *("INTEGER", "REAL", "TEXT", "BOOLEAN", "DATETIME", "JSON")
        }, name
    assert "-- NULL: queued" in rows(export("sqlite"), "SELECT sql FROM sqlite_schema WHERE name = 'urls'")[0]["sql"]


def test_tables_texts_and_conditions(export):
    path = export("sqlite", "--table", "pages", "--text", "--where", f"url={HOME}")
    (row,) = rows(path, "SELECT title, text, main_text FROM pages")
    assert row == {"title": EVIL, "text": TEXT, "main_text": MAIN}
    names = {row["name"] for row in rows(path, "SELECT name FROM sqlite_schema WHERE type != 'index'")}
    assert names == {"pages", "redirects", "duplicates", "sqlite_stat1"}


@pytest.mark.parametrize(
    "options,words",
    [
        ([], "sqlite is one file: name it with -o FILE"),
        (["-o", "."], "sqlite is one file: name it with -o FILE"),
        (["-o", "x", "--table", "urls", "--text"], "--text is for the table pages"),
        (["-o", "x", "--where", "status=200"], "there is no column status"),
    ],
)
def test_wrong_usage_is_one_line_and_leaves_no_file(directory, tmp_path, monkeypatch, capsys, options, words):
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(directory), "--format", "sqlite", *options]) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1 and not [*tmp_path.iterdir()]


def test_all_tables_are_of_one_moment_while_a_crawl_writes(directory, tmp_path):
    crawl = shutil.copytree(directory, tmp_path / "crawl")
    with closing(sqlite3.connect(crawl / "crawl.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")  # as while it runs
    added = []

    def progress(step, number, total):
        """The crawl goes on as soon as the first rows are read: tables that are read later have none of it."""
        if not added:
            added.append(step)
            with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
                db.execute("DELETE FROM growth")
                db.execute("UPDATE url SET state = 'failed'")

    options = Options(form="sqlite", out=tmp_path / "out", conditions=(), tables=(), text=False)
    with view(crawl) as db:
        FORMAT.write(db, options, progress)
    assert added and rows(tmp_path / "out", "SELECT count(*) AS n FROM growth") == [{"n": 5}]
    assert rows(tmp_path / "out", "SELECT count(*) AS n FROM urls WHERE state = 'failed'") == [{"n": 1}]
    assert rows(tmp_path / "out", "SELECT count(*) AS n FROM urls") == [{"n": len(URLS)}]


def test_an_interrupt_leaves_the_earlier_file(directory, tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"before")

    def interrupted(step, number, total):
        raise KeyboardInterrupt

    options = Options(form="sqlite", out=path, conditions=(), tables=(), text=False)
    with view(directory) as db, pytest.raises(KeyboardInterrupt):
        FORMAT.write(db, options, interrupted)
    assert path.read_bytes() == b"before" and [*tmp_path.iterdir()] == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    missing = pytest.raises(CrawlFailedError, match="here cannot be written: no such table")
    with new_database(tmp_path / "x", tmp_path / "here") as file, missing:
        file.insert("missing", ["a"], [(1,)])


@pytest.mark.slow
def test_datasette_serves_it(export, tmp_path):
    pytest.importorskip("datasette")
    path = export("sqlite", name="crawl.db")

    def get(address):
        command = [sys.executable, "-m", "datasette", str(path), "--get", address]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout

    tables = {each["name"]: each for each in json.loads(get("/crawl.json"))["tables"]}
    assert {*STORED} <= {*tables} and tables["urls"]["count"] == len(URLS)
    assert json.loads(get("/crawl/broken_links.json"))["rows"] == []
    page = get("/crawl/pages?original__notblank=1")
    encoded = OTHER.replace(":", "~3A").replace("/", "~2F").replace(".", "~2E")
    assert f'href="/crawl/pages/{encoded}"' in page and PICTURE in page  # references are links
