"""Commands that take long run as processes of their own, one at a time; their output is kept.

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
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.jobs.threads import Item, Work
from ttcrawl.output.shell import command_line
from ttcrawl.output.steps import Progress
from ttcrawl.store.stamp import stamp_of

#: Seconds of an estimate up to which a command runs without being asked for.
SHORT = 10.0

_TURN = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What people are told of a command, and its output."""

    command: str
    item: Item | None  # None: it has not begun
    seconds: float  # that it takes, estimated
    outdated: bool  # the crawl has changed since it began

    @property
    def runs(self) -> bool:
        return self.item is not None and not self.item.over.is_set()

    @property
    def output(self) -> bytes:
        """Empty if there is none."""
        return self.item.result if self.item is not None and self.item.ready else b""


def run(
    work: Work,
    directory: Path,
    words: Sequence[str],
    cost: tuple[float, float],
    *,
    demanded: bool = False,
    offer: bool = False,
) -> Run:
    """The run of `ttcrawl` with these words over a crawl, which begins if it is short, or `demanded`.

    `cost`: seconds for any crawl, and for each megabyte of crawl.db. `offer`: it is never begun undemanded.
    """
    stamp, key = stamp_of(directory), tuple(words)
    seconds = cost[0] + cost[1] * (directory / "crawl.db").stat().st_size / 1e6
    item = work.known(key)
    if demanded or item is not None or (seconds <= SHORT and not offer):
        item = work.item(key, partial(_output, key), stamp=stamp, again=demanded)
    outdated = item is not None and item.over.is_set() and item.stamp != stamp
    return Run(command=command_line(*words), item=item, seconds=seconds, outdated=outdated)


def output(work: Work, words: Sequence[str]) -> bytes:
    """What a command has written; empty if it has not run."""
    item = work.known(tuple(words))
    return item.result if item is not None and item.ready else b""


def _output(words: Sequence[str], progress: Progress) -> bytes:
    """Raises CrawlFailedError with the last line of the command."""
    progress("it waits for another command", 0, 0)
    last = ""
    with _TURN, tempfile.TemporaryFile() as out:
        command = (sys.executable, "-m", "ttcrawl", *words)
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE) as process:
            atexit.register(process.kill)
            for line in process.stderr or ():
                last = line.decode("utf-8", "replace").strip().removeprefix("ttcrawl: ")
                progress(last.removeprefix("reading: "), 0, 0)
        atexit.unregister(process.kill)
        out.seek(0)
        written = out.read()
    if process.returncode and not written:  # `check` has a status of its own for problems
        raise CrawlFailedError(last or f"the command has failed with exit status {process.returncode}")
    return written
