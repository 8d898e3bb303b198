"""`ttcrawl mirror --follow`: copy a running crawl in small steps, and the rest when it has ended."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from ttcrawl.engine.reporting.following import NICENESS, give_way
from ttcrawl.engine.reporting.mirror import set_session_niceness
from ttcrawl.engine.reporting.mirror_position import write_trouble
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.export.postgresql import pace
from ttcrawl.export.postgresql.crawl_load import CrawlLoad
from ttcrawl.export.postgresql.pace import Reading
from ttcrawl.export.postgresql.recent import Recent
from ttcrawl.export.postgresql.round import Sweep, compare
from ttcrawl.export.postgresql.server import Connection, LostConnection, Server
from ttcrawl.export.postgresql.trouble import Trouble
from ttcrawl.export.postgresql.writer import BusyError, copied
from ttcrawl.output.display import tell
from ttcrawl.output.shell import command_line
from ttcrawl.output.steps import Progress
from ttcrawl.ring.sizes import processors
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.lock import crawled_by

#: Seconds between two copies of what is new, at least, as long as nothing is left over; with a share of the processors.
PAUSE, PAUSE_WITH_SHARE = 3.0, 0.5

#: The share of a processor that the search for other differences takes.
SEARCH = 0.02

#: Requests of the first step.
FEW = 5

#: Seconds between two looks at whether the crawl has ended.
LOOK = 0.5

#: Seconds between two attempts to connect, also to a database that has to be changed first, whose server writes each
#: attempt into its log; and seconds of attempts after the crawl has ended.
AGAIN, AGAIN_WRONG, PATIENCE = 2.0, 30.0, 300.0


def follow(directory: Path, server: Server, progress: Progress, *, take_over: bool) -> int:
    """Copy until the crawl has ended, and everything is copied; return its number."""
    share, parent = _share(directory), os.getppid()
    if not share:
        give_way()
    load = CrawlLoad(directory, processors())
    _rest(directory, load, share, pace.started(), pace.read(0))
    if not share:
        set_session_niceness(os.getpid(), NICENESS if crawled_by(directory) else 0)
    trouble, message, ended, first = Trouble(directory, tell, time.monotonic), "", 0.0, True
    while True:
        again = AGAIN
        try:
            begun = replace(pace.read(0), server=0.0)  # the process of a new connection
            with copied(server, directory, take_over=take_over) as (connection, crawl):
                ended = 0.0
                _rest(directory, load, share, begun, pace.read(connection.process))
                _beside(directory, connection, crawl, load, share, trouble)
                if _complete(directory, connection, crawl, progress):
                    return crawl
        except (LostConnection, UsageError) as error:
            message = str(error)
            if _is_final(error, directory, first=first, orphaned=os.getppid() != parent):
                write_trouble(directory, message)
                raise
            passing = isinstance(error, LostConnection | BusyError)
            trouble.begins(message, passing=passing)
            again = AGAIN if passing else AGAIN_WRONG
        first = False
        if not crawled_by(directory):
            ended = ended or time.monotonic()
            if time.monotonic() - ended > PATIENCE:
                command = command_line("mirror", directory)
                raise CrawlFailedError(f"{message}; complete the copy with {command}") from None
        _sleep(directory, again)


def _is_final(error: Exception, directory: Path, *, first: bool, orphaned: bool) -> bool:
    """Whether no further attempt is made: while a crawl runs, the user may change a database that is wrong."""
    if isinstance(error, BusyError):
        return orphaned  # the crawl that started this process was killed, and continued with another copy
    return isinstance(error, UsageError) and (first or not crawled_by(directory))


def _share(directory: Path) -> float:
    """The share of one processor that the copy takes at least."""
    with view(directory) as db:
        return db.config_or_defaults.postgresql.share


def _beside(
    directory: Path, connection: Connection, crawl: int, load: CrawlLoad, share: float, trouble: Trouble
) -> None:
    """Copy what a crawl does, until it has ended."""
    recent, sweep = Recent(directory, connection, crawl), Sweep(directory, connection, crawl)
    requests, next_sweep = FEW, 0.0
    pause = PAUSE_WITH_SHARE if share else PAUSE
    while crawled_by(directory):
        begun = pace.read(connection.process)
        step = recent.step(requests)
        trouble.ends()
        after = pace.read(connection.process)
        if step.rest:
            requests = pace.size(requests, pace.work(begun, after))
        elif after.now > next_sweep:
            sweep.step(requests, idle=not pace.busy(begun, after))
            swept = pace.read(connection.process)
            next_sweep = swept.now + pace.work(after, swept) / SEARCH
        _rest(directory, load, share, begun, pace.read(connection.process), 0.0 if step.rest else pause)


def _complete(directory: Path, connection: Connection, crawl: int, progress: Progress) -> bool:
    """Make the copy equal to a crawl that has ended; return False if it was begun again meanwhile."""
    while not crawled_by(directory):
        if compare(directory, connection, crawl, time.monotonic, progress, lambda: bool(crawled_by(directory))).equal:
            return True
    return False


def _rest(directory: Path, load: CrawlLoad, share: float, before: Reading, after: Reading, least: float = 0.0) -> None:
    """Rest after work, for `least` seconds at least, or until the crawl has ended."""
    while crawled_by(directory):
        seconds = max(least, pace.rest(before, after, processors(), light=load.is_light(), least=share))
        remaining = after.now + seconds - time.monotonic()
        if remaining <= 0:
            return
        time.sleep(min(LOOK, remaining))


def _sleep(directory: Path, seconds: float) -> None:
    """Sleep until the next attempt, which is soon if the crawl ends."""
    running, end = crawled_by(directory), time.monotonic() + seconds
    while (remaining := end - time.monotonic()) > 0 and crawled_by(directory) == running:
        time.sleep(min(LOOK, remaining))
