"""The time that requests for pages took, from the first packet to the last byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from operator import itemgetter

from ttcrawl.snapshot.snapshot import View

SLOWEST = 10

ANSWERED = "FROM visit WHERE kind = 'page' AND status NOT NULL"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTimes:
    """Percentiles by nearest rank, in seconds."""

    host: str
    requests: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTime:
    url: str
    seconds: float
    status: int


def host_times(db: View) -> Iterator[HostTimes]:
    """Hosts with the most requests first."""
    rows = db.execute(
        "SELECT host, ended - started AS seconds FROM (SELECT site, started, ended"
        f" {ANSWERED}) AS visit JOIN site ON site.id = visit.site ORDER BY site.id, seconds"
    )
    hosts = []
    for host, visits in groupby(rows, key=itemgetter(0)):
        seconds = [each for _, each in visits]
        hosts.append(
            HostTimes(host=host, requests=len(seconds), p50=percentile(seconds, 50), p95=percentile(seconds, 95))
        )
    yield from sorted(hosts, key=lambda each: (-each.requests, each.host))


def percentile(rising: Sequence[float], percent: int) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank).

    >>> percentile([1.0, 2.0, 3.0, 4.0], 50), percentile([1.0, 2.0, 3.0, 4.0], 95)
    (2.0, 4.0)
    """
    return round(rising[ceil(len(rising) * percent / 100) - 1], 3)


def slowest_pages(db: View) -> tuple[PageTime, ...]:
    rows = db.execute(
        f"SELECT url, max(ended - started) AS seconds, status {ANSWERED} GROUP BY url"
        f" ORDER BY seconds DESC, url LIMIT {SLOWEST}"
    )
    return tuple(PageTime(url=url, seconds=round(seconds, 3), status=status) for url, seconds, status in rows)
