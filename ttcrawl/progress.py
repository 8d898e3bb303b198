"""What a user sees while a crawl runs: a live display on a terminal, plain lines elsewhere, JSON lines on request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO

from ttcrawl.shown import shown
from ttcrawl.stats.counters import Snapshot

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

#: Seconds between two displays.
LIVE_EVERY, LINES_EVERY = 0.25, 5.0


class Progress:
    """`form` is auto, plain, json or none. Call `show` as often as you like; it shows when it is time."""

    def __init__(self, form: str, err: TextIO | None = None, out: TextIO | None = None) -> None:
        self._err, self._out = err or sys.stderr, out or sys.stdout
        if form == "auto":
            form = "live" if self._err.isatty() else "plain"
        self._draw: Callable[[Snapshot], None] = {
            "live": self._live_line,
            "plain": self._plain_line,
            "json": self._json_line,
            "none": lambda now: None,
        }[form]
        self._every = LIVE_EVERY if form == "live" else LINES_EVERY
        self._last = Snapshot(**dict.fromkeys(Snapshot.__slots__, 0))
        self._rate = 0.0
        self._live = _live(self._err) if form == "live" else None

    def show(self, now: Snapshot) -> None:
        passed = now.seconds - self._last.seconds
        if passed >= self._every:
            self._rate = (now.pages - self._last.pages) / passed
            self._last = now
            self._draw(now)

    def say(self, text: str) -> None:
        """A line that stays, above the live display where there is one."""
        text = shown(text)
        if self._live is not None:
            self._live.console.print(f"ttcrawl: {text}", markup=False, highlight=False)
        else:
            print(f"ttcrawl: {text}", file=self._err, flush=True)

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()

    def _plain_line(self, now: Snapshot) -> None:
        print(
            f"{now.seconds:8.1f} s  {now.pages:,} pages  {self._rate:,.0f}/s  {now.queued:,} queued  "
            f"{now.in_flight} in flight  hosts: {now.hosts_held} held, {now.hosts_waiting} waiting  "
            f"{now.errors:,} errors",
            file=self._err,
            flush=True,
        )

    def _json_line(self, now: Snapshot) -> None:
        print(json.dumps(asdict(now) | {"pages_per_second": round(self._rate, 2)}), file=self._out, flush=True)

    def _live_line(self, now: Snapshot) -> None:
        assert self._live is not None
        self._live.update(self._table(now), refresh=True)

    def _table(self, now: Snapshot) -> Table:
        from rich.table import Table

        table = Table.grid(padding=(0, 3))
        rows = [
            (f"{now.seconds:,.0f} s", "time"),
            (f"{now.pages:,}", "pages"),
            (f"{self._rate:,.1f}", "pages/s"),
            (f"{now.distinct_urls:,}", "URLs"),
            (f"{now.queued:,}", "queued"),
            (f"{now.in_flight:,}", "in flight"),
            (f"{now.hosts_held:,} / {now.hosts_waiting:,}", "hosts held / waiting"),
            (f"{now.errors:,}", "errors"),
        ]
        for _ in rows:
            table.add_column(justify="right")
        table.add_row(*(f"[bold]{value}" for value, _ in rows))
        table.add_row(*(f"[dim]{name}" for _, name in rows))
        return table


def _live(err: TextIO) -> Live:
    from rich.console import Console
    from rich.live import Live

    live = Live(console=Console(file=err), auto_refresh=False, transient=True)  # no thread of its own
    live.start()
    return live
