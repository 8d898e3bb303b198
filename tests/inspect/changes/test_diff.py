"""What is new, gone, moved and changed: of made crawls, of which everything is known."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

import ttcrawl
from tests.inspect.changes.dated_crawl import BASE, START, Dated, Fate, absolute, make
from ttcrawl.cli import main

EVIL = "\x1b[2J\u202eevil"
THEN, NOW = START + 50, START + 500

MOVED_TEXT = "a page that is moved with its words"
ANSWERS: Mapping[str, Sequence[Dated]] = {
    "/": [
        Dated(time=0, title="Home", text="a b c d", links=["/same", "/lonely", "/old", "/shy"]),
        Dated(time=100, title=EVIL, text="a b x d e", links=["/same", "/new", "/new"]),
    ],
    "/same": [Dated(time=1, text="same", links=["/shy"]), Dated(time=101, text="same", links=["/shy"])],
    "/once": [Dated(time=2)],
    "/bytes": [Dated(time=3, body=b"one"), Dated(time=103, body=b"two")],
    "/lonely": [Dated(time=4, links=["/lonely"])],
    "/shy": [Dated(time=4)],
    "/old": [Dated(time=5, title="A", text=MOVED_TEXT), Dated(time=105, status=404, text="not here")],
    "/new": [Dated(time=106, title="B", text=MOVED_TEXT)],
    "/old-bytes": [Dated(time=7, text="equal"), Dated(time=107, status=410, text="not here")],
    "/new-bytes": [Dated(time=108, text="equal")],
    "/redirected": [Dated(time=9, text="one two three"), Dated(time=109, status=301, to="/hop")],
    "/hop": [Dated(time=110, status=302, to="/end")],
    "/end": [Dated(time=111, text="one two three four")],
    "/loop": [Dated(time=12), Dated(time=112, status=301, to="/loop")],
    "/gone": [Dated(time=13), Dated(time=113, status=404, text="not here")],
    "/empty": [Dated(time=13.5, body=b"", text=""), Dated(time=113.5, status=404, text="not here")],
    "/empty-too": [Dated(time=114, body=b"", text="")],
    "/failed": [Dated(time=14)],
    "/waiting": [Dated(time=15)],
    "/mended": [Dated(time=16, status=503, text="busy"), Dated(time=116)],
    "/error": [Dated(time=17, status=404, text="no"), Dated(time=117, status=410, text="no")],
    "/late": [Dated(time=118)],
    "/slow": [Dated(time=119)],  # "/start" links to it before THEN
    "/start": [Dated(time=20, links=["/slow", "/unrequested"])],
}
FATES = {"/failed": Fate(state="failed", reason="dns", processed=114), "/waiting": Fate(state="queued")}

FIRST_TO_LATEST = {
    ("gone", "/old", "http 404"),
    ("gone", "/old-bytes", "http 410"),
    ("gone", "/gone", "http 404"),
    ("gone", "/empty", "http 404"),
    ("gone", "/loop", "http 301"),
    ("gone", "/failed", "failed: dns"),
    ("moved", "/redirected", "/end"),
    ("changed", "/", "title, main text, links, bytes"),
    ("changed", "/bytes", "bytes"),
    ("new", "/mended", "http 503"),
}
MOVED_IN_TIME = {("gone", "/old", "http 404"), ("gone", "/old-bytes", "http 410")}
THEN_TO_NOW = (FIRST_TO_LATEST - MOVED_IN_TIME) | {
    ("moved", "/old", "/new"),
    ("moved", "/old-bytes", "/new-bytes"),
    ("new", "/late", ""),
    ("new", "/empty-too", ""),
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("diff") / "c", ANSWERS, FATES)


def told(change: ttcrawl.Change) -> tuple[str, str, str]:
    detail = {"moved": change.to.removeprefix(BASE), "changed": change.what}.get(change.change, change.outcome)
    return change.change, change.url.removeprefix(BASE), detail


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main(["diff", *map(str, words)])
    output = capsys.readouterr()
    assert all(line.isprintable() for line in (output.out + output.err).split("\n"))
    return status, output.out, output.err


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, None, FIRST_TO_LATEST),
        (None, NOW, FIRST_TO_LATEST),
        (THEN, None, THEN_TO_NOW),
        (THEN, NOW, THEN_TO_NOW),
        (THEN, THEN, set()),
        (NOW, NOW, set()),
        (START - 9, START - 5, set()),
        (NOW, None, set()),
    ],
)
def test_between_two_moments(
    directory: Path, before: float | None, after: float | None, expected: set[tuple[str, str, str]]
) -> None:
    with ttcrawl.open(directory) as crawl:
        rows = list(map(told, crawl.diff(before=before, after=after)))
    assert set(rows) == expected and len(rows) == len(expected)
    order = ["new", "gone", "moved", "changed"]
    assert rows == sorted(rows, key=lambda row: (order.index(row[0]), absolute(row[1])))


def test_how_a_page_changed(directory: Path) -> None:
    with ttcrawl.open(directory) as crawl:
        changes = {change.url.removeprefix(BASE): change for change in crawl.diff(before=THEN, text=True)}
    home = changes["/"]
    assert (home.same, home.words_added, home.words_removed) == (0.5, 2, 1)
    assert (home.links_appeared, home.links_vanished) == (1, 3)
    assert home.appeared == (f"{BASE}/new",) and home.vanished == (f"{BASE}/lonely", f"{BASE}/old", f"{BASE}/shy")
    assert (home.time_before, home.time) == (START, START + 100)
    assert home.diff == "@@ -1 +1 @@\n-a b c d\n+a b x d e"
    assert (changes["/redirected"].same, changes["/redirected"].by) == (0.75, "redirect")
    assert (changes["/old"].by, changes["/old-bytes"].by) == ("same main text", "same bytes")
    assert (changes["/old"].title_before, changes["/old"].title) == ("A", "B")
    assert (changes["/bytes"].only_bytes, home.only_bytes) == (True, False)


def test_the_numbers(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = printed(capsys, directory, "2001-09-09T01:47:30", "--format", "jsonl")
    *rows, summary = map(json.loads, out.splitlines())
    assert (status, err) == (0, "") and len(rows) == len(THEN_TO_NOW)
    assert summary == {
        **{"change": "summary", "new": 3, "gone": 4, "moved": 3, "changed": 2},
        "unchanged": 6,  # /same /once /lonely /shy /waiting /start
        "same_answer": 5,
        "unrequested": 1,  # /slow
        "dropped": 0,
    }


def test_the_text(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = printed(capsys, directory, "2001-09-09T01:47:30", "--text", "--links")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "3 new, 4 gone, 3 moved, 2 changed, 6 unchanged pages"
    assert "    title: Home -> \\x1b[2J\\u202eevil" in lines and "    +a b x d e" in lines
    assert f"      - {BASE}/lonely" in lines and f"      + {BASE}/new" in lines
    assert f"  {BASE}/bytes" not in lines and "of the changed pages not listed, as only bytes differ: 1" in lines
    assert f"    to {BASE}/end (redirect)" in lines and f"  {BASE}/mended  (before: http 503)" in lines


def test_pages_that_lost_all_links(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """/shy is linked by /same; /old is gone; /lonely links to itself only."""
    _, out, _ = printed(capsys, directory, "--links")
    assert out.split("no other page links to these pages any more\n")[1] == f"  {BASE}/lonely\n"
    _, out, _ = printed(capsys, directory, "--links", "--format", "jsonl")
    assert json.loads(out.splitlines()[-2]) == {"change": "unlinked", "url": f"{BASE}/lonely"}
    _, out, _ = printed(capsys, directory, "2001-09-10", "--links")
    assert out.endswith("\nno page has lost its last link\n")


@pytest.mark.parametrize(
    ("condition", "urls"),
    [
        ("change=moved", {"/old", "/old-bytes", "/redirected"}),
        ("same<0.9", {"/", "/redirected"}),
        ("links_vanished>=3", {"/"}),
        ("url~*/old*", {"/old", "/old-bytes"}),
        ("outcome=", {"/", "/bytes", "/old", "/old-bytes", "/late", "/empty-too"}),
        ("time>2001-09-09T01:48:36", {"/late"}),
    ],
)
def test_conditions(directory: Path, capsys: pytest.CaptureFixture[str], condition: str, urls: set[str]) -> None:
    _, out, _ = printed(capsys, directory, "2001-09-09T01:47:30", "--where", condition, "--format", "jsonl")
    rows = [json.loads(line) for line in out.splitlines()[:-1]]
    assert {row["url"].removeprefix(BASE) for row in rows} == urls


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("yesterday",), "'yesterday' is neither the directory of a crawl nor a moment such as"),
        (("2001-09-10", "2001-09-09"), "2001-09-10 is later than 2001-09-09: name the earlier moment first"),
        (("2001-09-10", "2001-09-11", "2001-09-12"), "'2001-09-12' is one too many"),
        (("--where", "appeared=1"), "there is no column appeared"),
        (("--where", "change"), "is not a condition"),
        (("DIR",), "is named twice"),
        (("OTHER",), "is not a crawl directory"),
        (("DIR", "2001-09-10"), "is one too many"),
    ],
)
def test_wrong_usage(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    others = [{"DIR": directory, "OTHER": tmp_path}.get(word, word) for word in words]
    status, out, err = printed(capsys, directory, *others)
    assert (status, out) == (2, "") and message in err and len(err.splitlines()) == 1


def test_it_is_one_moment_of_a_running_crawl(directory: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(directory, tmp_path / "c"))
    with closing(sqlite3.connect(copy / "crawl.db", isolation_level=None)) as writer, ttcrawl.open(copy) as crawl:
        writer.execute("PRAGMA journal_mode = WAL")  # as while it runs
        rows = crawl.diff(before=THEN)
        first = told(next(rows))
        for table in ("page", "earlier_page", "text", "earlier_text", "outlinks"):
            writer.execute(f"DELETE FROM {table}")
        assert {first, *map(told, rows)} == THEN_TO_NOW
        assert list(crawl.diff(before=THEN)) == []


# -- two crawls -------------------------------------------------------------------------------------------------------


def one_answer(*, latest: bool) -> dict[str, list[Dated]]:
    """The first, or the latest, answers of those that had an answer THEN, and of all."""
    if latest:
        return {url: [several[-1]] for url, several in ANSWERS.items() if url not in FATES}
    return {url: [several[0]] for url, several in ANSWERS.items() if several[0].time < 50}


def test_two_crawls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same changes, except of URLs that only one crawl knows."""
    first = make(tmp_path / "first", one_answer(latest=False))
    second = make(tmp_path / "second", one_answer(latest=True))
    with ttcrawl.open(first) as before, ttcrawl.open(second) as after:
        rows = set(map(told, before.diff(after)))
        back = {(change.change, change.url.removeprefix(BASE)) for change in after.diff(before)}
    expected = (THEN_TO_NOW - {("gone", "/failed", "failed: dns")}) | {
        ("gone", "/failed", "not discovered"),
        ("gone", "/waiting", "not discovered"),
    }
    assert rows == expected
    assert {("gone", "/late"), ("new", "/gone"), ("new", "/waiting"), ("changed", "/"), ("moved", "/new")} <= back
    status, out, err = printed(capsys, first, second, "--links")
    assert (status, err) == (0, "") and out.endswith(f"any more\n  {BASE}/lonely\n")
    with pytest.raises(ttcrawl.UsageError, match="two crawls are compared as they are now"):
        list(before.diff(after, before=1.0))


def test_a_crawl_that_has_not_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = make(tmp_path / "first", {"/": [Dated(time=0, links=["/a"])], "/a": [Dated(time=1)]})
    second = make(tmp_path / "2026-01-31", {"/": [Dated(time=0, links=["/a"])]}, finished=f"max_{EVIL}")
    status, out, err = printed(capsys, first, second)
    assert status == 0 and "left out, because only one side has requested them so far: 1\n" in out
    assert len(err.splitlines()) == 1 and "has not ended (max_" in err


def test_several_pages_with_the_same_content(tmp_path: Path) -> None:
    """As many move as there are on both sides, in alphabetical order; an empty page is no evidence."""
    same, empty = Dated(time=0, text="the same words"), Dated(time=0, text="", body=b"")
    first = make(tmp_path / "first", {"/a": [same], "/b": [same], "/c": [same], "/e": [empty]})
    second = make(tmp_path / "second", {"/x": [same], "/y": [same], "/z": [empty]})
    with ttcrawl.open(first) as before, ttcrawl.open(second) as after:
        rows = set(map(told, before.diff(after)))
    assert rows == {
        ("moved", "/a", "/x"),
        ("moved", "/b", "/y"),
        ("gone", "/c", "not discovered"),
        ("gone", "/e", "not discovered"),
        ("new", "/z", ""),
    }


@pytest.mark.slow
def test_damage_is_that_of_the_damaged_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = make(tmp_path / "first", one_answer(latest=False))
    second = make(tmp_path / "second", one_answer(latest=True))
    for damaged, whole, words in ((first, second, 0), (second, first, 1)):
        copy = Path(shutil.copytree(damaged, tmp_path / f"copy{words}"))
        with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
            db.execute("UPDATE outlinks SET targets = '[1'")
        pair = (copy, whole) if damaged is first else (whole, copy)
        status, _, err = printed(capsys, *pair)
        assert status == 2 and f"{copy}/crawl.db is damaged" in err and len(err.splitlines()) == 1
