"""Frames and iterators against the tables as plain SQL counts them."""

import re
import sqlite3
from contextlib import closing
from dataclasses import fields

import pytest

import ttcrawl
from tests.library.sample_crawl import BODIES, EVIL, HOME, LINKS, OLD, OTHER, PICTURE, STATES, UNRECORDED, URLS
from ttcrawl.snapshot import tables
from ttcrawl.snapshot.links import LANDMARKS, REGIONS
from ttcrawl.snapshot.rows import Link
from ttcrawl.store.schema import TABLES

NAMES = ("pages", "urls", "sites", "growth", "visits", "images", "documents", "metadata", "duplicates", "overview")
ALL = [each for each in vars(tables).values() if isinstance(each, tables.Table)]

#: Columns of the tables that the rows do not have: what they stand for is there instead.
INSTEAD = {"site": {"host"}, "url": {"id", "url"}, "rule": {"rule"}}


def sql(directory, query):
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        return db.execute(query).fetchall()


def columns_of(name):
    body = re.search(rf"CREATE TABLE {name} \((.*?)\n\)", TABLES, re.DOTALL)[1]
    return set(re.findall(r"^    ([a-z_]+) +[A-Z]", body, re.MULTILINE)) - {"PRIMARY"}


@pytest.mark.parametrize("table", [each for each in ALL if each is not tables.OVERVIEW], ids=lambda each: each.name)
def test_every_column_of_the_table_is_there(table):
    have = set(table.columns)
    missing = columns_of(table.name) - have
    assert all(INSTEAD[column] <= have for column in missing), missing


@pytest.mark.parametrize("name", NAMES)
def test_frame_and_iterator_have_the_rows_of_the_table(opened, directory, name):
    import pandas

    frame, rows = getattr(opened, name)(), list(getattr(opened, f"iter_{name}")())
    table = next(each for each in ALL if each.row is type(rows[0]))
    ((count,),) = sql(directory, f"SELECT count(*) FROM {table.name}")
    assert len(frame) == len(rows) == count > 0
    frame = frame.reset_index() if frame.index.name else frame
    assert tuple(frame.columns) == table.columns == tuple(field.name for field in fields(rows[0]))
    for column in table.columns:
        cells = list(frame[column])
        told = [value if isinstance(value, dict | list) or not pandas.isna(value) else None for value in cells]
        if isinstance(frame[column].dtype, pandas.DatetimeTZDtype):
            told = [value if value is None else pytest.approx(value.timestamp(), abs=1e-6) for value in told]
        assert told == [getattr(row, column) for row in rows], column


def test_pages(opened):
    import pandas

    pages = opened.pages()
    assert set(pages.url) == set(BODIES)
    home = pages.loc[1]
    assert home.url == HOME and home.title == EVIL and home.state == "fetched" and home.host == "a.test"
    assert home["time"] == pandas.Timestamp(1e9 + 1, unit="s", tz="UTC")
    assert len(home.digest) == 32 and pages.set_index("url").digest[OLD] == ""
    assert pages.loc[4].location == f"/b {EVIL}" and pages.loc[4].state == "moved"


def test_urls(opened):
    urls = opened.urls()
    assert dict(zip(urls.url, zip(urls.state, urls.reason, strict=True), strict=True)) == STATES
    assert urls.index.tolist() == list(range(1, len(URLS) + 1))
    assert urls.rule.dropna().tolist() == ["robots.txt: Disallow: /private"]
    assert urls.depth.isna().sum() == 1 and urls.depth.dtype == "Int64"
    assert urls.found_on.isna().sum() == 1 and urls.due.isna().all()


@pytest.mark.parametrize(
    "name, column, kind",
    [
        ("urls", "discovered", "datetime64[us, UTC]"),
        ("urls", "due", "datetime64[us, UTC]"),
        ("urls", "state", "category"),
        ("urls", "key", "int64"),
        ("urls", "url", "string"),
        ("visits", "status", "Int64"),
        ("visits", "backoff", "float64"),
        ("images", "height", "Int64"),
        ("growth", "seconds", "float64"),
    ],
)
def test_types(opened, name, column, kind):
    assert getattr(opened, name)().dtypes[column] == kind


def test_frames_of_an_empty_crawl_have_the_same_types(opened, directory, tmp_path):
    with closing(sqlite3.connect(directory / "crawl.db")) as db, closing(sqlite3.connect(tmp_path / "crawl.db")) as new:
        db.backup(new)
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'crawl'"):
            new.execute(f"DELETE FROM {name}")
        new.commit()
    empty = ttcrawl.open(tmp_path)
    for name in (*NAMES, "links"):
        made = getattr(empty, name)()
        assert len(made) == 0
        whole = getattr(opened, name)()
        for column, kind in whole.dtypes.items():
            assert str(made.dtypes[column]) == str(kind), (name, column)
        assert list(getattr(empty, f"iter_{name}")()) == []


# -- links ------------------------------------------------------------------------------------------------------------


def test_links_one_after_the_other(opened):
    found = list(opened.iter_links())
    kinds = {"a": "anchor", "g": "image"}
    assert found[: len(LINKS)] == [
        Link(
            HOME,
            place,
            None if target == UNRECORDED else target,
            kinds.get(kind, kind),
            REGIONS.get(region, region),
            LANDMARKS.get(part, part),
            anchor,
        )
        for place, (target, kind, region, part, anchor) in enumerate(LINKS)
    ]
    assert found[len(LINKS) :] == [Link(OLD, 0, OTHER, "redirect", "content", None, None)]


def test_links_as_a_frame_are_the_same(opened):
    import pandas

    frame, rows = opened.links(), list(opened.iter_links())
    for column in frame.columns:
        told = [None if pandas.isna(value) else value for value in frame[column]]
        assert told == [getattr(row, column) for row in rows], column
    assert frame.source.dtype == frame.target.dtype  # one list of URLs


def test_links_as_ids(opened, directory):
    import pandas

    frame, urls = opened.links(ids=True), opened.urls().url
    told = [
        (urls[source], None if pandas.isna(target) else urls[target])
        for source, target in zip(frame.source, frame.target, strict=True)
    ]
    assert told == [(row.source, row.target) for row in opened.iter_links()]
    assert str(frame.source.dtype) == str(frame.target.dtype) == "Int32"
    counted = sql(directory, "SELECT source, count(*) FROM link GROUP BY source")
    assert dict(frame.groupby("source").size()) == dict(counted)


def test_links_behind_the_index_are_found(opened, directory, tmp_path):
    """A crawl that was killed: the index by key knows the first URLs only."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db, closing(sqlite3.connect(tmp_path / "crawl.db")) as new:
        db.backup(new)
        new.execute("DELETE FROM by_key WHERE id > 1")
        new.execute("UPDATE crawl SET value = '1' WHERE name = 'indexed'")
        new.commit()
    assert list(ttcrawl.open(tmp_path).iter_links()) == list(opened.iter_links())
    (tmp_path / "config.ini").write_text("")
    assert ttcrawl.open(tmp_path).page(PICTURE).image == opened.page(PICTURE).image


def test_letters_of_another_version_stand_for_themselves(opened):
    last = opened.links().iloc[len(LINKS) - 1]
    assert (last.kind, last.region, last.landmark) == ("Z", "Z", "Z")
