"""Earlier answers of a URL: told by `why`, shown by `page --at`, returned by the library."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import ttcrawl
from tests.inspect.changes.dated_crawl import BASE, START, Dated, Fate, make
from ttcrawl.cli import main

EVIL = "\x1b[2J\u202eevil"
HOME = [
    Dated(time=0.1234567, title="One", text="a b c d", links=["/x", "/y"]),
    Dated(time=100, title="One", text="a b c d", links=["/x", "/y"]),
    Dated(time=200, title=EVIL, text=f"a b {EVIL} d e", links=["/x", "/z"]),
    Dated(time=300, to="/x", status=301, text=None),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    answers = {
        "/": HOME,
        "/x": [Dated(time=1)],
        "/unread": [Dated(time=2, text=None), Dated(time=102)],
        "/again": [Dated(time=3, text="before")],
        "/never": [],
    }
    return make(tmp_path_factory.mktemp("history") / "c", answers, {"/again": Fate(state="queued")})


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main([*map(str, words)])
    output = capsys.readouterr()
    assert all(line.isprintable() for line in (output.out + output.err).split("\n"))
    return status, output.out, output.err


def test_each_answer_with_what_changed(directory: Path) -> None:
    with ttcrawl.open(directory) as crawl:
        answers = list(crawl.history(f"{BASE}/"))
        assert list(crawl.page(f"{BASE}/").times) == [each.time for each in answers]
    assert [each.time for each in answers] == [START + each.time for each in HOME]
    assert [(each.status, each.title, each.location) for each in answers] == [
        (200, "One", ""),
        (200, "One", ""),
        (200, EVIL, ""),
        (301, "", "/x"),
    ]
    assert [each.changed for each in answers] == [
        (),
        (),
        ("title", "main text", "links", "bytes"),
        ("status", "title", "main text", "links", "bytes"),
    ]
    assert [each.same for each in answers] == [None, 1.0, 0.5, None]
    third = answers[2]
    assert (third.words_added, third.words_removed) == (2, 1)
    assert (third.appeared, third.vanished) == ((f"{BASE}/z",), (f"{BASE}/y",))
    assert answers[3].vanished == (f"{BASE}/z",)  # the redirect leads to /x, to which the page linked


def test_why_tells_all_of_it(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = printed(capsys, "why", directory, f"{BASE}/", f"{BASE}/x")
    assert status == 0 and out.count("  history ") == 1
    for line in ("2 added, 1 removed", f"+ {BASE}/z", f"- {BASE}/y", "50.0% of the words", "status, title, main text"):
        assert line in out
    _, out, _ = printed(capsys, "why", directory, f"{BASE}/", "--format", "json")
    history = json.loads(out)[0]["entry"]["history"]
    assert [each["title"] for each in history] == ["One", "One", EVIL, ""]


@pytest.mark.parametrize(
    ("at", "number"),
    [
        ("2001-09-09T01:46:40.123", 0),  # as it is shown
        ("2001-09-09 01:48:19.999", 0),
        ("2001-09-09T01:48:20", 1),
        ("2001-09-09T03:48:20+02:00", 1),
        ("2001-09-09T01:50:00.000", 2),
        ("2001-09-10", 3),
        (START + HOME[2].time, 2),
        (START + HOME[0].time, 0),
        (datetime.fromtimestamp(START + 250, UTC), 2),
    ],
)
def test_the_answer_at_a_moment(directory: Path, at: str | float | datetime, number: int) -> None:
    expected = HOME[number]
    with ttcrawl.open(directory) as crawl:
        url = f"{BASE}/"
        rows = crawl.page(url, at=at)
        assert (rows.page.time, rows.page.title) == (START + expected.time, expected.title)
        assert [link.target for link in rows.links] == [f"{BASE}{each}" for each in expected.links or ["/x"]]
        assert crawl.body(url, at=at) == expected.bytes == crawl.response(url, at=at).body
        if expected.text is not None:
            assert rows.metadata is not None and rows.metadata.description == expected.title
            assert crawl.text(url, at=at) == crawl.text(url, main=True, at=at) == expected.text
        else:
            assert rows.metadata is None
            with pytest.raises(ttcrawl.NotThere, match="has no text"):
                crawl.text(url, at=at)
        assert crawl.page(url).page.status == 301  # the moment was for one call


def test_the_command_shows_it(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = printed(capsys, "page", directory, f"{BASE}/", "--at", "2001-09-09T01:50", "--text", "--links")
    assert status == 0 and "number 3 of 4" in out and "\\x1b[2J\\u202eevil" in out and f"{BASE}/z" in out
    status, out, _ = printed(capsys, "page", directory, f"{BASE}/", "--at", "2001-09-09T01:50", "--format", "json")
    (shown,) = json.loads(out)
    assert shown["page"]["title"] == EVIL and shown["answers"] == [START + each.time for each in HOME]
    status, out, _ = printed(capsys, "page", directory, f"{BASE}/x", "--at", "2001-09-10")
    assert status == 0 and "  answers " not in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ("/", "--at", "2001-09-09"),
            1,
            "had no answer at 2001-09-09 00:00:00.000 UTC: its first one is of",
        ),
        (("/", "--at", "yesterday"), 2, "'yesterday' is not a moment such as 2026-01-31"),
        (("/", "--at", "2001-13-01"), 2, "is not a moment"),
        (("/", "--at", "1e300"), 2, "is not a moment"),
        (("/", "--at", "9999-12-31T23:59:59-23:00", "--body"), 0, ""),
        (("/unread", "--at", "2001-09-09T01:47", "--text"), 1, "none was kept of this earlier answer"),
        (("/never", "--at", "2001-09-10"), 1, "has no answer: it is queued"),
        (("/again",), 1, "it has earlier ones, the last of 2001-09-09 01:46:43.000 UTC"),
        (("/again", "--at", "2001-09-10", "--text"), 0, ""),
        (("/nowhere", "--at", "2001-09-10"), 1, "was never discovered"),
    ],
)
def test_what_does_not_exist_is_said(
    directory: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, message: str
) -> None:
    status, _, err = printed(capsys, "page", directory, BASE + words[0], *words[1:])
    assert status == code and message in err and len(err.splitlines()) == (1 if message else 0)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE earlier_text SET text = x'00'",
        "UPDATE earlier_outlinks SET targets = 'no JSON'",
        """UPDATE earlier_outlinks SET targets = '{"a": 1}'""",
        """UPDATE earlier_outlinks SET targets = '["a"]'""",
        "DROP TABLE earlier_text",
    ],
)
def test_a_damaged_crawl_is_told_in_one_line(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    shutil.copytree(directory, tmp_path / "c")
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute(damage)
    for words in (("why", tmp_path / "c", f"{BASE}/"), ("diff", tmp_path / "c")):
        status, _, err = printed(capsys, *words)
        assert status == 2 and len(err.splitlines()) == 1 and f"{tmp_path}/c/crawl.db is damaged" in err


def test_odd_values_are_shown(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(directory, tmp_path / "c")
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("UPDATE earlier_page SET digest = 'text', title = x'ff', length = 1 << 60")
    for words in (("why", tmp_path / "c", f"{BASE}/"), ("diff", tmp_path / "c")):
        status, out, _ = printed(capsys, *words)
        assert status == 0 and f"{BASE}/" in out
