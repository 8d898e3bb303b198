"""The crawl process: owner of all state and only writer. take -> send -> receive -> process -> commit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from ttcrawl.config import Config
from ttcrawl.engine import counter_rows
from ttcrawl.engine.admission import Admission
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.engine.idle import Idle
from ttcrawl.engine.intervals import AHEAD, HEARTBEAT, LEAD, LOOK, TICK
from ttcrawl.engine.limits import Limits
from ttcrawl.engine.peers import Alone, Peers
from ttcrawl.engine.recrawl.recrawling import Recrawling
from ttcrawl.engine.recrawl.recrawls import VISITED, Recrawl
from ttcrawl.engine.requests import Requests
from ttcrawl.engine.requisites import require_earlier
from ttcrawl.engine.run.growth import next_sample, sample, snapshot
from ttcrawl.engine.settle import HostSettler, ParseQueue, ProbeSettler, Soft404Marker, StepProgress, UrlSettler, Visits
from ttcrawl.engine.settle.unstorable import blamed, instead
from ttcrawl.engine.shared import shared_parts
from ttcrawl.engine.topic import take_up as topic
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.errors import CrawlFailedError
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host, Queued
from ttcrawl.frontier.spill import Spill
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.number import counted
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Flight, Launcher
from ttcrawl.ring.messages import RESOLVE, Broken, Failed, Fetched, Link, Page, Trouble
from ttcrawl.store.sqlite import Store
from ttcrawl.web.cookies.jar import Jar

#: Seeds that are discovered together, of those that may be millions.
SEEDS = 10_000


class Crawl:
    """One run of a crawl. `look` is called with a snapshot now and then and at the end, `say` with messages.

    `unstorable`: URLs whose outcome an earlier Crawl could not store, and why. `tick`: see TICK. `held_back`: see
    ttcrawl.engine.topic.recall; only with a target. `recrawl`: URLs are visited again; None: they are not. `peers`: the
    other rings of a cluster.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        ring: Launcher[Turn],
        clock: Clock,
        look: Callable[[Snapshot], None],
        say: Callable[[str], None],
        bounds: Bounds,
        unstorable: Mapping[str, str] | None = None,
        tick: float = TICK,
        held_back: Sequence[str] = (),
        recrawl: Recrawl | None = None,
        peers: Peers | None = None,
    ) -> None:
        self._config = config
        self._store = store
        self._ring = ring
        self._clock = clock
        self._look = look
        self._say = say
        self._unstorable = unstorable or {}
        self._tick = tick
        about = store.about()
        self._seconds = float(about["seconds"])  # of earlier runs
        shared = shared_parts(config, store, clock, bounds, self._forget)
        self.counters = shared.counters
        self._seen = shared.seen
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._spill = Spill(store, self._ledger, self._frontier)
        self._originals = Originals(store, config.duplicates)
        self._ledger.on_nearer = self._originals.nearer
        self._repeats = Repeats(store, config.duplicates, about.get("seeds", ""))
        self._jar = Jar(config.fetch.cookies, store.cookies.all())
        self._urls = UrlSettler(shared, self._jar, self._originals, self._repeats, say)
        self._hosts = HostSettler(shared)
        self._probes = ProbeSettler(shared, bounds.everywhere)
        self._recrawls = Recrawling(shared, self._urls, self._originals, recrawl)
        self._admission = Admission(
            shared, self._urls, self._hosts, self._probes, self._recrawls, self._repeats, bounds.again
        )
        self._visits = Visits(shared)
        behavior = {"exact": config.duplicates.exact, "parse_all": bool(config.hooks.page) or config.topic.on}
        self._parse_queue = ParseQueue(self._originals.identical, ring.read, **behavior)
        self._requests = Requests(self._jar, config.fetch.retries, self._recrawls.plan, scripts=config.browser.on)
        self._next_sample = 0
        self._uncommitted = 0
        self._next_look = 0.0
        recall = TargetRecall(held_back, config.topic, store) if held_back else None
        self._limits = Limits(config.crawl, self.counters, recall, self._frontier, recrawl)
        self._idle = Idle(self._frontier, say, clock)
        self._committed_at = self._started = clock()
        self._peers = peers or Alone()
        self._peers.join(store, self._ledger, bounds, config, clock, self.stop)
        if self._ledger.relay is not None:
            self._ledger.relay.settler = self._hosts
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
        subject = topic.TakeUp(self._store, self._ledger, self._config, self._step)
        subject.scores()
        if self._ledger.last_id or self._unstorable:
            self._spill.resume(self._clock())
            self._probes.resume()
        require_earlier(self._store, self._ledger, wanted=self._config.links.page_requisites)
        subject.links()
        self._recrawls.take_up(self._say)
        waiting = iter(seeds)
        while some := list(islice(waiting, SEEDS)):
            self._ledger.discover(some, None, self._clock())
        self._sample()

    def turn(self) -> None:
        """Send what is due, and process what arrives."""
        self._uncommitted += self._peers.turn(self.counters, at_rest=self.at_rest)
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

    def finish(self) -> None:
        """Commit, and mark duplicates and soft 404s."""
        self._commit()
        self._look(self.snapshot())
        self._originals.settle(self._step("marking duplicates"))
        Soft404Marker(self._config.duplicates, self._store, self._step("marking soft 404s")).run()
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
        if limit := self._limits.reached(self._clock() - self._started):
            self.stop(limit)
        if self._ring.flights:
            return False
        if self.at_rest:
            self._urls.redirected.look()
        if self._peers.finished is not None and self.at_rest:
            return self._peers.finished or bool(self.stopped_by)
        remaining = self._frontier.probing.remaining
        visits = not self._recrawls.over
        if visits and not self.stopped_by:
            return False
        waiting = self._frontier.queued and not self._frontier.visits_only
        if not waiting and not visits and (self.stopped_by or not remaining):
            self.stopped_by = VISITED if self._frontier.queued else ""  # else a limit was reached at the end
            return True
        waits = self.stopped_by or self._frontier.asleep or self._peers.finished is not None  # for an address
        if not waits and self._frontier.next_moment() == float("inf"):
            raise CrawlFailedError(
                f"{counted(self._frontier.queued + remaining, 'URL', 'is', 'are')} queued,"
                " but no host will ever be ready"
            )
        return bool(self.stopped_by)

    def _send(self) -> None:
        if self._frontier.asleep and self._frontier.hosts.much_room():
            self._spill.wake_more()
        if not self.stopped_by:
            self._recrawls.look()
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
            moments.append(self._recrawls.next_look)
        return min(moments) - now

    # -- outcomes -------------------------------------------------------------------------------------------------

    def _take(self, message: Any, flight: Flight[Turn] | None) -> None:
        """Process a message, or its replacement if it could not be stored before."""
        if flight is None:
            self._hear(message)
            return
        url = flight.turn.url
        with blamed(url):
            self._settle(instead(message, self._unstorable[url]) if url in self._unstorable else message, flight)

    def _hear(self, message: Broken | Trouble) -> None:
        if isinstance(message, Broken):
            raise CrawlFailedError(message.message)
        self._say(message.message)
        self._store.set(trouble=message.message)

    def _settle(self, message: Any, flight: Flight[Turn]) -> None:
        if flight.turn.kind == RESOLVE:
            self._hosts.look_up_ended(flight.turn.host, message)
            self._frontier.end_look_up(flight.turn.host)
            return
        if isinstance(message, Fetched):
            self._jar.take(flight.turn.url, message.set_cookies, message.ended)
            self._visits.ended(flight, message)
            self._parse_queue.add(message)
            return
        if isinstance(message, Failed) and message.stage == "fetch":
            self._visits.ended(flight, message)
        turn = flight.turn
        if isinstance(message, Failed) or (isinstance(message, Page) and not message.archived.file):
            turn.host.look_up = turn.host.look_up or flight.request.look_up  # it is not archived
        if turn.asker is not None:
            self._hosts.robots(turn.asker, flight, message)
        elif turn.queued is not None and turn.queued.visit is not None:
            self._recrawls.answered(turn.host, turn.queued, flight, message)
        elif turn.queued is not None:
            self._url(turn.host, turn.queued, flight, message)
        elif turn.probe is not None:
            self._probes.settle(turn.host, turn.probe, flight, message)
        exchange = flight.fetched or message
        self._frontier.release(turn, exchange.ended, exchange.ended - exchange.started)
        self._visits.released(turn.host)
        self._parse_queue.ended(message.token)
        self._uncommitted += 1
        if self.counters.pages >= self._next_sample:
            self._sample()

    def _url(self, host: Host, queued: Queued, flight: Flight[Turn], message: Any) -> None:
        """Process the outcome of a URL that was queued."""
        self._urls.url(host, queued, flight, message)
        self._limits.processed(queued.url)
        self._recrawls.first(queued, flight, message)
        if self._probes.plan(host, queued):
            # at once: otherwise the URLs are different ones after a kill
            self._uncommitted += self._config.store.commit_pages

    def _forget(self, host: Host) -> None:
        """Store the state of a host that leaves memory."""
        self._visits.forget(host)
        self._ledger.forget(host)

    # -- commits --------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        counters, in_flight = (self.counters, self._ledger, self._frontier), len(self._ring.flights)
        topical, continued = self._config.topic.on, self._recrawls.continued
        return snapshot(self._now, *counters, in_flight=in_flight, topical=topical, continued=continued)

    @property
    def _now(self) -> float:
        """Seconds of crawling, with earlier runs."""
        return self._seconds + self._clock() - self._started

    def _sample(self) -> None:
        self._store.answers.add_growth(sample(self._now, self.counters, self._ledger, self._frontier))
        self._next_sample = next_sample(self.counters.pages)

    def _commit_when_due(self) -> None:
        settings, since = self._config.store, self._clock() - self._committed_at
        if (self._uncommitted and since >= settings.commit_seconds) or (self._ring.flights and since >= HEARTBEAT):
            self._commit()

    def _commit(self) -> None:
        """Commit one transaction: outcomes, discovered URLs, visits, and the clock of every host."""
        for each in (self._visits, self._repeats, self._recrawls, self._urls.redirected):
            each.keep()
        self._store.set(
            seconds=round(self._now, 6),
            **counter_rows.rows(self.counters, self._ledger, self._frontier, self._seen.figures),
            in_flight=json.dumps({"at": self._clock(), "urls": self._ring.in_flight()}),
            clock=self._clock(),
        )
        self._store.cookies.change(*self._jar.changed())
        self._peers.pack()
        self._store.set_archive(self._ring.archived())
        self._store.commit()
        self._peers.deliver()
        if self._seen.due(self._ledger.last_id):
            self._seen.save(self._store.seen_file, self._ledger.last_id)
        if self._store.disk_left() < self._config.crawl.min_disk:
            self.stop("min_disk")
        self._uncommitted, self._committed_at = 0, self._clock()
