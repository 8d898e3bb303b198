"""How much of a crawl is done, and what its display shows of that, of the last minute, the disk and slow hosts."""

import io
import re

import pytest

from ttcrawl.output import display
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.crawl_progress import Progress
from ttcrawl.output.goal import Goal

BEGUN = Snapshot(seconds=100, fetched=10)
NOW = Snapshot(seconds=130, fetched=25, in_scope=90, queued=30, pages=25)


@pytest.mark.parametrize(
    ("goal", "rate", "text", "left"),
    [
        (Goal(), 1.0, None, None),
        (Goal(pages=100), 5.0, "25 of 100 pages", 15.0),
        (Goal(pages=100), None, "25 of 100 pages", None),
        (Goal(pages=100), 0.0, "25 of 100 pages", None),
        (Goal(pages=20), 1.0, "20 of 20 pages", 0.0),  # those in flight come after the limit
        (Goal(seconds=60), None, "30 of 60 s", 30.0),  # of this run
        (Goal(listed=True), 3.0, "60 of 90 listed URLs", 10.0),
        (Goal(pages=100, seconds=60), 1.0, "30 of 60 s", 30.0),  # what ends first
        (Goal(pages=30, seconds=600), 1.0, "25 of 30 pages", 5.0),
    ],
)
def test_what_is_done_and_left(goal, rate, text, left):
    done = goal.done(BEGUN, NOW, rate)
    assert (done and done.text, done and done.left) == (text, left)


def test_no_end_is_known_before_a_sitemap_is_read():
    assert Goal(listed=True).done(Snapshot(), Snapshot(), None) is None


@pytest.fixture
def screen(monkeypatch, tmp_path):
    """Shows snapshots on a terminal of some width, and returns what each added."""
    written = io.StringIO()
    written.isatty = lambda: True
    monkeypatch.setattr(display.sys, "stderr", written)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "24")
    shows = Progress("live", goal=Goal(pages=100), directory=tmp_path)

    def show(width, **figures):
        monkeypatch.setenv("COLUMNS", str(width))
        before = len(written.getvalue())
        shows.show(Snapshot(**figures))
        return written.getvalue()[before:]

    return show


def plain(drawn):
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r", "", drawn)


def test_the_display(screen):
    screen(100, seconds=1, pages=0)
    drawn = plain(screen(100, seconds=11, pages=50, fetched=50, slowest_host="slow.test", slowest_seconds=12.4))
    assert re.search(r"^[━#]{15}[╌-]{15}   50 %  50 of 100 pages  10 s left$", drawn, re.MULTILINE)
    assert re.search(r"^last minute: 5\.0 pages/s  disk 0 B, .* free  slowest: slow\.test, 12 s$", drawn, re.MULTILINE)


@pytest.mark.parametrize("width", [8, 20, 33, 50, 200])
def test_every_line_fits(screen, width):
    screen(width, seconds=1)
    drawn = screen(width, seconds=11, pages=50, fetched=50, slowest_host="slow.test" * 9, slowest_seconds=12.4)
    assert all(len(line) <= width for line in plain(drawn).split("\n"))


def test_nothing_flickers(screen):
    """A line is erased as it is written again; the screen is erased when its lines no longer fit."""
    screen(80, seconds=1)
    screen(80, seconds=2)
    assert "\x1b[J" not in screen(80, seconds=3)
    assert "\x1b[J" in screen(60, seconds=4)


def test_a_terminal_that_became_narrower_has_wrapped_the_lines(screen):
    screen(80, seconds=1)
    rows = plain(screen(80, seconds=2)).split("\n")
    up = int(re.search(r"\x1b\[(\d+)A", screen(30, seconds=3))[1])
    assert up == sum(-(-len(row) // 30) for row in rows) - 1
