"""Progress of a crawl for the user: a live display on a terminal, plain lines elsewhere, JSON lines on request."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from ttcrawl.output.colour import BOLD, NORMAL, takes_escapes
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.disk import Disk
from ttcrawl.output.display import BAR, LINES_EVERY, LIVE_EVERY, UNKNOWN_WIDTH, until_it_fails
from ttcrawl.output.goal import Goal, time_left
from ttcrawl.output.number import counted
from ttcrawl.output.rates import Rates, Recent
from ttcrawl.output.redrawn import Redrawn, bar
from ttcrawl.output.terminal import fold_parts, lines_of, shortened, terminal_height, terminal_width

#: Seconds over which the live display has the rates. Hosts that wait for their delays are requested in bursts.
LIVE_SPAN = 3.0

#: Seconds over which the lasting rate is measured.
MINUTE = 60.0

#: Seconds from which on the request in flight for longest is shown.
SLOW = 1.0

#: Columns between two figures of the live display.
GAP = 3

#: The names below figures (ECMA-48, SGR).
DIM = "\x1b[2m"

PLAIN_GAP = "  "

#: The rates of `Rates` in JSON.
RATES = ("pages", "visits", "requests")

#: How progress is shown: see `Progress`.
Form: TypeAlias = str | Callable[[Snapshot], None]


class Progress:
    """`form` is auto, plain, json or none, or a callback. Call `show` at any rate; it limits the displays by time.
    `also` get every snapshot. `goal`: where the crawl ends; `directory`: it is shown how full its disk is.

    A closed terminal or pipe, or a full disk, does not end a crawl: from then on nothing is shown there.
    """

    def __init__(
        self,
        form: Form,
        lines_every: float = LINES_EVERY,
        also: Sequence[Callable[[Snapshot], None]] = (),
        goal: Goal = Goal(),  # noqa: B008 (it is frozen)
        directory: Path | None = None,
    ) -> None:
        self._also = also
        self._err, self._out = sys.stderr, sys.stdout
        self._call: Callable[[Snapshot], None] | None = None
        if not isinstance(form, str):
            self._call, form = form, "none"
        if form == "auto":
            form = "live" if takes_escapes(self._err) else "plain"
        self._draw: Callable[[Snapshot], None] = {
            "live": self._live_line,
            "plain": self._plain_line,
            "json": self._json_line,
            "none": lambda now: None,
        }[form]
        self._stream = self._out if form == "json" else self._err
        self._every = LIVE_EVERY if form == "live" or self._call else lines_every
        self._shows_end = form == "json" or self._call is not None  # programs need the figures at the end too
        self._shown = self._now = Snapshot()
        self._span = LIVE_SPAN if form == "live" else 0.0
        self._begun: Snapshot | None = None
        self._rates = self._minute = Rates()
        self._goal = goal
        self._disk = Disk(directory, time.monotonic) if directory else None
        self._live = Redrawn(self._err) if form == "live" else None

    def show(self, now: Snapshot) -> None:
        self._now = now
        if self._begun is None:
            self._begun = now
            self._recent, self._lasting = Recent(self._span, now), Recent(MINUTE, now)
        for each in self._also:
            each(now)
        if now.seconds - self._shown.seconds >= self._every:
            self._show()

    def close(self) -> None:
        if self._shows_end and self._now is not self._shown:
            self._show()
        if self._live is not None:
            with until_it_fails(self._err):
                self._live.clear()

    def _show(self) -> None:
        self._rates, self._minute = self._recent.until(self._now), self._lasting.until(self._now)
        self._shown = self._now
        if self._call is not None:
            self._call(self._now)
        with until_it_fails(self._stream):
            self._draw(self._now)

    def _plain_line(self, now: Snapshot) -> None:
        since = self._rates
        parts = [
            f"{now.seconds:8.1f} s",
            f"{counted(now.pages, 'page')}  {_rate(since.pages, digits=0)}/s",
            f"{_rate(since.requests)} requests/s{' (robots.txt)' * since.robots_only}",
            *([] if now.visits is None else [f"{counted(now.visits, 'visit')}  {_rate(since.visits)}/s"]),
            *([] if now.relevant is None else [f"{now.relevant:,} relevant"]),
            f"{now.queued:,} queued",
            f"{now.in_flight} in flight",
            f"hosts: {now.hosts_locked} locked, {now.hosts_waiting} waiting",
            counted(now.errors, "error"),
            *self._rest(now),
        ]
        width = terminal_width(self._err)
        lines = [PLAIN_GAP.join(parts)] if width is None else fold_parts(parts, width, PLAIN_GAP)
        print("\n".join(lines), file=self._err, flush=True)

    def _json_line(self, now: Snapshot) -> None:
        per_second = {f"{name}_per_second": _rounded(getattr(self._rates, name)) for name in RATES}
        print(json.dumps(asdict(now) | per_second), file=self._out, flush=True)

    def _live_line(self, now: Snapshot) -> None:
        assert self._live is not None
        width, height = terminal_width(self._err) or UNKNOWN_WIDTH, terminal_height(self._err) - 1
        rows = _rows(self._figures(now), width)[: max(1, height // 2)]
        lines = [line for row in rows for line in _two_lines(row)]
        rest = [shortened(line, width) for line in fold_parts(self._rest(now), width, PLAIN_GAP)]
        above = [self._bar_line(now, width), *rest]
        self._live.draw([*list(filter(None, above))[: max(0, height - len(lines))], *lines])

    def _bar_line(self, now: Snapshot, width: int) -> str:
        """How much of the crawl is done, if its end is known; what does not fit is left out from its end."""
        assert self._begun is not None
        done = self._goal.done(self._begun, now, self._minute.pages)
        if done is None:
            return ""
        parts = [f"{100 * done.done / done.of:3.0f} %", done.text, time_left(done.left)]
        long = min(BAR, width // 3)
        shown = fold_parts(list(filter(None, parts)), width - long - len(PLAIN_GAP), PLAIN_GAP)[0]
        picture = bar(round(1000 * done.done), round(1000 * done.of), long, self._err.encoding or "ascii")
        return shortened(f"{picture}{PLAIN_GAP}{shown}", width)

    def _rest(self, now: Snapshot) -> list[str]:
        """The rate of the last minute, the disk, and the host of the request that takes longest."""
        minute = self._minute.pages
        return [
            *([] if minute is None else [f"last minute: {minute:,.1f} pages/s"]),
            *([self._disk.text] if self._disk and self._disk.text else []),
            *([f"slowest: {now.slowest_host}, {now.slowest_seconds:.0f} s"] if now.slowest_seconds >= SLOW else []),
        ]

    def _figures(self, now: Snapshot) -> list[tuple[str, str]]:
        """Values and names, the most important first."""
        since = self._rates
        return [
            (f"{now.seconds:,.0f} s", "time"),
            (f"{now.pages:,}", "pages"),
            (_rate(since.pages), "pages/s"),
            (_rate(since.requests), "robots.txt/s" if since.robots_only else "requests/s"),
            *([] if now.visits is None else [(f"{now.visits:,}", "visits"), (_rate(since.visits), "visits/s")]),
            *([] if now.relevant is None else [(f"{now.relevant:,}", "relevant")]),
            (f"{now.queued:,}", "queued"),
            (f"{now.errors:,}", "errors"),
            (f"{now.distinct_urls:,}", "URLs"),
            (f"{now.in_flight:,}", "in flight"),
            (f"{now.hosts_locked:,} / {now.hosts_waiting:,}", "hosts locked/waiting"),
        ]


def _rate(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _rows(figures: Sequence[tuple[str, str]], width: int) -> list[Sequence[tuple[str, str]]]:
    """Fold figures into rows that fit `width`; what is wider alone is left out."""
    fitting = [each for each in figures if _width(each) <= width]
    return [fitting[row] for row in lines_of(list(map(_width, fitting)), width, GAP)]


def _width(figure: tuple[str, str]) -> int:
    return max(map(len, figure))


def _two_lines(figures: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Values, and their names below them."""
    gap = " " * GAP
    values, names = (gap.join(each[line].rjust(_width(each)) for each in figures) for line in (0, 1))
    return f"{BOLD}{values}{NORMAL}", f"{DIM}{names}{NORMAL}"
