"""The fields of hooks as columns: their names, their types, and what is missing, as other programs read them."""

import csv
import json
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.export.field_kinds import convert, joined, kind_of
from ttcrawl.export.fields import MOST, column_names, columns_of, source_of
from ttcrawl.snapshot.snapshot import view

VALUES = (
    ([True, None, False], "bool"),
    ([1, 2, None], "int"),
    ([1, 2.5], "float"),
    ([2.5, 1], "float"),
    (["a", "2026-01-31"], "str"),
    ([1, True], "str"),
    ([1, "1"], "str"),
    ([1, 1 << 63], "str"),
    ([1.5, 1 << 63], "str"),
    (["2026-01-31", "0001-01-01"], "date"),
    (["2026-02-31"], "str"),
    (["2026-01-31T12:00:00Z", "2026-01-31 12:00+02:00"], "moment"),
    (["2026-01-31T12:00:00", "2026-01-31 12:00"], "datetime"),
    (["2026-01-31T12:00:00", "2026-01-31T12:00:00Z"], "str"),
    (["2026-01-31", "2026-01-31T12:00:00Z"], "str"),
    (["2026-01-31T25:00:00Z", "0001-01-01T00:00:00+01:00"], "str"),
    ([[1], []], "json"),
    ([{"a": 1}, [1]], "json"),
    ([{"a": 1}, 7, "x"], "json"),
    ([None], "str"),
    (["", "2026"], "str"),
)


@pytest.mark.parametrize("values,kind", VALUES)
def test_the_kind_of_a_column_has_all_its_values(values, kind):
    assert columns_of(iter([{"a": each} for each in values])) == {"a": kind}
    for each in values:
        if each is not None:
            assert convert(kind)(each) is not None
    of = [kind_of(each) for each in values if each is not None]
    assert all(joined(one, other) == joined(other, one) for one in of for other in of)


def test_a_value_of_another_kind_is_an_error():
    for kind, value in (("int", "3"), ("int", 1 << 63), ("bool", 1), ("moment", 3), ("moment", "x"), ("date", "x")):
        with pytest.raises((ValueError, TypeError)):
            convert(kind)(value)


def test_names_that_would_be_there_twice():
    names = ("url", "URL", "field_url", "Price", "price", "", "a.b", "items", "class")
    columns = column_names(dict.fromkeys(names, "str"))
    assert [*columns] == [*names] and len({each.lower() for each in columns.values()}) == len(names)
    assert columns["url"] == "field_url" and columns["a.b"] == "a.b" and columns["items"] == "items"


FIELDS = {
    "/": {"price": 3, "when": "2026-01-31T12:00:00+01:00", "tags": ["a", {"b": None}], "day": "2026-01-31", "url": "u"},
    "/a": {"price": 2.5, "sold": True, "mixed": 1, "name": "=SUM(A1)", "of.menu": "x", "items": 7},
    "/b": {"mixed": "one", "sold": None, "at": "2026-01-31T12:00:00"},
    "/none": None,
}


@pytest.fixture
def crawl(tmp_path):
    return crawl_with(tmp_path / "crawl", FIELDS)


def crawl_with(directory, fields):
    crawl_of(directory, {f"http://a.test{path}": [] for path in fields})
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for id, each in enumerate(fields.values(), 1):
            db.execute("INSERT INTO fields VALUES (?, ?, ?)", (id, json.dumps(each) if each else "", 1.5))
    return directory


def test_json_lines_have_the_values_of_the_hook(crawl, export):
    rows = [json.loads(line) for line in export("jsonl", "--table", "fields", crawl=crawl).read_text().splitlines()]
    assert [row["url"] for row in rows] == [f"http://a.test{path}" for path in ("/", "/a", "/b")]
    first, second, third = rows
    assert {row["state"] for row in rows} == {"fetched"} and first["score"] == 1.5 and first["time"]
    assert (first["price"], second["price"], third["price"]) == (3.0, 2.5, None)
    assert first["tags"] == ["a", {"b": None}] and first["field_url"] == "u"
    assert first["when"] == "2026-01-31T11:00:00.000000Z"
    assert (second["mixed"], third["mixed"], second["sold"], third["sold"]) == ("1", "one", True, None)
    assert second["of.menu"] == "x" and second["items"] == 7


def test_parquet_has_types(crawl, export):
    import duckdb
    from pyarrow import parquet

    path = export("parquet", "--table", "fields", crawl=crawl)
    rows = parquet.read_table(path).to_pylist()
    assert rows[0]["when"] == datetime(2026, 1, 31, 11, tzinfo=UTC) and rows[0]["day"] == date(2026, 1, 31)
    assert rows[2]["at"] == datetime(2026, 1, 31, 12) and rows[1]["sold"] is True and rows[1]["items"] == 7
    types = dict(
        duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet('{path}'))").fetchall()
    )
    assert {name: types[name] for name in ("price", "sold", "day", "at", "tags", "mixed", "items")} == {
        **{"price": "DOUBLE", "sold": "BOOLEAN", "day": "DATE", "at": "TIMESTAMP"},
        **{"tags": "VARCHAR", "mixed": "VARCHAR", "items": "BIGINT"},
    }
    assert types["when"] == "TIMESTAMP WITH TIME ZONE"


def test_csv_has_no_formulas(crawl, export):
    with open(export("csv", "--table", "fields", crawl=crawl), newline="") as file:
        first, second, third = csv.DictReader(file)
    assert (second["name"], second["sold"], third["sold"], second["price"]) == ("'=SUM(A1)", "true", "", "2.5")
    assert json.loads(first["tags"]) == ["a", {"b": None}] and first["day"] == "2026-01-31"


@pytest.mark.parametrize(
    "condition,urls",
    [
        ("price>2.6", ["/"]),
        ("day>2026-01-30", ["/"]),
        ("when<2026-01-31T11:30", ["/"]),
        ("sold=yes", ["/a"]),
        ("items=7", ["/a"]),
        ("mixed~o*", ["/b"]),
        ("state=refused", []),
    ],
)
def test_conditions_select_by_fields(crawl, export, condition, urls):
    lines = export("jsonl", "--table", "fields", "--where", condition, crawl=crawl).read_text().splitlines()
    assert [json.loads(line)["url"] for line in lines] == [f"http://a.test{path}" for path in urls]


def test_without_fields_there_are_no_rows_and_one_line_says_so(tmp_path, export, capsys):
    crawl = crawl_with(tmp_path / "crawl", {"/": None})
    assert export("csv", "--table", "fields", crawl=crawl).read_text() == "id,url,state,time,status,score\n"
    assert "no page has fields" in capsys.readouterr().err


def test_names_of_pages_make_no_columns_without_end(tmp_path, capsys):
    crawl = crawl_with(tmp_path / "crawl", {"/": {f"of {n}": n for n in range(MOST + 1)}})
    assert main(["export", str(crawl), "--table", "fields"]) == 2
    assert "more than 1,000 different names" in capsys.readouterr().err


def test_what_a_running_crawl_adds_meanwhile_is_missing_and_said(crawl, capsys):
    with view(crawl) as db:
        source = source_of(db, "fields")
        with closing(sqlite3.connect(crawl / "crawl.db")) as other, other:
            other.execute(
                "UPDATE fields SET fields = ? WHERE url = 2", ('{"price": "cheap", "new": 1, "sold": false}',)
            )
        db.rest()
        second = [*source.pieces.rows(db)][1]
    assert (second.price, second.sold) == (None, False) and "new" not in vars(second)
    assert capsys.readouterr().err.count("meanwhile added fields") == 1
