"""The crawl process: owner of all state and only writer. take -> send -> receive -> process -> commit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ttcrawl.engine import counter_rows, worker_trouble
from ttcrawl.engine.companion import Companion, overriding
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.idle import Idle
from ttcrawl.engine.intervals import AHEAD, HEARTBEAT, LEAD, LOOK
from ttcrawl.engine.run.growth import next_sample, sample, snapshot
from ttcrawl.engine.settle.unstorable import concerns_all, instead
from ttcrawl.engine.step_progress import StepProgress
from ttcrawl.engine.wiring import wired
from ttcrawl.errors import CrawlFailedError
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.spill import Spill
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.number import counted
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import RESOLVE, Failed, Fetched, Link
from ttcrawl.store.batches import UnstorableError

#: Seeds that are discovered together, of those that may be millions.
SEEDS = 10_000

#: How a run ends that made its visits, and left URLs queued that a limit or the user excludes.
VISITED = "visited"


class Crawl:
    """One run of a crawl. What it does besides crawling is done by companions."""

    def __init__(self, environment: Environment) -> None:
        self._config = environment.config
        self._store = environment.store
        self._ring = environment.ring
        self._clock = environment.clock
        self._look = environment.look
        self._say = environment.say
        self._unstorable = environment.unstorable
        self._tick = environment.tick
        self._continued = environment.recrawl is not None
        self._seconds = float(environment.store.about()["seconds"])  # of earlier runs
        parts = wired(environment)
        self._shared = shared = parts.shared
        self.counters = shared.counters
        self._seen = shared.seen
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._spill = Spill(environment.store, shared.ledger, shared.frontier)
        self._idle = Idle(shared.frontier, environment.say, environment.clock)
        self._jar = parts.jar
        self._hosts = parts.hosts
        self._visits = parts.visits
        self._parse_queue = parts.parse_queue
        self._requests = parts.requests
        self._limits = parts.limits
        self._admission = parts.admission
        self._logins = parts.logins
        self._process = {task: processor.process for task, processor in parts.processors.items()}
        self._companions = parts.companions
        # of each event those who care for it
        self._turns = overriding(parts.companions, Companion.turn)
        self._wakes = overriding(parts.companions, Companion.wakes)
        self._answered = overriding(parts.companions, Companion.answered)
        self._pending = overriding(parts.companions, Companion.pending)
        own = [each for each in parts.companions if each is not environment.peers]
        self._own_pending = overriding(own, Companion.pending)
        self._at_rest = overriding(parts.companions, Companion.at_rest)
        self._before_commit = overriding(parts.companions, Companion.before_commit)
        self._after_commit = overriding(parts.companions, Companion.after_commit)
        self._next_sample = 0
        self._uncommitted = 0
        self._next_look = 0.0
        self._committed_at = self._started = environment.clock()
        self.stopped_by = ""  # "", or the cause for which the crawl ends with work left

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self, seeds: Iterable[Link]) -> None:
        """Crawl until nothing is queued, a limit is reached or `stop` is called.

        Raises CrawlFailedError, and UnstorableError, after which another Crawl can continue from the last commit.
        """
        self.begin(seeds)
        while not self.over():
            self.turn()
        self.finish()

    def begin(self, seeds: Iterable[Link]) -> None:
        """Take up the state of the last commit, and discover the seeds."""
        self._ring.ready()
        self._started = self._committed_at = self._clock()
        ahead = self._store.moments.take_up(self._clock())
        if ahead >= AHEAD:
            self._say(f"the clock was {ahead:,.0f} s ahead in an earlier run: waits are counted from now on")
        for each in self._companions:
            each.prepare(self._step)
        if self._ledger.last_id or self._unstorable:
            self._spill.resume(self._clock())
        for each in self._companions:
            each.begin(self._step)
        waiting = iter(seeds)
        while some := list(islice(waiting, SEEDS)):
            self._ledger.discover(some, None, self._clock())
        self._sample()
        self._conclude()

    def turn(self) -> None:
        """Send what is due, and process what arrives."""
        if self._frontier.asleep and self._frontier.hosts.much_room():
            self._spill.wake_more()
        for turn in self._turns:
            self._uncommitted += turn(self)
        self._send()
        for message, flight in self._ring.receive(self._pause()):
            self._take(message, flight)
            if self._uncommitted >= self._config.store.commit_pages:
                self._commit()
        self._commit_when_due()
        if not self._ring.flights:
            self._idle.tell()
        if self._clock() >= self._next_look:
            self._next_look = self._clock() + LOOK
            self._look(self.snapshot())
        self._conclude()

    def _conclude(self) -> None:
        """Stop at a limit, and let companions add what was left for the end. Raises CrawlFailedError if nothing can be
        requested any more."""
        if limit := self._limits.reached(self._clock() - self._started):
            self.stop(limit)
        if self.at_rest:
            for at_rest in self._at_rest:
                at_rest()
        if not (self._ring.flights or self.over() or self._may_go_on):
            remaining = self._frontier.queued + self._frontier.probing.remaining
            raise CrawlFailedError(f"{counted(remaining, 'URL', 'is', 'are')} queued, but no host will ever be ready")

    def finish(self) -> None:
        """Commit, and let companions do what is done at the end."""
        if self._complete:
            self.stopped_by = VISITED if self._frontier.queued else ""  # else a limit was reached at the end
        self._commit()
        self._look(self.snapshot())
        for each in self._companions:
            each.finish(self._step)
        self._sample()
        self._commit()

    def _step(self, name: str) -> StepProgress:
        return StepProgress(name, self._say, self._clock)

    @property
    def frontier(self) -> Frontier:
        """Hosts and URLs that wait, for those who watch a crawl."""
        return self._frontier

    def stop(self, why: str) -> None:
        """Begin nothing new; what is in flight is still processed."""
        self.stopped_by = self.stopped_by or why

    @property
    def at_rest(self) -> bool:
        """Whether nothing is queued or in flight."""
        return not (self._ring.flights or self._frontier.queued or self._frontier.probing.remaining)

    def over(self) -> bool:
        """Whether the crawl has ended, or stops at once."""
        return not self._ring.flights and (bool(self.stopped_by) or self._complete)

    @property
    def idle(self) -> bool:
        """Whether nothing is left to do but what other rings of a cluster may send."""
        return not self._ring.flights and self._done(self._own_pending)

    @property
    def _complete(self) -> bool:
        """Whether all is done that this run does, and nothing else will come."""
        return self._done(self._pending)

    def _done(self, all_pending: Iterable[Callable[[], bool]]) -> bool:
        queued = self._frontier.queued and not self._frontier.visits_only
        probes = self._frontier.probing.remaining and not self.stopped_by
        return not (queued or probes or any(pending() for pending in all_pending))

    @property
    def _may_go_on(self) -> bool:
        """Whether a host will be ready some time, or something else will come."""
        waits = self._frontier.asleep or self._frontier.next_moment() < float("inf")
        return waits or any(pending() for pending in self._pending)

    def _send(self) -> None:
        while self._may_send:
            due = self._frontier.take(self._clock() + LEAD)
            if due is None:
                return
            turn = self._admission.admitted(due)
            if turn is None:
                self._uncommitted += 1
            else:
                self._ring.launch(self._requests.request(turn, self._clock()), turn)

    @property
    def _may_send(self) -> bool:
        return not (self.stopped_by or not self._ring.room() or self._limits.may_complete(self._ring.flights))

    def _pause(self) -> float:
        """Return the seconds until the next action that no message triggers."""
        now = self._clock()
        moments = [now + self._tick]
        if self._uncommitted:
            moments.append(self._committed_at + self._config.store.commit_seconds)
        if self._may_send:
            moments.append(self._frontier.next_moment() - LEAD)
            moments += [wakes() for wakes in self._wakes]
        return min(moments) - now

    # -- outcomes -------------------------------------------------------------------------------------------------

    def _take(self, message: Any, flight: Flight[Turn] | None) -> None:
        """Process a message, or its replacement if it could not be stored before."""
        if flight is None:
            worker_trouble.note(message, self._store, self._say)
            return
        url = flight.turn.url
        try:
            self._settle(instead(message, self._unstorable[url]) if url in self._unstorable else message, flight)
        except Exception as error:
            if not url or concerns_all(error):
                raise
            raise UnstorableError({url: type(error).__name__}) from error

    def _settle(self, message: Any, flight: Flight[Turn]) -> None:
        turn = flight.turn
        if turn.kind == RESOLVE:
            self._hosts.look_up_ended(turn.host, message)
            self._frontier.end_look_up(turn.host)
            return
        if isinstance(message, Fetched):
            self._jar.take(turn.url, message.set_cookies, message.ended)
            self._visits.ended(flight, message)
            self._parse_queue.add(message)
            return
        if isinstance(message, Failed) and message.stage == "fetch":
            self._visits.ended(flight, message)
        if isinstance(message, Failed) or not message.archived.file:
            turn.host.look_up = turn.host.look_up or flight.request.look_up  # it is not archived
        if self._logins is not None:
            message = self._logins.settle(flight, message)
        task = turn.task if message is not None else None
        if task is not None:
            self._process[type(task)](flight, message)
        if isinstance(task, Queued):
            for answered in self._answered:
                if answered(flight, message):
                    self._uncommitted += self._config.store.commit_pages  # at once
        exchange: Any = flight.fetched or message
        self._frontier.release(turn, exchange.ended, exchange.ended - exchange.started)
        self._visits.released(turn.host)
        self._parse_queue.ended(flight.request.token)
        self._uncommitted += 1
        if self.counters.pages >= self._next_sample:
            self._sample()

    # -- commits --------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        return snapshot(self._now, self._shared, self._ring.flights.values(), continued=self._continued)

    @property
    def _now(self) -> float:
        """Seconds of crawling, with earlier runs."""
        return self._seconds + self._clock() - self._started

    def _sample(self) -> None:
        self._store.answers.add_growth(sample(self._now, self._shared))
        self._next_sample = next_sample(self.counters.pages)

    def _commit_when_due(self) -> None:
        settings, since = self._config.store, self._clock() - self._committed_at
        if (self._uncommitted and since >= settings.commit_seconds) or (self._ring.flights and since >= HEARTBEAT):
            self._commit()

    def _commit(self) -> None:
        """Commit one transaction: outcomes, discovered URLs, visits, and the clock of every host."""
        for before in self._before_commit:
            before()
        self._store.set(
            seconds=round(self._now, 6),
            **counter_rows.rows(self.counters, self._ledger, self._frontier, self._seen.figures),
            in_flight=json.dumps({"at": self._clock(), "urls": self._ring.in_flight()}),
            clock=self._clock(),
        )
        self._store.cookies.change(*self._jar.changed())
        self._store.set_archive(self._ring.archived())
        self._store.commit()
        for after in self._after_commit:
            after()
        if self._seen.due(self._ledger.last_id):
            self._seen.save(self._store.seen_file, self._ledger.last_id)
        if self._store.disk_left() < self._config.crawl.min_disk:
            self.stop("min_disk")
        self._uncommitted, self._committed_at = 0, self._clock()
