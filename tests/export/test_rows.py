"""Tables in JSON lines, CSV and Parquet are what the library returns, as other programs read them."""

import csv
import json
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

import ttcrawl
from tests.library.sample_crawl import EVIL, HOME, LINKS, MAIN, OTHER, PICTURE, STATES, TEXT, URLS
from ttcrawl.cli import main
from ttcrawl.export import TABLES, USUAL
from ttcrawl.export.sources import SOURCES
from ttcrawl.export.table_files import moment
from ttcrawl.output.csv_form import FORMULA

MOMENTS = {"time", "discovered", "processed", "due", "started", "ended", "robots_time", "robots_failing", "next_at"}


def rows_of_json(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def expected(directory, table):
    """The rows of the library, with moments in ISO 8601."""
    rows = []
    with ttcrawl.open(directory) as crawl:
        for row in getattr(crawl, f"iter_{table}")():
            values = asdict(row)
            for name, value in values.items():
                if name in MOMENTS | {"backoff_until"} and value is not None:
                    values[name] = moment(value)
                elif name in ("demoted", "soft_404") and isinstance(value, int):
                    values[name] = bool(value)
            rows.append(values)
    return rows


def test_every_table_has_a_source():
    assert {*SOURCES} == {*TABLES} >= {*USUAL}


@pytest.mark.parametrize("table", TABLES)
def test_json_lines_are_the_rows_of_the_library(export, directory, table):
    rows = rows_of_json(export("jsonl", "--table", table))
    want = expected(directory, table)
    assert len(rows) == len(want) > 0
    assert [{name: row[name] for name in want[0]} for row in rows] == want
    assert table == "pages" or [*rows[0]] == [*want[0]]


def test_pages_have_their_metadata_and_their_original(export):
    home, other, *_ = rows_of_json(export("jsonl"))
    picture = next(each for each in rows_of_json(export("jsonl")) if each["url"] == PICTURE)
    assert (home["description"], home["words"], home["original"]) == (EVIL, 4, None)
    assert (other["description"], other["same"], other["similarity"], other["original"]) == (None, "near", 0.925, HOME)
    assert (picture["same"], picture["original"]) == ("bytes", OTHER)


def test_with_the_texts(export, directory):
    from pyarrow import parquet

    home, other, *_ = rows_of_json(export("jsonl", "--text"))
    assert (home["text"], home["main_text"]) == (TEXT, MAIN)
    assert (other["text"], other["main_text"]) == (None, None)
    (row,) = csv.DictReader(export("csv", "--text", "--where", f"url={HOME}").read_text().splitlines(keepends=True))
    assert row["main_text"] == MAIN
    table = parquet.read_table(export("parquet", "--text"))
    assert table["text"].to_pylist()[:2] == [TEXT, None]


@pytest.mark.parametrize("table", TABLES)
def test_csv_is_read_by_others(export, directory, table):
    import duckdb

    path = export("csv", "--table", table)
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    want = expected(directory, table)
    assert len(rows) == len(want) == duckdb.sql(f"SELECT count(*) FROM read_csv('{path}')").fetchall()[0][0]
    for row, values in zip(rows, want, strict=True):
        for name, value in values.items():
            if isinstance(value, dict | list):
                assert json.loads(row[name]) == value, name
            else:
                assert row[name] == cell(value), name


def cell(value):
    if value is None:
        return ""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text


@pytest.mark.parametrize("table", TABLES)
def test_parquet_is_read_by_others(export, directory, table):
    import duckdb
    from pyarrow import parquet

    path = export("parquet", "--table", table)
    rows = parquet.read_table(path).to_pylist()
    with ttcrawl.open(directory) as crawl:
        want = [asdict(row) for row in getattr(crawl, f"iter_{table}")()]
    assert len(rows) == len(want) == duckdb.sql(f"SELECT count(*) FROM read_parquet('{path}')").fetchall()[0][0]
    for row, values in zip(rows, want, strict=True):
        for name, value in values.items():
            if isinstance(row[name], datetime):
                value = datetime.fromtimestamp(value, UTC)
            elif name in ("schemes", "fields"):  # texts of JSON
                row[name] = json.loads(row[name]) if row[name] else None
            assert row[name] == value, name


def test_a_directory_gets_the_usual_tables(directory, tmp_path, capsys):
    import duckdb

    assert main(["export", str(directory), "--format", "parquet", "-o", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.parquet" for name in USUAL}
    assert capsys.readouterr().err.count("ttcrawl: wrote ") == len(USUAL)
    of_state = "SELECT state, count(*) FROM '{}/urls.parquet' GROUP BY state ORDER BY state"
    counts = duckdb.sql(of_state.format(tmp_path)).fetchall()
    assert dict(counts)["fetched"] == sum(state == "fetched" for state, _ in STATES.values())


def test_conditions_select_rows(export):
    assert [row["url"] for row in rows_of_json(export("jsonl", "--where", "type=image/png"))] == [PICTURE]
    rows = rows_of_json(export("jsonl", "--table", "urls", "--where", "state=fetched", "--where", "depth=1"))
    assert [row["url"] for row in rows] == [url for url in URLS[1:] if STATES[url][0] == "fetched"]
    rows = rows_of_json(export("jsonl", "--table", "links", "--where", "kind=anchor"))
    assert len(rows) == sum(link[1] == "a" for link in LINKS)


def test_stdout_is_exact(directory, capfdbinary):
    assert main(["export", str(directory), "--table", "sites"]) == 0
    assert [json.loads(line)["host"] for line in capfdbinary.readouterr().out.splitlines()] == ["a.test"]


WRONG = (
    (["--table", "pages", "--table", "urls"], "several tables need a directory that exists"),
    (["--table", "urls", "--text"], "--text is for the table pages"),
    (["--where", "stat=1"], "there is no column stat"),
    (["--format", "wet", "--text", "-o", "x"], "--table and --text are for csv, jsonl, parquet, sqlite"),
    (["--format", "crawl-log", "--table", "urls"], "--table and --text are for"),
    (["-o", "nowhere/x"], "nowhere is not a directory"),
    (["--format", "wet", "-o", "."], "wet is one file: name it with -o FILE"),
    (["--format", "cdxj"], "cdxj is one file: name it with -o FILE"),
    (["--format", "wacz", "-o", "x", "--where", "id=1"], "--where is not for wacz"),
)


@pytest.mark.parametrize("options,words", WRONG)
def test_wrong_usage_is_one_line(directory, tmp_path, monkeypatch, capsys, options, words):
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(directory), *options]) == 2
    out, err = capsys.readouterr()
    assert words in err and err.count("\n") == 1 and not out and not list(tmp_path.iterdir())
