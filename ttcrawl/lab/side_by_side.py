"""Trials in several processes at once. Each process reads the record for itself, and a trial is the same in each."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

from ttcrawl.config import Override
from ttcrawl.errors import CrawlFailedError
from ttcrawl.lab.bench import Bench, tried_of
from ttcrawl.lab.curves import Curves
from ttcrawl.ring.fork_server import TO_ALL, starting, without_main
from ttcrawl.snapshot.snapshot import View

#: What all trials share: the directory of the crawl, and settings.
Shared = tuple[Path, tuple[Override, ...]]


def side_by_side(
    shared: Shared, trials: Sequence[tuple[str, int]], processes: int, done: Callable[[int], None]
) -> list[Curves]:
    """Return the curves of trials, (policy as it is written, seed), in their order. `done` is called with their number.

    Raises UsageError, ConfigError, CrawlFailedError.
    """
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(min(processes, len(trials)), context, _begin, (Path.cwd(),)) as pool:
        with without_main(), starting():
            futures = [pool.submit(_curves, shared, *each) for each in trials]
        try:
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                done(number)
        except BrokenProcessPool:
            raise CrawlFailedError(
                "a process with a trial was killed, perhaps as memory was short: try fewer at once with --processes"
            ) from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [each.result() for each in futures]


def _begin(directory: Path) -> None:
    """Names of files are relative to the directory of the command, whose Ctrl-C ends this process without a word."""
    os.chdir(directory)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_ALL)  # which the fork server has blocked


def _curves(shared: Shared, name: str, seed: int) -> Curves:
    return _bench(shared).curves(tried_of(name), seed)


@cache
def _bench(shared: Shared) -> Bench:
    """The record, read once in a process."""
    directory, settings = shared
    return Bench(View(directory), settings)
