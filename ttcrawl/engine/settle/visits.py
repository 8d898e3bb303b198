"""Store a finished request, whatever its outcome: its row in `visit`, the clock of its host, the attempt."""

from __future__ import annotations

from ttcrawl.engine.counters import Counters
from ttcrawl.frontier.backoff import NEVER, Exchange
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host, state_of
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Failed, Fetched
from ttcrawl.store.rows import NewVisit
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import BLOCKED_ADDRESS, HTTP, NO_CONNECTION, OVERLOADED, filled


class Visits:
    def __init__(self, store: Store, frontier: Frontier, counters: Counters) -> None:
        self._store = store
        self._frontier = frontier
        self._counters = counters
        self._asked: set[Host] = set()  # since the last commit

    def forget(self, host: Host) -> None:
        self._asked.discard(host)

    def released(self, host: Host) -> None:
        """Note that a host's clock has moved since its visit was stored, because a commit may have come between."""
        self._asked.add(host)

    def keep(self) -> None:
        """Write the clocks of all hosts that were requested since the last call."""
        for asked in self._asked:
            self._store.update_site(asked.site, **state_of(asked))
        self._asked.clear()

    def ended(self, flight: Flight[Turn], came: Fetched | Failed) -> None:
        """Store a finished request, with or without an answer."""
        turn, at = flight.turn, flight.turn.host
        if isinstance(came, Fetched):
            status, reason, retry_after = came.status, came.incomplete, came.retry_after
            size = max(came.received, came.body_size)
            address = at.connected = came.address or at.connected
        else:
            status, reason, size, retry_after, address = None, came.reason, came.received, None, turn.address
        if reason == BLOCKED_ADDRESS:
            return  # no request was sent
        exchange = Exchange(
            reason=reason if status is None else filled(HTTP, status),
            retry_after=retry_after,
            started=came.started,
            ended=came.ended,
            address=turn.address,
            url=turn.url,
            kind=turn.kind,
            status=status or 0,
            gate=turn.asker is at,
            overloaded_at=turn.subject.overloaded_at if turn.subject else NEVER,
        )
        backoff = self._frontier.exchanged(at, exchange)
        if exchange.reason in OVERLOADED and turn.subject is not None:
            turn.subject.overloaded_at = came.ended
        delay, delay_from, address_delay = turn.due
        self._store.add_visit(
            NewVisit(
                site=at.site,
                url=turn.url,
                kind=turn.kind,
                started=came.started,
                ended=came.ended,
                status=status,
                reason=reason,
                bytes=size,
                address=address,
                delay=delay,
                delay_from=delay_from,
                address_delay=address_delay,
                requests=came.requests,
                backoff=backoff.seconds if backoff else None,
                backoff_from=backoff.origin if backoff else "",
            )
        )
        flight.elsewhere = reason in NO_CONNECTION and backoff is None and at.address != turn.address
        if turn.queued is not None and not flight.elsewhere:
            turn.queued.attempts += 1
        at.failures += status is None
        self._asked.add(at)
        self._counters.bytes += size
