"""The state of a host in its row, so that a host can leave memory and come back."""

from __future__ import annotations

from ttcrawl.frontier.backoff import Backoff
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host, verdict
from ttcrawl.frontier.version import version
from ttcrawl.store.rows import SiteRow
from ttcrawl.vocabulary.reason import OVERLOADED


def restore(frontier: Frontier, host: Host, row: SiteRow, robots_max_age: float) -> None:
    """Give a host in memory the state of its row."""
    host.connected, host.failures = row.address, row.failures
    host.requested, host.fetched = row.requested, row.fetched
    host.backoff = Backoff(seconds=row.backoff, until=row.backoff_until, origin=row.backoff_from, silent=row.silent)
    host.health.doubted = row.backoff_from == "Retry-After" or row.backoff_from in OVERLOADED
    if row.robots is not None:
        read_at = row.robots_time or 0.0
        frontier.robots_read(host, row.robots, read_at + robots_max_age)
        host.robots.version = version(row.robots_url, row.robots_etag, row.robots_modified, read_at)
    elif row.robots_time is not None and row.robots_time > frontier.unknown_until:
        # an earlier run's failure is requested again
        frontier.robots_unreadable(host, *verdict(row.robots_status, row.robots_reason))
    host.robots.failing = row.robots_failing
    host.ended = frontier.unknown_until


def state_of(host: Host) -> dict[str, object]:
    """Return the columns of a host's row."""
    return {
        "next_at": max(host.next_at, 0.0),
        "delay": host.delay,
        "delay_from": host.delay_from,
        "address": host.connected,
        "failures": host.failures,
        "requested": host.requested,
        "fetched": host.fetched,
        "robots_failing": host.robots.failing,
        "silent": host.backoff.silent,
        "backoff": host.backoff.seconds,
        "backoff_until": host.backoff.until,
        "backoff_from": host.backoff.origin,
    }
