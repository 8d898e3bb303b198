"""The figures of a crawl at a moment.

A sample of the growth series is taken at every page first, then ever more rarely. So a series of a million pages has a
few thousand samples, and is fine enough at each scale of a logarithmic axis.
"""

from __future__ import annotations

from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.output.counters import Counters, Snapshot
from ttcrawl.store.rows import Sample

#: Distance between samples, as a share of the pages so far.
STEP = 1 / 500


def next_sample(pages: int) -> int:
    """Return the number of pages at which the sample after the one at `pages` is taken.

    >>> [next_sample(n) for n in (0, 1, 499, 1000, 1_000_000)]
    [1, 2, 500, 1002, 1002000]
    """
    return max(pages + 1, int(pages * (1 + STEP)))


def snapshot(
    seconds: float,
    counters: Counters,
    ledger: Ledger,
    frontier: Frontier,
    *,
    in_flight: int,
    topical: bool,
    continued: bool,
) -> Snapshot:
    """Return the crawl at this moment, after `seconds` of crawling. `continued`: URLs are visited again."""
    return Snapshot(
        seconds=seconds,
        pages=counters.pages,
        relevant=counters.relevant if topical else None,
        visits=counters.visits if continued else None,
        moved=counters.moved,
        links=counters.links,
        distinct_urls=ledger.distinct,
        in_scope=ledger.in_scope,
        queued=frontier.queued,
        in_flight=in_flight,
        hosts_locked=frontier.locked_hosts,
        hosts_waiting=frontier.waiting,
        errors=counters.errors.total(),
        retries=counters.retries,
        bytes=counters.bytes,
        requests=counters.requests,
        robots_requests=counters.robots_requests,
    )


def sample(seconds: float, counters: Counters, ledger: Ledger, frontier: Frontier) -> Sample:
    """Return the row of `growth` for this moment."""
    return Sample(
        pages=counters.pages,
        seconds=seconds,
        links=counters.links,
        distinct_urls=ledger.distinct,
        queued=frontier.queued,
        bytes=counters.bytes,
        in_scope=ledger.in_scope,
    )
