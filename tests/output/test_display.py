"""What a person and a program see while a crawl runs, on whatever they look at it; nothing there ends a crawl."""

import io
import json
import os
import pty
import re
import sqlite3
import subprocess
import termios
from contextlib import closing
from dataclasses import replace
from itertools import chain, count

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import command, options_for
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.output import display as progress
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.crawl_progress import Progress
from ttcrawl.output.display import ReadProgress

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


def a_terminal():
    written = io.StringIO()
    written.isatty = lambda: True
    return written


FIGURES = ["time", "pages", "pages/s", "requests/s", "queued", "errors", "URLs", "in flight", "hosts locked/waiting"]


@pytest.mark.parametrize(("width", "rows"), [(10, 8), (20, 6), (40, 4), (60, 2), (80, 2), (100, 2), (200, 1)])
def test_figures_fold_at_every_width(monkeypatch, width, rows):
    written = a_terminal()
    monkeypatch.setattr(progress.sys, "stderr", written)
    for name, value in {"COLUMNS": str(width), "LINES": "24", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    Progress("live").show(NOW)
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r", "", written.getvalue())  # without colours and the cursor's moves
    lines = text.strip("\n").split("\n")
    assert len(lines) == 2 * rows and all(len(line) <= width for line in lines)
    assert "…" not in text and lines[0].strip().startswith("86,400 s")
    split = [[each.strip() for each in re.split("  +", line.strip())] for line in lines]
    assert all(len(values) == len(names) for values, names in zip(split[::2], split[1::2], strict=True))
    assert list(chain(*split[1::2])) == FIGURES[: 8 if width == 10 else None]  # the last is wider


def test_a_low_terminal_has_the_first_figures(monkeypatch):
    written = a_terminal()
    monkeypatch.setattr(progress.sys, "stderr", written)
    for name, value in {"COLUMNS": "40", "LINES": "5", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    Progress("live").show(NOW)
    assert "queued" in written.getvalue() and "in flight" not in written.getvalue()


def test_what_is_told_meanwhile_stands_above_the_figures(monkeypatch):
    written = a_terminal()
    monkeypatch.setattr(progress.sys, "stderr", written)
    for name, value in {"COLUMNS": "200", "LINES": "24", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    shows = Progress("live")
    shows.show(NOW)
    figures = written.getvalue().removeprefix("\x1b[?25l").replace("\x1b[K", "")
    progress.tell("a host is slow")
    erased = "\r\x1b[1A\x1b[J"
    drawn = f"\x1b[?25l{figures}{erased}ttcrawl: a host is slow\n{figures}"
    assert written.getvalue().replace("\x1b[K", "") == drawn
    shows.close()
    progress.tell("the end")
    assert written.getvalue().replace("\x1b[K", "").endswith(f"{figures}{erased}\x1b[?25httcrawl: the end\n")


def test_plain_lines_fold_on_a_terminal_only(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    with open(theirs, "w") as terminal, closing(os.fdopen(ours, "rb", buffering=0)) as seen:
        monkeypatch.setattr(progress.sys, "stderr", terminal)
        Progress("plain").show(NOW)
        lines = seen.read(4096).decode().splitlines()
    assert len(lines) > 3 and all(len(line) <= 40 for line in lines)
    piped = io.StringIO()
    monkeypatch.setattr(progress.sys, "stderr", piped)
    Progress("plain").show(NOW)
    assert piped.getvalue().split() == " ".join(lines).split() and piped.getvalue().count("\n") == 1


#: Requests, and those for robots.txt, in the 10 s after a first snapshot -> what the line says.
PACES = {(0, 0): "0.0 requests/s  ", (20, 20): "2.0 requests/s (robots.txt)  ", (21, 20): "2.1 requests/s  "}


@pytest.mark.parametrize(("requests", "robots"), PACES)
def test_requests_per_second_and_the_time_of_robots_txt(capsys, requests, robots):
    shows = Progress("plain")
    for added, robots_added, seconds in ((0, 0, 0), (requests, robots, 10)):
        counts = {"requests": added, "robots_requests": robots_added}
        shows.show(replace(NOW, seconds=NOW.seconds + seconds, **counts))
    assert PACES[requests, robots] in capsys.readouterr().err.splitlines()[-1]


def test_the_first_rates_are_those_of_this_run(capsys):
    """A resumed crawl begins with the pages and seconds of earlier runs."""
    shows = Progress("json", lines_every=5)
    shows.show(replace(NOW, requests=0))
    shows.show(replace(NOW, requests=50, pages=NOW.pages + 40, seconds=NOW.seconds + 10))
    first, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["pages_per_second"], first["requests_per_second"]) == (None, None), "no time has passed"
    assert (last["pages_per_second"], last["requests_per_second"]) == (4, 5)


@pytest.mark.parametrize(
    ("term", "text"),
    [("dumb", " pages  -/s  - requests/s  3 visits  -/s "), ("xterm", r"1,234,567 +- +- +3 +-\s")],
)
def test_no_rate_is_shown_before_time_has_passed(monkeypatch, term, text):
    written = a_terminal()
    monkeypatch.setattr(progress.sys, "stderr", written)
    for name, value in {"COLUMNS": "200", "LINES": "24", "TERM": term}.items():
        monkeypatch.setenv(name, value)
    Progress("auto" if term == "xterm" else "plain").show(replace(NOW, visits=3))
    assert re.search(text, re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", written.getvalue()))


def test_rates_of_visits_are_unknown_where_there_are_none(capsys):
    shows = Progress("json", lines_every=5)
    for seconds in (0, 10):
        shows.show(replace(NOW, seconds=NOW.seconds + seconds))
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["visits_per_second"] is None and last["pages_per_second"] == 0


def test_the_live_rates_are_those_of_the_last_seconds(monkeypatch):
    """Hosts with the same delay are requested together: four of five displays had 0.0, and one the rest."""
    written = a_terminal()
    monkeypatch.setattr(progress.sys, "stderr", written)
    for name, value in {"COLUMNS": "40", "LINES": "24", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    shows = Progress("live")
    for quarter in range(41):
        shows.show(replace(NOW, seconds=quarter / 4, requests=60 * (quarter // 4), queued=quarter))
    display = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r", "", written.getvalue()).split(" s ")
    assert {re.findall(r"(\d+\.\d)\n", each)[0] for each in display[16:]} == {"60.0"}


@pytest.mark.parametrize("inline", some_fast([True, False], False))
def test_requests_are_those_of_table_visit(tmp_path, inline):
    with Web(mesh(["a.test", "b.test"], 4, seed=1)) as web:
        seeds, options = [web.url("a.test", "/")], [*options_for(web), "--scope", "any", "--no-obey-delay"]
        line = command("crawl", *seeds, "-d", tmp_path / "c", *options, "--progress", "json", *["--inline"] * inline)
        out = subprocess.run(line, capture_output=True, timeout=60, check=True).stdout
    last = [json.loads(each) for each in out.splitlines() if each.startswith(b"{")][-1]
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as database:
        query = "SELECT sum(requests), sum(iif(kind = 'robots', requests, 0)) FROM visit"
        assert database.execute(query).fetchone() == (last["requests"], last["robots_requests"])


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
            wait_for(b"7 of 60")
        while not drawn.endswith(b"\x1b[J\x1b[?25h"):  # the line is cleared
            drawn += os.read(ours, 1 << 16)
    os.close(ours)


def test_a_continuous_crawl_shows_its_visits(capsys):
    """Its pages are as many as before."""
    shows = Progress("plain", lines_every=0)
    for seconds, visits in ((10.0, 100), (20.0, 150)):
        shows.show(replace(NOW, seconds=seconds, visits=visits))
    assert "1,234,567 pages  0/s  0.0 requests/s  150 visits  5.0/s  12,345,678 queued" in capsys.readouterr().err
    shows = Progress("json", lines_every=0)
    shows.show(replace(NOW, seconds=10.0, visits=0))
    shows.show(replace(NOW, seconds=20.0, visits=5))
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["visits"], figures["visits_per_second"]) == (5, 0.5)
