"""Earlier answers are read by an index on (URL, time): shown by the plans of SQLite."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.inspect.changes.dated_crawl import BASE, Dated, make
from ttcrawl.cli import main
from ttcrawl.store.database import Database

#: The tables beside `earlier_page`, with rows about one answer each.
BESIDE = re.compile(r"\bearlier_(outlinks|metadata|text|fields|topic|link_score)\b")

COMMANDS = (
    ("why", f"{BASE}/"),
    ("page", f"{BASE}/", "--at", "2001-09-09T01:48"),
    ("diff",),
    ("diff", "--text", "--links"),
)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    several = [Dated(time=n * 100.0, text=f"words {n}", title=str(n), links=[f"/{n}", "/x"]) for n in range(3)]
    return make(tmp_path / "c", {"/": several, "/x": several, "/gone": [several[0], Dated(time=250, status=404)]})


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The steps of the plan of each query about tables beside `earlier_page`, as they are executed."""
    steps, execute = list[str](), Database.execute

    def explained(db: Database, query: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        values = tuple(values)
        if BESIDE.search(query):
            steps.extend(step for *_, step in execute(db, f"EXPLAIN QUERY PLAN {query}", values))
        return execute(db, query, values)

    monkeypatch.setattr(Database, "execute", explained)
    yield steps


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_table_is_scanned(directory: Path, plans: list[str], words: tuple[str, ...]) -> None:
    assert main([words[0], str(directory), *words[1:]]) == 0
    steps = [step for step in plans if BESIDE.search(step)]
    assert steps and all(re.match(r"SEARCH .* \((url|source)=\? AND time=\?\)", step) for step in steps), plans


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_without_the_indexes_the_answers_are_the_same(
    directory: Path, plans: list[str], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Tables of an earlier version have none."""
    assert main([words[0], str(directory), *words[1:]]) == 0
    with_them = capsys.readouterr().out
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'earlier_%_answer'")]
        for name in names:
            db.execute(f"DROP INDEX {name}")
    plans.clear()
    assert main([words[0], str(directory), *words[1:]]) == 0
    assert len(names) == 6 and any(step.startswith("SCAN") for step in plans)
    assert capsys.readouterr().out == with_them
