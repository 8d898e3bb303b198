"""Commands that take long run beside the window, one at a time, as processes of their own; their output is kept.

A process takes nothing from the threads that answer pages, and its memory is free when it ends.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.steps import Progress
from ttcrawl.window.rendering import command_line
from ttcrawl.window.viewed import Viewed
from ttcrawl.window.working import Item, stamp_of

#: Seconds of an estimate up to which a command runs without being asked for.
SHORT = 10.0

_TURN = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a page says of a command and shows of its output."""

    command: str
    item: Item | None  # None: it has not begun
    seconds: float  # that it takes, estimated
    outdated: bool  # the crawl has changed since it began
    address: str  # of the page
    again: str  # the address that begins it, or begins it again

    @property
    def runs(self) -> bool:
        return self.item is not None and not self.item.over.is_set()

    @property
    def output(self) -> bytes:
        """Empty if there is none."""
        return self.item.result if self.item is not None and self.item.ready else b""


def run(
    request: Request, crawl: Viewed, words: Sequence[str], cost: tuple[float, float], *, offer: bool = False
) -> Shown:
    """The run of `ttcrawl` with these words, which begins if it is short, or if the address demands it.

    `cost`: seconds for any crawl, and for each megabyte of crawl.db. `offer`: it is never begun undemanded.
    """
    work, stamp, key = request.app.state.work, stamp_of(crawl.directory), tuple(words)
    seconds = cost[0] + cost[1] * (crawl.directory / "crawl.db").stat().st_size / 1e6
    query = [pair for pair in request.query_params.multi_items() if pair[0] != "compute"]
    demanded = len(query) < len(request.query_params.multi_items())
    item = work.known(key)
    if demanded or item is not None or (seconds <= SHORT and not offer):
        item = work.item(key, partial(_output, key), stamp=stamp, again=demanded)
    return Shown(
        command=command_line("ttcrawl", *words),
        item=item,
        seconds=seconds,
        outdated=item is not None and item.over.is_set() and item.stamp != stamp,
        address=f"{request.url.path}?{urlencode(query)}".rstrip("?"),
        again=f"{request.url.path}?{urlencode([*query, ('compute', 'yes')])}",
    )


def output(request: Request, words: Sequence[str]) -> bytes:
    """What a command has written. Raises UsageError if it has not run."""
    item = request.app.state.work.known(tuple(words))
    if item is None or not item.ready:
        raise UsageError("this is not computed yet: open its screen first")
    written: bytes = item.result
    return written


def _output(words: Sequence[str], progress: Progress) -> bytes:
    """Raises CrawlFailedError with the last line of the command."""
    progress("it waits for another command", 0, 0)
    last = ""
    with _TURN, tempfile.TemporaryFile() as out:
        command = (sys.executable, "-m", "ttcrawl", *words)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
        atexit.register(process.kill)
        for line in process.stderr or ():
            last = line.decode("utf-8", "replace").strip().removeprefix("ttcrawl: ")
            progress(last.removeprefix("reading: "), 0, 0)
        process.wait()
        atexit.unregister(process.kill)
        out.seek(0)
        written = out.read()
    if process.returncode and not written:  # `check` has a status of its own for problems
        raise CrawlFailedError(last or f"the command has failed with exit status {process.returncode}")
    return written
