"""How fast a crawl is, what its hosts wait for, how long the queue will take, and the disk."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from ttcrawl.frozen import frozen
from ttcrawl.output.number import byte_text
from ttcrawl.output.timespan import timespan
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.snapshot import View

#: Seconds at the end of the crawl, and requests at most, from which rates are computed.
LAST, MOST_REQUESTS = 60.0, 20_000

#: Failing hosts that are named.
NAMED = 3

#: The hosts with queued URLs by what they wait for. The first cause that holds counts.
CAUSES = """
    SELECT CASE WHEN backoff_until > ?1 THEN 'backed off' WHEN robots_time IS NULL THEN 'robots.txt first'
                WHEN next_at > ?1 THEN 'delay' ELSE 'due' END AS cause, count(*), max(backoff_until)
    FROM {queue} JOIN site ON site.id = site GROUP BY cause ORDER BY 2 DESC, 1"""

#: The host that needs the most time for its queue: until it is due, then a delay between two requests.
SLOWEST = """
    SELECT host, queued, coalesce(delay, ?1) AS pause,
           max(0, next_at - ?2, backoff_until - ?2) + (queued - 1) * coalesce(delay, ?1) AS seconds
    FROM {queue} JOIN site ON site.id = site ORDER BY seconds DESC, site LIMIT 1"""

FAILING = """
    SELECT host, failures, backoff_from, count(*) OVER () FROM site WHERE backoff_until > ? OR silent > 0
    ORDER BY failures DESC, id LIMIT ?"""

LAST_END = "SELECT max(ended) FROM visit WHERE id > (SELECT max(id) FROM visit) - ?"

RECENT = """
    SELECT sum(requests), coalesce(sum(kind = 'page' AND status BETWEEN 200 AND 299), 0), min(started), max(ended)
    FROM visit WHERE id > (SELECT max(id) FROM visit) - ? AND ended > ?"""


@frozen
class Failing:
    """A host that is backed off, or did not answer the last requests."""

    host: str
    failures: int  # requests without a response
    why: str  # 'http 503', 'connection refused' ...


@frozen
class Pace:
    """Rates are of the last minute; of a stopped crawl, of its last one. None: no time passed."""

    requests_per_second: float | None
    pages_per_second: float | None  # answered with a status of 2xx
    waiting: Mapping[str, int]  # hosts with queued URLs, by what they wait for
    backed_off_until: float  # the last of the hosts that are backed off, seconds since the epoch; 0: there is none
    seconds_left: float | None  # for the URLs that are queued now; None: no rate is known
    bound: str  # by what: a host and its delay, or the rate
    failing: tuple[Failing, ...]  # most failures first
    hosts_failing: int  # with those that are not named
    disk_used: int  # bytes of the crawl directory
    disk_left: int  # bytes free


def pace(db: View, queued: int, now: float, *, running: bool = False) -> Pace:
    """Read the pace of a crawl with this number of queued URLs. The last minute of a running one ends now."""
    active = _rates(db)
    requests, pages = _rates_until(db, now) if running else active
    rows = db.execute(FAILING, (now, NAMED)).fetchall()
    causes = db.execute(CAUSES.format(queue=db.queue_of_site), (now,)).fetchall()
    seconds_left, bound = _left(db, queued, max(active[0] or 0.0, _mean_rate(db)), now)
    return Pace(
        requests_per_second=requests,
        pages_per_second=pages,
        waiting={cause: hosts for cause, hosts, _ in causes},
        backed_off_until=max((until for cause, _, until in causes if cause == "backed off"), default=0.0),
        seconds_left=seconds_left,
        bound=bound,
        failing=tuple(Failing(host=host, failures=failures, why=why) for host, failures, why, _ in rows),
        hosts_failing=rows[0][3] if rows else 0,
        disk_used=sum(_sizes(db.directory)),
        disk_left=shutil.disk_usage(db.directory).free,
    )


def _rates(db: View) -> tuple[float | None, float | None]:
    """Requests and pages a second in the minute that ends with the last request."""
    (end,) = db.execute(LAST_END, (MOST_REQUESTS,)).fetchone()
    count, pages, first, last = db.execute(RECENT, (MOST_REQUESTS, (end or 0.0) - LAST)).fetchone()
    if not count or last <= first:
        return None, None
    # a few requests at the end of a long crawl do not show a rate
    least = 0.0 if count >= MOST_REQUESTS else min(LAST, float(db.settings.get("seconds", 0)))
    span = max(last - first, least)
    return round(count / span, 3), round(pages / span, 3)


def _rates_until(db: View, now: float) -> tuple[float | None, float | None]:
    """Requests and pages a second in the minute before now, or since a younger crawl began."""
    count, pages, first, _ = db.execute(RECENT, (MOST_REQUESTS, now - LAST)).fetchone()
    span = now - first if count and count >= MOST_REQUESTS else min(LAST, float(db.settings.get("seconds", 0)))
    if span <= 0:
        return None, None
    return round((count or 0) / span, 3), round(pages / span, 3)


def _mean_rate(db: View) -> float:
    """Requests a second since the crawl began: all hosts wait after a resume, which says nothing about the queue."""
    (last,) = db.execute("SELECT coalesce(max(id), 0) FROM visit").fetchone()
    seconds = float(db.settings.get("seconds", 0))
    return float(last) / seconds if seconds > 0 else 0.0


def _left(db: View, queued: int, rate: float, now: float) -> tuple[float | None, str]:
    """Seconds for the queue, and what bounds them: the delay of the host with the longest wait, or the rate."""
    if not queued:
        return 0.0, ""
    obeyed = db.settings.get("obey_delay") == "yes"
    default = float(db.settings.get("delay") or 0) if obeyed else 0.0
    host, of_host, pause, seconds = db.execute(SLOWEST.format(queue=db.queue_of_site), (default, now)).fetchone()
    by_rate = queued / rate if rate else None
    if by_rate is not None and by_rate > seconds:
        return by_rate, f"at {rate:,.1f} requests a second"
    bound = f"{host}: {of_host:,} URLs, {pause:g} s each" if of_host > 1 else f"{host}: 1 URL"
    return (seconds, bound) if seconds else (None, "")


def _sizes(directory: Path) -> Iterator[int]:
    """The bytes of all files in a directory."""
    for path, _, names in os.walk(directory):
        for name in names:
            try:
                yield os.lstat(os.path.join(path, name)).st_size
            except OSError:  # removed meanwhile
                continue


def lines(pace: Pace, pages: int, visits: int, seconds: float, *, running: bool) -> list[str]:
    """The pace as lines for a terminal, after `seconds` of crawling. A crawl that has stopped has no last minute.

    `visits` are the visits by `ttcrawl recrawl`.
    """
    waiting = ", ".join(f"{hosts:,} {cause}" for cause, hosts in pace.waiting.items())
    a_page = f", {byte_text(pace.disk_used // pages)} a page" if pages else ""
    result = _rate_lines(pace, pages, visits, seconds, running=running)
    result.append(f"Disk     {byte_text(pace.disk_used)} used{a_page}; {byte_text(pace.disk_left)} left")
    if waiting:
        result.append(f"Hosts    {waiting}")
    if pace.seconds_left:
        left, now = timespan(pace.seconds_left, math.ceil), " now" if running else ""
        result.append(f"Left     {left} at least for what is queued{now} ({escape_untrusted(pace.bound)})")
    if pace.failing:
        names = ", ".join(f"{each.host} ({each.why or 'no answer'})" for each in pace.failing)
        more = f" and {pace.hosts_failing - len(pace.failing):,} more" if pace.hosts_failing > len(pace.failing) else ""
        result.append(f"{'Failing' if running else 'Failed':<7}  {escape_untrusted(names)}{more}")
    return result


def _rate_lines(pace: Pace, pages: int, visits: int, seconds: float, *, running: bool) -> list[str]:
    """One line, or none where nothing was measured."""
    if running:
        requests, answered = pace.requests_per_second, pace.pages_per_second
        if requests is None or answered is None:
            return []
        return [f"Rate     {requests:,.1f} requests/s, {answered:,.1f} pages/s in the last minute"]
    if seconds <= 0 or not pages:
        return []
    again = ", with pages that were visited again" if visits else ""
    return [f"Rate     {(pages + visits) / seconds:,.1f} pages/s on average{again}"]
