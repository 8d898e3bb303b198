"""The figures of a crawl at a moment.

A sample of the growth series is taken at every page first, then ever more rarely. So a series of a million pages has a
few thousand samples, and is fine enough at each scale of a logarithmic axis.
"""

from __future__ import annotations

from collections.abc import Collection

from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.counters import Snapshot
from ttcrawl.ring.flight import Flight
from ttcrawl.store.rows import Sample

#: Distance between samples, as a share of the pages so far.
STEP = 1 / 500


def next_sample(pages: int) -> int:
    """Return the number of pages at which the sample after the one at `pages` is taken.

    >>> [next_sample(n) for n in (0, 1, 499, 1000, 1_000_000)]
    [1, 2, 500, 1002, 1002000]
    """
    return max(pages + 1, int(pages * (1 + STEP)))


def snapshot(seconds: float, shared: Shared, flights: Collection[Flight[Turn]], *, continued: bool) -> Snapshot:
    """Return the crawl at this moment, after `seconds` of crawling. `continued`: URLs are visited again."""
    host, since = _slowest(flights)
    counters, ledger, frontier = shared.counters, shared.ledger, shared.frontier
    return Snapshot(
        seconds=seconds,
        pages=counters.pages,
        relevant=counters.relevant if shared.config.topic.on else None,
        visits=counters.visits if continued else None,
        moved=counters.moved,
        links=counters.links,
        distinct_urls=ledger.distinct,
        in_scope=ledger.in_scope,
        queued=frontier.queued,
        in_flight=len(flights),
        hosts_locked=frontier.locked_hosts,
        hosts_waiting=frontier.waiting,
        errors=counters.errors.total(),
        retries=counters.retries,
        bytes=counters.bytes,
        requests=counters.requests,
        robots_requests=counters.robots_requests,
        fetched=counters.fetched,
        slowest_host=host,
        slowest_seconds=max(0.0, shared.clock() - since) if host else 0.0,
    )


def _slowest(flights: Collection[Flight[Turn]]) -> tuple[str, float]:
    """Return the host of the request that began first, and when it did."""
    begun = ((max(each.since, each.request.not_before), each.turn.host.name) for each in flights)
    since, name = min(begun, default=(0.0, ""))
    return name, since


def sample(seconds: float, shared: Shared) -> Sample:
    """Return the row of `growth` for this moment."""
    return Sample(
        pages=shared.counters.pages,
        seconds=seconds,
        links=shared.counters.links,
        distinct_urls=shared.ledger.distinct,
        queued=shared.frontier.queued,
        bytes=shared.counters.bytes,
        in_scope=shared.ledger.in_scope,
    )
