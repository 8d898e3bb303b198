"""Time by activity: requests, delays that were due, idle time of hosts, and the time until pages were processed.

Host-seconds: requests go to several hosts at once, so the sums can be longer than the crawl. The time of each host from
its first request to its last is split into requests (the network and the server), delays (as far as the gap before a
request was due, as recorded with it), and the rest, in which nothing was queued or no process was free.

The time between a stop and a resume is excluded. Its length is known (the clock on the wall less the seconds of
crawling); it is assumed in the longest gaps without any request.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import itemgetter

from ttcrawl.output.layout import Section
from ttcrawl.report.rows import row
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import key

HOW = (
    "Host-seconds from the first to the last request to each host, from table visit: in requests, in gaps as far as"
    " a delay was due, and the rest, without the time between a stop and a resume. Parsing: from the end of the last"
    " request for a page until the page was processed, including queues."
)
SHORTEST_STOP = 1.0  # seconds; a start takes about as long


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Seconds, summed over hosts; `parsing` is summed over pages."""

    network: float  # requests
    politeness: float  # delays that were due
    idle: float  # nothing was queued, or no process was free
    stopped: float  # of the crawl, not of hosts: between a stop and a resume
    parsing: float  # from the end of a response until its page was processed
    parsing_mean: float | None  # None: nothing was parsed
    how: str = HOW


def read(sources: Sources) -> Waiting:
    db = sources.db
    network = politeness = idle = 0.0
    stopped, stopped_before = _stops(db)
    rows = db.execute(
        "SELECT site, started, ended, delay, address_delay, backoff FROM visit ORDER BY site, started, id"
    )
    for _, visits in groupby(rows, key=itemgetter(0)):
        before, backed_off = float("-inf"), float("-inf")
        for _, started, ended, delay, address_delay, backoff in visits:
            if before > float("-inf") and started > before:
                gap = started - before - (stopped_before(started) - stopped_before(before))
                due = min(gap, max(delay, address_delay, backed_off - before))
                politeness += due
                idle += gap - due
            network += max(0.0, ended - max(started, before))
            before, backed_off = max(before, ended), max(backed_off, ended + (backoff or 0.0))
    parsing, pages = _parsing(db)
    return Waiting(
        network=network,
        politeness=politeness,
        idle=idle,
        stopped=stopped,
        parsing=parsing,
        parsing_mean=parsing / pages if pages else None,
    )


def _stops(db: View) -> tuple[float, Callable[[float], float]]:
    """(total seconds stopped, a function from a moment to the seconds stopped before it)."""
    settings = dict(db.execute("SELECT name, value FROM crawl WHERE name IN ('started', 'seconds')"))
    begun = float(settings.get("started") or 0)
    visits = db.execute("SELECT started, ended FROM visit ORDER BY started")
    first = visits.fetchone()
    if first is None or not begun:
        return 0.0, lambda moment: 0.0
    gaps, last = [], first[1]
    for started, ended in visits:
        if started - last >= SHORTEST_STOP:
            gaps.append((started - last, started))
        last = max(last, ended)
    remaining = last - begun - float(settings.get("seconds") or 0)
    stops = []
    for gap, start in sorted(gaps, key=itemgetter(0), reverse=True):
        length = min(gap, remaining)
        if length < SHORTEST_STOP:
            break
        stops.append((start, length))
        remaining -= length
    stops.sort()
    ends, sums = [end for end, _ in stops], [0.0, *accumulate(length for _, length in stops)]
    return sums[-1], lambda moment: sums[bisect_right(ends, moment)]


def _parsing(db: View) -> tuple[float, int]:
    """(seconds, pages): from the end of the last request for each page until the page was processed."""
    ended = {key(url): end for url, end in db.execute("SELECT url, ended FROM visit WHERE kind = 'page' ORDER BY id")}
    if not ended:
        return 0.0, 0
    rows = db.execute("SELECT key, time FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'")
    # the clock of a machine can be set back
    took = [moment - ended[name] for name, moment in rows if ended.get(name, math.inf) <= moment]
    return math.fsum(took), len(took)


def sections(crawls: Sequence[Waiting]) -> list[Section]:
    rows = [
        row("Requests (network and servers)", crawls, lambda each: round(each.network, 1)),
        row("Delays (politeness)", crawls, lambda each: round(each.politeness, 1)),
        row("Idle: nothing queued, or no process free", crawls, lambda each: round(each.idle, 1)),
        row("Parsing: from response to processed (page-seconds)", crawls, lambda each: round(each.parsing, 1)),
        row("  per page, mean (s)", crawls, lambda each: each.parsing_mean),
    ]
    if any(each.stopped for each in crawls):
        rows.append(row("Stopped between two runs (s)", crawls, lambda each: round(each.stopped, 1)))
    return [Section(title="Time by activity (host-seconds)", rows=tuple(rows), how=HOW)]
