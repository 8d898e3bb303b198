"""What a person and a program see while a crawl runs, on whatever they look at it; nothing there ends a crawl."""

import io
import json
import os
import pty
import re
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest

from tests.crawling import command, options_for
from tests.mesh import mesh
from tests.site import Web
from ttcrawl.engine import progress
from ttcrawl.engine.counters import Snapshot
from ttcrawl.engine.progress import Progress, ReadProgress

NOW = Snapshot(
    seconds=86_400.0,
    pages=1_234_567,
    moved=0,
    links=0,
    distinct_urls=98_765_432,
    in_scope=98_765_432,
    queued=12_345_678,
    in_flight=160,
    hosts_locked=16,
    hosts_waiting=12_345,
    errors=4_321,
    retries=0,
    bytes=0,
)


@pytest.mark.parametrize("width", [10, 20, 40, 60, 80, 100, 200])
def test_two_lines_of_whole_figures_at_every_width(monkeypatch, width):
    written = io.StringIO()
    monkeypatch.setattr(progress.sys, "stderr", written)
    for name, value in {"COLUMNS": str(width), "FORCE_COLOR": "1", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    Progress("live").show(NOW)
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r", "", written.getvalue())  # without colours and the cursor's moves
    lines = text.strip("\n").split("\n")
    assert len(lines) == 2 and all(len(line) <= width for line in lines)
    values, names = (line.split("   ") for line in lines)
    assert "…" not in text and lines[0].startswith("86,400 s")
    names = [name.strip() for name in names if name.strip()]
    wanted = ["time", "pages", "pages/s", "queued", "errors", "URLs", "in flight", "hosts locked/waiting"]
    assert names == wanted[: len(names)] and len(names) == {10: 1, 20: 2, 40: 3, 60: 5, 80: 7, 100: 8, 200: 8}[width]
    assert len([value for value in values if value.strip()]) == len(names)


@pytest.mark.parametrize(("term", "lines"), [("dumb", True), ("xterm", False)])
def test_a_terminal_that_cannot_draw_gets_plain_lines(monkeypatch, term, lines):
    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", term)
    with open(theirs, "w") as terminal, closing(os.fdopen(ours, "rb", buffering=0)) as seen:
        monkeypatch.setattr(progress.sys, "stderr", terminal)
        shows = Progress("auto")
        shows.show(NOW)
        shows.close()
        assert (b"1,234,567 pages  " in seen.read(4096)) == lines


def test_a_json_line_comes_whenever_one_is_due(capsys):
    shows = Progress("json", lines_every=0.2)
    for pages, seconds in enumerate((0.1, 0.25, 0.3, 0.5, 0.6)):
        shows.show(replace(NOW, pages=pages, seconds=seconds))
    shows.close()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["pages"], each["seconds"]) for each in lines] == [(1, 0.25), (3, 0.5), (4, 0.6)]
    assert lines[1]["pages_per_second"] == 8.0


def test_the_last_json_line_is_the_end(monkeypatch, capsys):
    shows = Progress("json")
    shows.show(Snapshot(**dict.fromkeys(Snapshot.__slots__, 1)))  # sooner than a line is due
    shows.close()
    assert [json.loads(line)["pages"] for line in capsys.readouterr().out.splitlines()] == [1]


NOWHERE = {
    "a full disk": {"stderr": "/dev/full"},
    "a full disk for a program": {"stdout": "/dev/full", "options": ["--progress", "json"]},
    "no stderr": {"closed": "2>&-"},
    "no stdout": {"closed": ">&-"},
    "no streams": {"closed": "<&- >&- 2>&-"},
}


@pytest.mark.slow
@pytest.mark.parametrize("where", NOWHERE)
def test_that_nothing_can_be_shown_ends_no_crawl(tmp_path, where):
    given = {"stdout": os.devnull, "stderr": os.devnull, "options": [], "closed": ""} | NOWHERE[where]
    with Web(mesh(["a.test"], 20, seed=1)) as web:
        line = command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *given["options"])
        shell = ["sh", "-c", f'exec "$@" {given["closed"]}', "sh", *line, "--no-obey-delay"]
        with open(given["stdout"], "w") as out, open(given["stderr"], "w") as err:
            done = subprocess.run(shell, stdout=out, stderr=err, timeout=60)
    assert done.returncode == 0
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as database:
        assert database.execute("SELECT value FROM crawl WHERE name = 'finished'").fetchall() == [("done",)]
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.slow
def test_a_reader_of_the_lines_that_goes_away(tmp_path):
    with Web(mesh(["a.test"], 20, seed=1)) as web:
        line = command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), "--no-obey-delay")
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        process.stderr.close()
        assert process.wait(60) == 0


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_long_reading_is_told_in_lines(capsys):
    clock = Clock()
    with ReadProgress(clock) as reading:
        for clock.now, place in ((1.0, 10), (4.9, 20), (5.0, 30), (9.9, 40), (11.0, 50)):
            reading("words", place, 60)
        reading("link graph", 0, 0)
        clock.now = 17.0
        reading("visits", 0, 0)
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "ttcrawl: reading: words, 30 of 60",
        "ttcrawl: reading: words, 50 of 60",
        "ttcrawl: reading: visits",
    ]
    assert told.out == ""


def test_on_a_terminal_a_bar_shows_what_is_read_and_is_gone_at_the_end(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    drawn = b""

    def wait_for(text):
        """A test that waits in vain here is timed out."""
        nonlocal drawn
        while text not in drawn:
            drawn += os.read(ours, 1 << 16)

    with open(theirs, "w") as terminal:
        monkeypatch.setattr(progress.sys, "stderr", terminal)
        with ReadProgress(count().__next__) as reading:
            reading("link graph", 0, 0)
            wait_for(b"reading: link graph")
            reading("words", 7, 60)
            wait_for(b"7/60")
        while not drawn.endswith(b"\x1b[2K"):  # the line is cleared
            drawn += os.read(ours, 1 << 16)
    os.close(ours)


def test_a_continuous_crawl_shows_its_visits(capsys):
    """Its pages are as many as before."""
    shows = Progress("plain", lines_every=0)
    for seconds, visits in ((10.0, 100), (20.0, 150)):
        shows.show(replace(NOW, seconds=seconds, visits=visits))
    assert "1,234,567 pages  0/s  150 visits  5.0/s  12,345,678 queued" in capsys.readouterr().err
    shows = Progress("json", lines_every=0)
    shows.show(replace(NOW, seconds=10.0, visits=0))
    shows.show(replace(NOW, seconds=20.0, visits=5))
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["visits"], figures["visits_per_second"]) == (5, 0.5)
