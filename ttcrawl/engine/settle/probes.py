"""Which hosts get requests for URLs that cannot exist, and their answers."""

from __future__ import annotations

import random
from itertools import groupby
from operator import itemgetter

from ttcrawl.engine.companion import Companion, Step
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.bounds import ScopeAt
from ttcrawl.frontier.host import Probe
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.retry import again_after
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.read.fingerprints import soft404
from ttcrawl.ring import messages
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Failed
from ttcrawl.vocabulary.reason import HTTP, NONE, Code, filled
from ttcrawl.web.url import host as host_of

#: Probes per host.
PROBES = 3

#: Random bits in the name of each: no page has such a name.
BITS = 64

#: Retries of a probe without an answer.
RETRIES = 1


class ProbeSettler(Companion):
    """`everywhere` returns the scope of a URL."""

    def __init__(self, shared: Shared, everywhere: ScopeAt | None) -> None:
        self._settings, self._fetch = shared.config.duplicates, shared.config.fetch
        self._store, self._table = shared.store, shared.store.soft_404s
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._counters = shared.counters
        self._clock = shared.clock
        self._everywhere = everywhere

    # -- planning ---------------------------------------------------------------------------------------------------

    def begin(self, step: Step) -> None:
        """Schedule probes that earlier runs did not request."""
        due = self._table.due() if self._settings.soft_404 else []
        for (site, name), rows in groupby(due, key=itemgetter(0, 1)):
            probes = [Probe(id=id, url=url, attempts=attempts) for _, _, id, url, attempts in rows]
            self._frontier.probe(self._ledger.host(name, site), probes)

    def answered(self, flight: Flight[Turn], outcome: object) -> bool:
        """Plan probes after a URL of a host was processed; return whether there are new ones, which must be committed:
        otherwise the URLs are different ones after a kill.

        Scope applies to them, because it is the user's choice; robots.txt applies when their turn comes.
        """
        host, queued = flight.turn.host, flight.turn.queued
        if host.probed or not 0 < self._settings.soft_404 < host.fetched:
            return False
        host.probed = True
        if queued is None or self._table.planned(host.site):
            return False
        names = [f"{random.getrandbits(BITS):016x}" for _ in range(PROBES)]
        urls = [url for url in soft404.urls(queued.url, names) if self._wanted(url, queued)]
        self._frontier.probe(host, [Probe(id=self._table.plan(host.site, url), url=url) for url in urls])
        return bool(urls)

    def _wanted(self, url: str, queued: Queued) -> bool:
        return host_of(url) == host_of(queued.url) and not (
            self._everywhere and self._everywhere(url, queued.depth, queued.off_domain)[0]
        )

    def process(self, flight: Flight[Turn], outcome: messages.Probed | Failed) -> None:
        host, probe = flight.turn.host, flight.turn.probe
        assert probe is not None
        status = flight.fetched.status if flight.fetched else 0
        reason = outcome.reason if isinstance(outcome, Failed) else filled(HTTP, status)
        incomplete = flight.fetched.incomplete if flight.fetched else NONE
        reason, now = incomplete or reason, self._clock()
        if flight.uncounted:
            self._frontier.probing.again(host, probe, now)
            return
        probe.attempts += 1
        wait = again_after(reason, probe.attempts, retries=RETRIES, wait=self._fetch.retry_wait)
        if wait is not None and host.backoff.until > now and not (host.queue.known or host.queue.more):
            for each in self._frontier.probing.give_up(host):  # a crawl does not wait for probes alone
                self._not_requested(each, Code(host.backoff.origin))
            wait = None
        if wait is not None:
            self._counters.retries += 1
            self._table.update(probe.id, attempts=probe.attempts)
            self._frontier.probing.again(host, probe, now + wait)
            return
        self._frontier.probing.processed()
        self._table.update(probe.id, time=now, reason=reason, attempts=probe.attempts)
        if flight.fetched is not None and not incomplete and not isinstance(outcome, Failed):
            where = outcome.archived
            self._table.update(
                probe.id,
                status=flight.fetched.status,
                location=outcome.location,
                digest=outcome.digest,
                text=outcome.text,
                shingles=outcome.shingles,
                size=outcome.size,
                file=where.file,
                offset=where.offset,
                length=where.length,
            )

    def refuse(self, refusal: Refusal) -> None:
        """Process a probe that robots.txt forbids, or whose host gets no more requests."""
        assert isinstance(refusal.subject, Probe)
        self._frontier.probing.processed()
        self._not_requested(refusal.subject, refusal.reason)

    def _not_requested(self, probe: Probe, reason: Code) -> None:
        self._table.update(probe.id, time=self._clock(), reason=reason)
