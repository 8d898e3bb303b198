"""Every command that writes is killed at random moments: a short run of `python -m tests.soak.kills`, and its judge."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.soak.kills.ground import Ground
from tests.soak.kills.kinds import Kind, kinds
from tests.soak.kills.play import Play
from tests.soak.kills.state import differences, file_state
from tests.soak.kills.tables import IDS, INSTEAD, LEFT_OUT, MOMENTS, POSITIONS, statement, tables
from tests.soak.kills.web import site
from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.postgresql import INITDB, postgresql
from tests.support.long_tables import few
from tests.support.web.site import Web
from ttcrawl.export import formats
from ttcrawl.store.schema import TABLES

#: Seed of the kills.
SEED = 36


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("some", "least"), few(1, [("requeue", 1), ("", 20)]))
def test_a_command_that_was_killed_ends_as_if_it_had_not_been(tmp_path, some, least) -> None:
    """Commands that begin with `some`; `least`: kills. With one trial of each command there are some more."""
    with ExitStack() as opened:
        web = opened.enter_context(Web(site()))
        server = opened.enter_context(postgresql()) if INITDB else None
        of_all = kinds(Ground(web, tmp_path, server))
        play = Play(tmp_path, [each for each in of_all if each.name.startswith(some)], SEED)
        play.play(least)
    assert play.failures == []
    assert play.killed >= least
    assert [name for name, record in play.records.items() if not record.at_work] == []


def test_there_is_a_kind_for_each_command_and_format(tmp_path) -> None:
    names = [each.name for each in kinds(Ground(Web({}), tmp_path, None))]
    commands = {"crawl", "recrawl", "read", "delete", "requeue", "aliases", "why", "recycle", "topic", "verify"}
    assert {name.split()[0] for name in names} == commands | {"search", "cluster", "export", "graph", "plot"}
    assert {name.split()[1] for name in names if name.startswith("export")} == set(formats.names())
    assert len(set(names)) == len(names)


@pytest.fixture(scope="module")
def empty():
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        yield db


def columns(db: sqlite3.Connection) -> dict[str, set[str]]:
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for name in names}


def test_every_table_is_compared(empty) -> None:
    """By most of its columns, without an id, which two runs need not have alike."""
    for name, all_columns in columns(empty).items():
        shown = {row[0] for row in empty.execute(statement(empty, name)).description}
        assert shown, name
        if name not in INSTEAD:
            left_out = MOMENTS | POSITIONS | LEFT_OUT.get(name, set())
            assert len(shown) == len(all_columns - left_out) > 0, name


def test_what_is_left_out_is_in_the_schema(empty) -> None:
    found = columns(empty)
    assert INSTEAD.keys() <= found.keys()
    for name, left_out in (*LEFT_OUT.items(), *((name, set(ids)) for name, ids in IDS.items() if name != "*")):
        assert left_out <= found[name], name
    assert set().union(MOMENTS, POSITIONS, IDS["*"]) <= set().union(*found.values())


#: What a kill might have done -> the parts that differ.
DAMAGES = {
    "DELETE FROM outlinks": ["outlinks"],
    "UPDATE url SET depth = 7 WHERE id = 2": ["url"],
    "INSERT INTO queue VALUES (1, 0, 3)": ["queue"],
    "UPDATE page SET title = 'x' WHERE url = 1": ["page"],
    "UPDATE url SET discovered = 1, id = 100 WHERE id = 3": [],
}


@pytest.mark.parametrize(("damage", "parts"), DAMAGES.items())
def test_the_judge_sees_what_differs(tmp_path, damage, parts) -> None:
    links = {"http://a.test/": ["/1", "http://b.test/"], "http://a.test/1": []}
    crawl = crawl_of(tmp_path, {url: [each.replace("/1", "http://a.test/1") for each in links[url]] for url in links})
    expected = tables(crawl)
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        db.execute(damage)
    assert [line.partition(":")[0] for line in differences(expected, tables(crawl))] == parts


def test_the_judge_sees_another_file_and_what_is_left_of_one(tmp_path) -> None:
    (tmp_path / "out").write_text("a")
    expected = file_state(tmp_path / "out")
    (tmp_path / "out").write_text("b")
    (tmp_path / "out.new").write_text("")
    found = [line.partition(":")[0] for line in differences(expected, file_state(tmp_path / "out"))]
    assert sorted(found) == ["files", "partial files"]


@pytest.mark.parametrize(
    ("words", "failure"),
    [
        pytest.param(["config", "--no-such-option"], "status 2 after 15 runs", marks=pytest.mark.slow),
        (["--version"], "runs: 1 missing, 1 more"),
    ],
)
def test_what_does_not_hold_is_a_failure_and_its_directory_stays(tmp_path, words, failure) -> None:
    began = []

    def run(path: Path) -> list[object]:
        began.append(path)
        return words if len(began) > 1 else ["--version"]

    kind = Kind(
        name="wrong",
        prepare=lambda path: path.mkdir(),
        words=run,
        state=lambda path: {"runs": Counter([len(began)])},
        kills=0,
    )
    play = Play(tmp_path, [kind], 1, say=lambda text: None)
    play.play(0)
    (line,) = play.failures
    assert line.startswith(f"wrong, trial 0: {failure}") and (tmp_path / "wrong-0").is_dir()
