"""Progress of a crawl for the user: a live display on a terminal, plain lines elsewhere, JSON lines on request."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO, TypeAlias

from ttcrawl.engine.counters import Snapshot
from ttcrawl.vocabulary.number import counted
from ttcrawl.web.untrusted import escape_untrusted

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress as Bar
    from rich.table import Table

#: Seconds between two displays.
LIVE_EVERY, LINES_EVERY = 0.25, 5.0

#: Columns between two figures of the live display.
GAP = 3


#: TERM of terminals that cannot redraw lines.
DUMB = ("dumb", "unknown")


def tell(text: str) -> None:
    """Print a line for the user on stderr."""
    with _whoever_reads(sys.stderr):
        print(f"ttcrawl: {escape_untrusted(text)}", file=sys.stderr, flush=True)


#: How progress is shown: see `Progress`.
Form: TypeAlias = str | Callable[[Snapshot], None]


class Progress:
    """`form` is auto, plain, json or none, or a callback. Call `show` at any rate; it limits the displays by time.
    `also` get every snapshot.

    A closed terminal or pipe, or a full disk, does not end a crawl: from then on nothing is shown there.
    """

    def __init__(
        self, form: Form, lines_every: float = LINES_EVERY, also: Sequence[Callable[[Snapshot], None]] = ()
    ) -> None:
        self._also = also
        self._err, self._out = sys.stderr, sys.stdout
        self._call: Callable[[Snapshot], None] | None = None
        if not isinstance(form, str):
            self._call, form = form, "none"
        if form == "auto":
            form = "live" if _draws(self._err) else "plain"
        self._draw: Callable[[Snapshot], None] = {
            "live": self._live_line,
            "plain": self._plain_line,
            "json": self._json_line,
            "none": lambda now: None,
        }[form]
        self._stream = self._out if form == "json" else self._err
        self._every = LIVE_EVERY if form == "live" or self._call else lines_every
        self._shows_end = form == "json" or self._call is not None  # programs need the figures at the end too
        self._shown = self._now = Snapshot(**dict.fromkeys(Snapshot.__slots__, 0))
        self._rate = self._visit_rate = 0.0
        self._live = _live(self._err) if form == "live" else None

    def show(self, now: Snapshot) -> None:
        self._now = now
        for each in self._also:
            each(now)
        if now.seconds - self._shown.seconds >= self._every:
            self._show()

    def say(self, text: str) -> None:
        """Print a line that stays, above the live display if there is one."""
        if self._live is None:
            tell(text)
            return
        with _whoever_reads(self._err):
            self._live.console.print(f"ttcrawl: {escape_untrusted(text)}", markup=False, highlight=False)

    def close(self) -> None:
        if self._shows_end and self._now is not self._shown:
            self._show()
        if self._live is not None:
            with _whoever_reads(self._err):
                self._live.stop()

    def _show(self) -> None:
        passed = self._now.seconds - self._shown.seconds
        self._rate = (self._now.pages - self._shown.pages) / passed if passed else 0.0
        visits = (self._now.visits or 0) - (self._shown.visits or 0)
        self._visit_rate = visits / passed if passed else 0.0
        self._shown = self._now
        if self._call is not None:
            self._call(self._now)
        with _whoever_reads(self._stream):
            self._draw(self._now)

    def _plain_line(self, now: Snapshot) -> None:
        print(
            f"{now.seconds:8.1f} s  {counted(now.pages, 'page')}  {self._rate:,.0f}/s  "
            f"{'' if now.visits is None else f'{now.visits:,} visits  {self._visit_rate:,.1f}/s  '}"
            f"{'' if now.relevant is None else f'{now.relevant:,} relevant  '}{now.queued:,} queued  "
            f"{now.in_flight} in flight  hosts: {now.hosts_locked} locked, {now.hosts_waiting} waiting  "
            f"{counted(now.errors, 'error')}",
            file=self._err,
            flush=True,
        )

    def _json_line(self, now: Snapshot) -> None:
        rates = {"pages_per_second": round(self._rate, 2), "visits_per_second": round(self._visit_rate, 2)}
        print(json.dumps(asdict(now) | rates), file=self._out, flush=True)

    def _live_line(self, now: Snapshot) -> None:
        assert self._live is not None
        self._live.update(self._table(now), refresh=True)

    def _table(self, now: Snapshot) -> Table:
        """Return a table of the figures that fit the width of the terminal, the most important first."""
        assert self._live is not None
        from rich.table import Table

        figures = [
            (f"{now.seconds:,.0f} s", "time"),
            (f"{now.pages:,}", "pages"),
            (f"{self._rate:,.1f}", "pages/s"),
            *([] if now.visits is None else [(f"{now.visits:,}", "visits"), (f"{self._visit_rate:,.1f}", "visits/s")]),
            *([] if now.relevant is None else [(f"{now.relevant:,}", "relevant")]),
            (f"{now.queued:,}", "queued"),
            (f"{now.errors:,}", "errors"),
            (f"{now.distinct_urls:,}", "URLs"),
            (f"{now.in_flight:,}", "in flight"),
            (f"{now.hosts_locked:,} / {now.hosts_waiting:,}", "hosts locked/waiting"),
        ]
        width = self._live.console.width + GAP
        fitting = []
        for value, name in figures:
            width -= max(len(value), len(name)) + GAP
            if width < 0:
                break
            fitting.append((value, name))
        table = Table.grid(padding=(0, GAP, 0, 0))
        for _ in fitting:
            table.add_column(justify="right", no_wrap=True)
        table.add_row(*(f"[bold]{value}" for value, _ in fitting))
        table.add_row(*(f"[dim]{name}" for _, name in fitting))
        return table


class ReadProgress:
    """Progress of a command that reads a crawl: a bar on a terminal, removed at the end, else a line every 5 s.

    Call it with the name of the step, the count done, and the total; 0: without a total.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._err, self._clock = sys.stderr, clock
        self._bar = _bar(self._err) if _draws(self._err) else None
        self._task = self._bar.add_task("", total=None) if self._bar else None
        self._last_report = clock()

    def __enter__(self) -> ReadProgress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            with _whoever_reads(self._err):
                self._bar.stop()

    def __call__(self, step: str, done: int, of: int) -> None:
        every = LIVE_EVERY if self._bar else LINES_EVERY
        if done and self._clock() - self._last_report < every:
            return
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=f"reading: {step}", completed=done, total=of or None)
        elif self._clock() - self._last_report >= every:
            tell(f"reading: {step}" + (f", {done:,} of {of:,}" if of else ""))
        else:
            return
        self._last_report = self._clock()


def _draws(stream: TextIO) -> bool:
    """Whether this is a terminal that can redraw lines."""
    return stream.isatty() and os.environ.get("TERM") not in DUMB


def _bar(err: TextIO) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    bar = Progress(*columns, console=Console(file=err), transient=True)
    bar.start()
    return bar


@contextlib.contextmanager
def _whoever_reads(stream: TextIO) -> Iterator[None]:
    """Discard output after a write error, here and from then on."""
    try:
        yield
    except OSError:
        with contextlib.suppress(OSError):  # a stream of Python's own has no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _live(err: TextIO) -> Live:
    from rich.console import Console
    from rich.live import Live

    live = Live(console=Console(file=err), auto_refresh=False, transient=True)  # without a thread
    live.start()
    return live
