"""Where the time went: time of hosts in requests, in delays that were due, and idle; and time to process responses.

Figures are host-seconds: hosts are contacted in parallel, so the sums can exceed the duration of the crawl. For each
host the time from its first request to its last has three parts: requests (the network and the server), delays (as far
as the gap before a request was due, by the recorded delay), and the rest, when nothing was queued or no process was
free.

The time between a stop and a resume is in none of these. Its total is known: wall-clock time minus the seconds of
crawling. It is assigned to the longest times without a request to any host.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import itemgetter

from ttcrawl.ask.report.layout import Row, Section
from ttcrawl.ask.view.view import View
from ttcrawl.web.url import key

HOW = (
    "Host-seconds from the first to the last exchange of each host, by table visit: in exchanges, in gaps as far as"
    " a delay was due, and the rest, less the time between a stop and a resume. Parsing: from the end of the last"
    " exchange of a page until it was settled, queues included."
)
SHORTEST_STOP = 1.0  # seconds; a start takes about as long


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Seconds, summed over hosts; `parsing` is summed over pages."""

    network: float
    politeness: float
    idle: float
    stopped: float  # of the crawl, not of hosts: between a stop and a resume
    parsing: float
    parsing_mean: float | None  # None: nothing was parsed
    how: str = HOW


def read(db: View) -> Waiting:
    network = politeness = idle = 0.0
    stopped, stopped_before = _stops(db)
    rows = db.execute(
        "SELECT site, started, ended, delay, address_delay, backoff FROM visit ORDER BY site, started, id"
    )
    for _, visits in groupby(rows, key=itemgetter(0)):
        before, left_alone = float("-inf"), float("-inf")
        for _, started, ended, delay, address_delay, backoff in visits:
            if before > float("-inf") and started > before:
                gap = started - before - (stopped_before(started) - stopped_before(before))
                due = min(gap, max(delay, address_delay, left_alone - before))
                politeness += due
                idle += gap - due
            network += max(0.0, ended - max(started, before))
            before, left_alone = max(before, ended), max(left_alone, ended + (backoff or 0.0))
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
    import numpy as np

    given = dict(db.execute("SELECT name, value FROM crawl WHERE name IN ('started', 'seconds')"))
    times = np.fromiter(
        db.execute("SELECT started, ended FROM visit ORDER BY started"), dtype=[("started", "f8"), ("ended", "f8")]
    )
    if not len(times) or not float(given.get("started") or 0):
        return 0.0, lambda moment: 0.0
    ended = np.maximum.accumulate(times["ended"])
    left = float(ended[-1]) - float(given["started"]) - float(given.get("seconds") or 0)
    gaps = times["started"][1:] - ended[:-1]
    stops = []
    for place in np.argsort(-gaps, kind="stable"):
        length = min(float(gaps[place]), left)
        if length < SHORTEST_STOP:
            break
        stops.append((float(times["started"][place + 1]), length))
        left -= length
    stops.sort()
    ends, sums = [end for end, _ in stops], [0.0, *accumulate(length for _, length in stops)]
    return sums[-1], lambda moment: sums[bisect_right(ends, moment)]


def _parsing(db: View) -> tuple[float, int]:
    """(seconds, pages): from the end of the last request of each page until the page was processed."""
    import numpy

    ended = {key(url): end for url, end in db.execute("SELECT url, ended FROM visit WHERE kind = 'page' ORDER BY id")}
    if not ended:
        return 0.0, 0
    took = numpy.fromiter(
        (
            at - ended[name]
            for name, at in db.execute("SELECT key, at FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'")
            if name in ended
        ),
        dtype=float,
    )
    took = took[took >= 0]  # the clock of a machine can be set back
    return float(took.sum()), len(took)


def sections(crawls: Sequence[Waiting]) -> list[Section]:
    rows = [
        Row(label="In exchanges (network and servers)", values=tuple(round(each.network, 1) for each in crawls)),
        Row(label="In delays (politeness)", values=tuple(round(each.politeness, 1) for each in crawls)),
        Row(
            label="In neither: nothing queued, or no process free", values=tuple(round(each.idle, 1) for each in crawls)
        ),
        Row(
            label="Parsing: from answers until they were settled (page-seconds)",
            values=tuple(round(each.parsing, 1) for each in crawls),
        ),
        Row(label="  a page, mean (s)", values=tuple(each.parsing_mean for each in crawls)),
    ]
    if any(each.stopped for each in crawls):
        rows.append(Row(label="Stopped between two runs (s)", values=tuple(round(each.stopped, 1) for each in crawls)))
    return [Section(title="Where the time went (host-seconds)", rows=tuple(rows), how=HOW)]
