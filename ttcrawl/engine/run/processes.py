"""What the processes of a run share: the slots of their answers, and the ring."""

from __future__ import annotations

import json
import socket
import time

from ttcrawl.engine.run import directory
from ttcrawl.engine.run.archive import run_of
from ttcrawl.engine.run.job import Job
from ttcrawl.errors import UsageError
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.flight import Launcher
from ttcrawl.ring.host_clocks import SIZE
from ttcrawl.ring.limits import allow_files
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.ring.pools import Ring, WorkerArguments
from ttcrawl.ring.sizes import SPARE, fetchers, in_flight, most_parsers
from ttcrawl.ring.slots import Slots
from ttcrawl.store.sqlite import Store
from ttcrawl.web.scope import Scope


def slots_of(job: Job) -> Slots:
    """Create slots for all answers that are in flight or wait to be parsed. Raises UsageError if there is no room."""
    crawl = job.config.crawl
    allow_files(1 if job.inline else fetchers(crawl) + most_parsers(crawl), in_flight(job.config))
    count = 1 if job.inline else fetchers(crawl) * in_flight(job.config) + crawl.data_queue
    size = HEAD_ROOM + job.config.fetch.max_body + (job.config.browser.max_bytes if job.config.browser.on else 0)
    try:
        if not job.config.browser.on or entrance_of(job) is not None:
            return Slots(count, size)
        return Slots(count, size, SIZE, job.membership.host_clocks() if job.membership else None)
    except (OSError, ValueError, OverflowError) as error:
        raise UsageError(
            f"no room for {count} responses of {size:,} bytes ({error}): lower crawl.threads, crawl.data_queue or"
            " fetch.max_body, or raise the limit on the size of a file or of memory (ulimit -f, -v)"
        ) from error


def entrance_of(job: Job) -> socket.socket | None:
    """Return where fetch processes with browsers ask for hosts; None: they share a table of them."""
    return job.membership.entrance if job.membership else None


def ring_of(job: Job, store: Store, slots: Slots, scope: Scope, clock: SteadyClock) -> Launcher[Turn]:
    """Return the ring of a run that begins now."""
    config, archive = job.config, job.directory / "warc"
    granted = frozenset((name, address) for name, address in json.loads(store.about().get("allowed", "[]")))
    series = 1 if job.inline else most_parsers(config.crawl) + SPARE
    run = run_of(job.directory, store.about()["run"], config, job.seeds, time.time(), ring=job.membership is not None)
    positions = directory.positions(store.archive(), series, run)
    if job.inline:
        from ttcrawl.engine.inline import InlineRing  # imports the modules of fetch and parse processes

        return InlineRing(config, scope.widest(), archive, positions[0], clock, slots, granted)
    alarms = job.membership.alarms if job.membership else ()
    arguments = WorkerArguments(
        config=config,
        scope=scope.widest(),
        archive=archive,
        clock=clock,
        slots=slots,
        granted=granted,
        entrance=entrance_of(job),
    )
    return Ring(arguments, positions, alarms=alarms)
