"""Columns of JSON are dicts and lists: in rows, in frames, and in `ttcrawl page`; exports write them as before."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

import ttcrawl
from tests.library.sample_crawl import HOME, OTHER
from ttcrawl.cli import main
from ttcrawl.export.sources import PAGE_RECORDS
from ttcrawl.snapshot import tables
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import JSON
from ttcrawl.store.schema import TABLES

#: Column -> its text in the database, and its value.
VALUES = {
    "schemes": ('{"mailto": 2}', {"mailto": 2}),
    "fields": ('{"price":12.5,"tags":["a","é"],"none":null}', {"price": 12.5, "tags": ["a", "é"], "none": None}),
    "headings": ('[[1, "One"], [2, ""]]', [[1, "One"], [2, ""]]),
    "open_graph": ('{"og:title": "T"}', {"og:title": "T"}),
    "classes": ('{"CP":10.5}', {"CP": 10.5}),
    "terms": ('["sundew"]', ["sundew"]),
}

CHANGES = (
    "UPDATE page SET schemes = :schemes",
    "INSERT INTO fields VALUES (1, :fields, 1.5)",
    "UPDATE metadata SET headings = :headings, open_graph = :open_graph",
    "INSERT INTO topic (url, relevant, score, by, classes, terms) VALUES (1, 1, 2, 'terms', :classes, :terms)",
)


def changed(directory, path, **texts):
    copy = shutil.copytree(directory, path)
    with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
        for change in CHANGES:
            db.execute(change, {name: text for name, (text, _) in VALUES.items()} | texts)
    return copy


@pytest.fixture(scope="module")
def crawl(directory, tmp_path_factory):
    with ttcrawl.open(changed(directory, tmp_path_factory.mktemp("json") / "c")) as crawl:
        yield crawl


def rows_of(crawl):
    """Column -> a row that has it."""
    rows = crawl.page(HOME)
    columns = {"metadata": ("headings", "open_graph"), "page": ("schemes", "fields"), "topic": ("classes", "terms")}
    return {column: getattr(rows, name) for name, columns in columns.items() for column in columns}


def test_these_are_all_columns_of_json():
    every = [each for each in vars(tables).values() if isinstance(each, tables.Table)]
    found = {name for table in (*every, PAGE_RECORDS) for name, (kind, _) in kinds(table.row).items() if kind == JSON}
    assert found == VALUES.keys()
    assert all(f"    {name} " in TABLES for name in found)


@pytest.mark.parametrize("column", VALUES)
def test_values(crawl, column):
    row = rows_of(crawl)[column]
    (name,) = (name for name, each in vars(tables).items() if isinstance(each, tables.Table) and each.row is type(row))
    iterated = next(getattr(crawl, f"iter_{name.lower()}")())
    frame = getattr(crawl, name.lower())()
    assert getattr(row, column) == getattr(iterated, column) == frame[column].iloc[0] == VALUES[column][1]
    assert str(frame.dtypes[column]) == "object"


def test_rows_are_hashable_and_own_their_values(crawl):
    first, second, *_ = crawl.iter_pages()
    assert len({first, replace(first), second}) == 2
    assert first.schemes == second.schemes and first.schemes is not second.schemes


def test_a_page_without_fields_has_none_as_its_event(crawl, capsys):
    assert crawl.page(OTHER).page.fields is None and crawl.pages().fields.iloc[1] is None
    assert main(["page", str(crawl.directory), OTHER, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["page"]["fields"] is None


def test_page_prints_them(crawl, capsys):
    assert main(["page", str(crawl.directory), HOME, "--format", "json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)
    flat = shown["page"] | shown["metadata"] | shown["topic"]
    assert {name: flat[name] for name in VALUES} == {name: value for name, (_, value) in VALUES.items()}
    assert main(["page", str(crawl.directory), HOME]) == 0
    out = capsys.readouterr().out
    assert '"price": 12.5' in out and "1 One" in out and "CP 10.5" in out and "sundew" in out


def exported(crawl, out, *options):
    assert main(["export", str(crawl.directory), "-o", str(out), *options]) == 0
    return out.read_text()


def test_exports_have_objects_in_json_lines_and_the_stored_texts_elsewhere(crawl, tmp_path, capsys):
    first = json.loads(exported(crawl, tmp_path / "jsonl", "--format", "jsonl").splitlines()[0])
    assert {name: first[name] for name in VALUES} == {name: value for name, (_, value) in VALUES.items()}
    texts = exported(crawl, tmp_path / "csv", "--format", "csv", "--where", 'fields~*"price":12.5*')
    (row,) = csv.DictReader(texts.splitlines(keepends=True))
    assert {name: row[name] for name in VALUES} == {name: text for name, (text, _) in VALUES.items()}


@pytest.mark.parametrize("text", ["[", "no JSON", "[" * 100_000, "1" * 5000])
def test_a_damaged_value_is_its_text(directory, tmp_path, text):
    copy = changed(directory, tmp_path / "c", **dict.fromkeys(VALUES, text))
    with ttcrawl.open(copy) as crawl:
        assert {getattr(row, column) for column, row in rows_of(crawl).items()} == {text}
        assert crawl.pages().fields.iloc[0] == text
