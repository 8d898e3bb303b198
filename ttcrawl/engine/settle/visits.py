"""Store a finished request, whatever its outcome: its row in `visit`, the clock of its host, the attempt."""

from __future__ import annotations

from ttcrawl.engine.companion import Companion
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.backoff import NEVER, Exchange
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_rows import state_of
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.browsing import ScriptVisit
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import ROBOTS, Failed, Fetched
from ttcrawl.store.rows import NewVisit
from ttcrawl.vocabulary.reason import (
    BLOCKED_ADDRESS,
    HTTP,
    KEPT_CLOSED,
    NO_CONNECTION,
    NONE,
    OVERLOADED,
    TRUNCATED,
    filled,
)
from ttcrawl.web.url import host as host_of
from ttcrawl.web.url import registrable_domain

#: The kind of a visit for the scripts of a page, in table `visit`.
RESOURCE = "resource"


class Visits(Companion):
    def __init__(self, shared: Shared) -> None:
        self._store = shared.store
        self._frontier = shared.frontier
        self._counters = shared.counters
        self._hosts: set[Host] = set()  # since the last commit

    def forget(self, host: Host) -> None:
        self._hosts.discard(host)

    def released(self, host: Host) -> None:
        """Note that a host's row has changed since its visit was stored, because a commit may have come between."""
        self._hosts.add(host)

    def before_commit(self) -> None:
        """Write the clocks of all hosts that were requested since the last call."""
        self._store.sites.update_each([(host.site, state_of(host)) for host in self._hosts])
        self._hosts.clear()

    def add(self, visit: NewVisit) -> None:
        """Store the row of a request, and count it."""
        self._store.answers.add_visit(visit)
        self._counters.bytes += visit.bytes
        self._counters.requests += visit.requests

    def ended(self, flight: Flight[Turn], outcome: Fetched | Failed) -> None:
        """Store a finished request, with or without an answer."""
        turn, host, subject = flight.turn, flight.turn.host, flight.turn.subject
        if isinstance(outcome, Fetched):
            status, retry_after = outcome.status, outcome.retry_after
            reason = TRUNCATED if outcome.unclosed else outcome.incomplete
            size = max(outcome.received, outcome.body_size)
            address = host.connected = outcome.address or host.connected
        else:
            status, reason, size, retry_after, address = None, outcome.reason, outcome.received, None, turn.address
        if reason == BLOCKED_ADDRESS:
            return  # no request was sent
        exchange = Exchange(
            reason=reason if status is None else filled(HTTP, status),
            retry_after=retry_after,
            started=outcome.started,
            ended=outcome.ended,
            address=turn.address,
            url=turn.url,
            kind=turn.kind,
            status=status or 0,
            gate=turn.asker is host,
            overloaded_at=subject.overloaded_at if subject else NEVER,
        )
        backoff = self._frontier.exchanged(host, exchange)
        if exchange.reason in OVERLOADED and subject is not None:
            subject.overloaded_at = outcome.ended
        delay, delay_from, address_delay = turn.due
        self.add(
            NewVisit(
                site=host.site,
                url=turn.url,
                kind=turn.kind,
                started=outcome.started,
                ended=outcome.ended,
                status=status,
                reason=reason,
                bytes=size,
                address=address,
                delay=delay,
                delay_from=delay_from,
                address_delay=address_delay,
                requests=outcome.requests,
                backoff=backoff.seconds if backoff else None,
                backoff_from=backoff.origin if backoff else "",
            )
        )
        another_address = reason in NO_CONNECTION and backoff is None and host.address != turn.address
        flight.uncounted = another_address or reason == KEPT_CLOSED
        if turn.queued is not None and not flight.uncounted:
            turn.queued.attempts += 1
        if subject is not None:
            subject.renew = bool(reason)
        host.failures += status is None and reason != KEPT_CLOSED
        self._hosts.add(host)
        self._counters.robots_requests += outcome.requests if turn.kind == ROBOTS else 0
        for each in outcome.script_visits:
            self._script_visit(each)

    def _script_visit(self, visit: ScriptVisit) -> None:
        """Store a visit that the scripts of a page made; the clock of its host moves."""
        name = host_of(visit.url)
        row = self._store.sites.of_host(name)
        site = row.id if row else self._store.sites.add(name, registrable_domain(name))
        waits, host = max(visit.delay, visit.backoff or 0.0), self._frontier.hosts.get(name)
        if host is not None:
            host.ended, host.not_before = max(host.ended, visit.ended), max(host.not_before, visit.ended + waits)
            self._hosts.add(host)
        else:
            next_at = max(row.next_at if row else 0.0, visit.ended + waits)
            self._store.sites.update(site, next_at=next_at, delay=visit.delay, delay_from=visit.delay_from)
        self.add(
            NewVisit(
                site=site,
                url=visit.url,
                kind=RESOURCE,
                started=visit.started,
                ended=visit.ended,
                status=visit.status,
                reason=NONE,
                bytes=visit.received,
                address=visit.address,
                delay=visit.delay,
                delay_from=visit.delay_from,
                address_delay=0.0,
                requests=visit.requests,
                backoff=visit.backoff,
                backoff_from=filled(HTTP, visit.status or 0) if visit.backoff else "",
            )
        )
