"""`ttcrawl mirror --follow`: copy a running crawl in small steps, and the rest when it has ended."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from ttcrawl.ask.progress import Progress
from ttcrawl.engine.mirror import NICENESS, set_session_niceness
from ttcrawl.engine.progress import tell
from ttcrawl.errors import CrawlFailedError
from ttcrawl.export.postgresql import pace
from ttcrawl.export.postgresql.crawl_load import CrawlLoad
from ttcrawl.export.postgresql.pace import Reading
from ttcrawl.export.postgresql.recent import Recent
from ttcrawl.export.postgresql.round import compare
from ttcrawl.export.postgresql.server import Connection, LostConnection, Server
from ttcrawl.export.postgresql.sweep import Sweep
from ttcrawl.export.postgresql.writer import BusyError, copied
from ttcrawl.ring.sizes import processors
from ttcrawl.store.lock import crawled_by

#: Seconds between two copies of what is new, at least, as long as nothing is left over.
PAUSE = 3.0

#: The share of a processor that the search for other differences takes.
SEARCH = 0.02

#: Requests of the first step.
FEW = 5

#: Seconds between two looks at whether the crawl has ended.
LOOK = 0.5

#: Seconds between two attempts to connect, and seconds of them after the crawl has ended.
AGAIN, PATIENCE = 2.0, 300.0


def follow(directory: Path, server: Server, progress: Progress, *, take_over: bool) -> int:
    """Copy until the crawl has ended, and everything is copied; return its number."""
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    load = CrawlLoad(directory, processors())
    _rest(directory, load, pace.started(), pace.read(0))
    if crawled_by(directory):
        set_session_niceness(os.getpid(), NICENESS)
    message, ended = "", 0.0
    while True:
        try:
            begun = replace(pace.read(0), server=0.0)  # the process of a new connection
            with copied(server, directory, take_over=take_over) as (connection, crawl):
                message, ended = "", 0.0
                _rest(directory, load, begun, pace.read(connection.process))
                _beside(directory, connection, crawl, load)
                if _complete(directory, connection, crawl, progress):
                    return crawl
        except (LostConnection, BusyError) as error:
            if not message:
                tell(f"{error}; the crawl is copied as soon as possible")
            message = str(error)
        if not crawled_by(directory):
            ended = ended or time.monotonic()
            if time.monotonic() - ended > PATIENCE:
                raise CrawlFailedError(f"{message}; complete the copy with ttcrawl mirror {directory}") from None
        time.sleep(AGAIN)


def _beside(directory: Path, connection: Connection, crawl: int, load: CrawlLoad) -> None:
    """Copy what a crawl does, until it has ended."""
    recent, sweep = Recent(directory, connection, crawl), Sweep(directory, connection, crawl)
    requests, next_sweep = FEW, 0.0
    while crawled_by(directory):
        begun = pace.read(connection.process)
        step = recent.step(requests)
        after = pace.read(connection.process)
        if step.rest:
            requests = pace.size(requests, pace.work(begun, after))
        elif after.now > next_sweep:
            sweep.step(requests, idle=not pace.busy(begun, after))
            swept = pace.read(connection.process)
            next_sweep = swept.now + pace.work(after, swept) / SEARCH
        _rest(directory, load, begun, pace.read(connection.process), 0.0 if step.rest else PAUSE)


def _complete(directory: Path, connection: Connection, crawl: int, progress: Progress) -> bool:
    """Make the copy equal to a crawl that has ended; return False if it was begun again meanwhile."""
    while not crawled_by(directory):
        if compare(directory, connection, crawl, time.monotonic, progress, lambda: bool(crawled_by(directory))).equal:
            return True
    return False


def _rest(directory: Path, load: CrawlLoad, before: Reading, after: Reading, least: float = 0.0) -> None:
    """Rest after work, for `least` seconds at least, or until the crawl has ended."""
    while crawled_by(directory):
        seconds = max(least, pace.rest(before, after, processors(), light=load.is_light()))
        remaining = after.now + seconds - time.monotonic()
        if remaining <= 0:
            return
        time.sleep(min(LOOK, remaining))
