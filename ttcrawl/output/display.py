"""What all commands say on stderr: lines for the user, and how far the reading of a crawl is."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import ClassVar, TextIO

from ttcrawl.output.colour import painted, takes_escapes
from ttcrawl.output.redrawn import Redrawn, bar, print_line
from ttcrawl.output.terminal import shortened, terminal_width
from ttcrawl.output.untrusted import escape_untrusted

#: Seconds between two displays.
LIVE_EVERY, LINES_EVERY = 0.25, 5.0

#: Columns of a terminal that does not know.
UNKNOWN_WIDTH = 80

#: Columns of a bar.
BAR = 30


def tell(text: str, style: str = "") -> None:
    """Print a line for the user on stderr. `style`: of its beginning, for an error."""
    with until_it_fails(sys.stderr):
        print_line(f"{painted('ttcrawl:', style, sys.stderr)} {escape_untrusted(text)}", sys.stderr)


def remark(text: str) -> None:
    """As `tell`, unless the user wants to read nothing but errors."""
    if not ReadProgress.quiet:
        tell(text)


class ReadProgress:
    """Progress of a command that reads a crawl: a bar on a terminal, removed at the end, else a line every 5 s.

    Call it with the name of the step, the count done, and the total; 0: without a total.
    """

    #: Whether nothing is shown, by --quiet.
    quiet: ClassVar[bool] = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._err, self._clock = sys.stderr, clock
        self._live = Redrawn(self._err) if takes_escapes(self._err) else None
        self._begun = self._last_report = clock()

    def __enter__(self) -> ReadProgress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            with until_it_fails(self._err):
                self._live.clear()

    def __call__(self, step: str, done: int, of: int) -> None:
        passed = self._clock() - self._last_report
        if self.quiet or (done and passed < (LIVE_EVERY if self._live else LINES_EVERY)):
            return
        if self._live is not None:
            with until_it_fails(self._err):
                self._live.draw([self._bar(step, done, of)])
        elif passed >= LINES_EVERY:
            tell(f"reading: {step}" + (f", {done:,} of {of:,}" if of else ""))
        else:
            return
        self._last_report = self._clock()

    def _bar(self, step: str, done: int, of: int) -> str:
        parts = [f"reading: {step}"]
        if of:
            parts += [bar(done, of, BAR, self._err.encoding), f"{done:,} of {of:,}"]
        parts.append(f"{self._clock() - self._begun:.0f} s")
        return shortened("  ".join(parts), terminal_width(self._err) or UNKNOWN_WIDTH)


@contextlib.contextmanager
def until_it_fails(stream: TextIO) -> Iterator[None]:
    """Discard output after a write error, here and from then on."""
    try:
        yield
    except OSError:
        with contextlib.suppress(OSError):  # a stream of Python's own has no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
