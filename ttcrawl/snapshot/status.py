"""The state of a crawl: what it does or how it stopped, the queue, and when and why each host waits. Only reads.

Counting the queue scans its table; only this part grows with the crawl (1 s for ten million URLs).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ttcrawl.engine.counter_rows import readers_of
from ttcrawl.engine.reporting import mirror_position
from ttcrawl.errors import ConfigError
from ttcrawl.output.json_form import json_form
from ttcrawl.output.moments import moment
from ttcrawl.output.number import counted
from ttcrawl.output.readers import by_reader, read_by
from ttcrawl.output.timespan import timespan
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.pace import Pace, pace
from ttcrawl.snapshot.pace import lines as pace_lines
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.unread import unread, unread_line
from ttcrawl.store.database import LOG_BYTES
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.locks import readers_of_log
from ttcrawl.web.url import host as url_host

#: Pages that are gone, and how many of them are known again at another URL.
GONE_AND_MOVED = "SELECT count(confirmed), count(successor) FROM vanished"
#: URLs to which no page links any more.
UNLINKED = "SELECT count(since) FROM unlinked"

#: For hosts with more queued URLs, the status does not check whether all of them wait for a retry.
MOST_CHECKED = 200

#: URLs in flight in the text form.
LONGEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class InFlight:
    """A URL in flight: a process has it, or had it when the crawl was killed."""

    url: str
    process: str  # 'fetch process 4711'
    since: float  # seconds since the epoch
    seconds: float  # from `since` to the last commit


@dataclass(frozen=True, slots=True, kw_only=True)
class HostStatus:
    """A host with queued URLs."""

    host: str
    queued: int
    next_at: float  # earliest time of the next request, seconds since the epoch
    waits: float  # seconds from now until `next_at`; 0: the host is due
    why: str
    failures: int  # requests without a response


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """How far the copy in PostgreSQL is."""

    behind: int  # requests that are not copied
    at: float  # when the last step ended, seconds since the epoch; 0: there was none yet
    complete: bool  # all of a crawl that has ended
    trouble: str  # why nothing is copied at present, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """The visits by `ttcrawl recrawl`."""

    urls: int  # with a next visit
    due: int  # of them: now
    next: float  # of those that are not due, seconds since the epoch; 0: there is none
    visits: int
    not_modified: int  # of `visits`: answered with 304
    changes: int  # of `visits`: found a change
    lost_pages: int  # pages that are gone, or have moved
    moved: int  # of them: known again at another URL
    unlinked: int  # URLs to which no page links any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The write-ahead log of crawl.db, if it is longer than its bound."""

    bytes: int
    bound: int
    readers: tuple[int, ...]  # processes with a snapshot that it is needed for


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A crawl at one moment. URLs in flight count as queued, because a kill returns them to the queue."""

    state: str  # running, killed, done, max_pages, interrupted, "failed: ..." ...
    process: str  # of the running crawl, or ""
    seconds: float  # of crawling, up to the last commit
    pages: int
    relevant: int | None  # of the pages; None: they are not scored
    unread: int  # of the pages: their reading was put off
    queued: int
    hosts_queued: int  # with queued URLs
    trouble: str  # the last problem, such as a process that got stuck or died, or ""
    in_flight: tuple[InFlight, ...]  # longest first
    visits: Visits | None  # None: no URL is requested again
    copied: Copied | None  # None: never, and it is not to be copied
    reader: str  # of pages, in the last run: "compiled", or "Python" and why; "": an earlier version crawled
    read_by_core: int  # HTML pages, each as often as it was read
    read_by_python: dict[str, int]  # the others, by why the core left them; most first
    pace: Pace
    hosts: tuple[HostStatus, ...]  # most queued URLs first
    log: Log | None = None  # None: within its bound


def status(directory: Path, hosts: int, now: float | None = None) -> Status:
    """The state of a crawl and of the hosts with the most queued URLs. Raises NotACrawl."""
    process = crawled_by(directory)  # before the snapshot: otherwise a crawl that ends in between looks killed
    with view(directory) as db:
        result = status_of(db, process, hosts, time.time() if now is None else now)
    return replace(result, log=_log(directory, process))


def _log(directory: Path, process: str) -> Log | None:
    with suppress(OSError):
        size = (directory / "crawl.db-wal").stat().st_size
        if size > LOG_BYTES:
            readers = tuple(each for each in readers_of_log(directory / "crawl.db") if str(each) != process)
            return Log(bytes=size, bound=LOG_BYTES, readers=readers)
    return None


def _log_line(log: Log, *, running: bool) -> str:
    sizes = f"crawl.db-wal has {log.bytes / 1e6:,.0f} MB, more than {log.bound / 1e6:,.0f}"
    if not log.readers:
        return f"{sizes}; {'it is cut when the crawl commits' if running else 'ttcrawl resume cuts it'}"
    return f"{sizes}; it is cut when no process reads the crawl as it was: {', '.join(map(str, log.readers))}"


def status_of(db: View, process: str, hosts: int, now: float) -> Status:
    """The state as of a snapshot, without the log. `process`: that crawls, as it was before the snapshot; or ""."""
    settings = db.settings
    rows = db.execute(
        "SELECT site, queued, count(*) OVER (), sum(queued) OVER ()"
        f" FROM {db.queue_of_site} ORDER BY queued DESC, site LIMIT ?",
        (max(hosts, 1),),
    ).fetchall()
    in_flight = requests_in_flight(settings)
    locked = locked_hosts(in_flight, process)
    read_by_core, read_by_python = by_reader(readers_of(settings))
    return Status(
        state="running" if process else settings.get("finished") or "killed",
        process=process,
        seconds=float(settings.get("seconds", 0)),
        pages=int(settings.get("total_pages", 0)),
        relevant=int(settings.get("total_relevant", 0)) if settings.get("topical") else None,
        unread=unread(db),
        queued=rows[0][3] if rows else 0,
        hosts_queued=rows[0][2] if rows else 0,
        trouble=settings.get("trouble", ""),
        in_flight=in_flight,
        visits=_visits(db, now),
        copied=_copied(db),
        reader=settings.get("reader", ""),
        read_by_core=read_by_core,
        read_by_python=read_by_python,
        pace=pace(db, rows[0][3] if rows else 0, now, running=bool(process)),
        hosts=tuple(host_status(db, locked, site, queued, now) for site, queued, _, _ in rows[:hosts]),
    )


def _visits(db: View, now: float) -> Visits | None:
    urls, due, next_, visits, not_modified, changes = db.execute(
        "SELECT count(*), sum(next <= ?1), coalesce(min(iif(next > ?1, next, NULL)), 0), sum(visits),"
        " sum(not_modified), sum(changes) FROM revisit",
        (now,),
    ).fetchone()
    if not urls:
        return None
    (lost_pages, moved), unlinked = db.execute(GONE_AND_MOVED).fetchone(), db.execute(UNLINKED).fetchone()[0]
    return Visits(
        urls=urls,
        due=due,
        next=next_,
        visits=visits,
        not_modified=not_modified,
        changes=changes,
        lost_pages=lost_pages,
        moved=moved,
        unlinked=unlinked,
    )


def _visits_line(visits: Visits) -> str:
    next_visit = f", next {moment(visits.next)[:19]} UTC" if visits.next else ""
    counts = f"{visits.visits:,}, {visits.not_modified:,} not modified, {visits.changes:,} with a change"
    if not visits.visits:
        counts = "none yet"
    text = f"; {visits.lost_pages:,} gone ({visits.moved:,} moved), {visits.unlinked:,} without links"
    lost = text if visits.lost_pages or visits.unlinked else ""
    return f"{counts}; {visits.due:,} of {counted(visits.urls, 'URL')} due{next_visit}{lost}"


def _copied(db: View) -> Copied | None:
    position = mirror_position.read(db.directory)
    if position is None:
        if not _is_to_be_copied(db):
            return None
        position = mirror_position.NOTHING
    (behind,) = db.execute("SELECT count(*) FROM visit WHERE id > ?", (position.request,)).fetchone()
    complete = position.complete and not behind
    return Copied(behind=behind, at=position.time, complete=complete, trouble=position.trouble)


def _is_to_be_copied(db: View) -> bool:
    """A config.ini that is missing or invalid, which `resume` reports, hides nothing else."""
    with suppress(ConfigError):
        return bool(db.config_or_defaults.postgresql.url)
    return False


def _copied_line(copied: Copied) -> str:
    trouble = f"; {escape_untrusted(copied.trouble)}" * bool(copied.trouble)
    if copied.complete:
        return f"complete (PostgreSQL){trouble}"
    step = f"after the step of {moment(copied.at)[:19]} UTC" if copied.at else "nothing is copied yet"
    return f"{counted(copied.behind, 'request')} behind, {step} (PostgreSQL){trouble}"


def requests_in_flight(settings: Mapping[str, str]) -> tuple[InFlight, ...]:
    """The requests in flight at the last commit, longest first; `settings` is table `crawl`."""
    state = json.loads(settings.get("in_flight") or '{"at": 0, "urls": []}')
    flights = [
        InFlight(url=url, process=process, since=since, seconds=max(0.0, round(state["at"] - since, 3)))
        for url, process, since in state["urls"]
    ]
    return tuple(sorted(flights, key=lambda each: each.since))


def locked_hosts(in_flight: Iterable[InFlight], process: str) -> set[str]:
    """The hosts with a request under way. `process` is the one that crawls; "": none, so none is."""
    return {url_host(each.url) for each in in_flight if each.process.startswith("fetch")} if process else set()


def host_status(db: View, locked: set[str], site: int, queued: int, now: float) -> HostStatus:
    """When a host may be contacted next, and why then."""
    host, next_at, robots_at, readable, reason, delay, origin, failures, backoff, until, backoff_from = db.execute(
        "SELECT host, next_at, robots_time, robots IS NOT NULL, robots_reason, delay, delay_from, failures,"
        " backoff, backoff_until, backoff_from"
        " FROM site WHERE id = ?",
        (site,),
    ).fetchone()
    due = _due(db, site) if queued <= MOST_CHECKED else 0.0
    if host in locked:
        cause = "locked: a request is under way"
    elif until > now:
        cause = f"backed off for {backoff:,.0f} s: {backoff_from}"
    elif robots_at is None:
        cause = "robots.txt not read yet"
    elif not readable:
        cause = f"robots.txt unreadable: {reason}"
    elif due > max(now, next_at):
        cause = "retry due"
    elif origin == "not obeyed":
        cause = "delays are not obeyed"
    else:
        source = f"delay of {delay or 0:g} s from {origin}"
        cause = source if origin == "robots.txt" else f"default delay of {delay or 0:g} s"
    earliest = max(next_at, due)
    return HostStatus(
        host=host,
        queued=queued,
        next_at=earliest,
        waits=max(0.0, round(earliest - now, 3)),
        why=cause,
        failures=failures,
    )


def _due(db: View, site: int) -> float:
    """The earliest time at which a queued URL of the site may be tried. Too slow for long queues."""
    (due,) = db.execute(
        f"SELECT min(due) FROM url WHERE id IN (SELECT id FROM {db.queue} WHERE site = ?)", (site,)
    ).fetchone()
    return float(due or 0.0)


def _relevant(status: Status) -> str:
    if status.relevant is None:
        return ""
    rate = f", harvest rate {status.relevant / status.pages:.1%}" if status.pages else ""
    return f", {status.relevant:,} relevant{rate}"


def render(status: Status, form: str) -> str:
    """The status as text or as JSON."""
    if form == "json":
        return json_form(asdict(status))
    lines = [
        f"State    {f'running, process {status.process}' if status.process else escape_untrusted(status.state)}",
        f"Time     {timespan(status.seconds)} of crawling",
        f"Pages    {status.pages:,} of all types{_relevant(status)}",
        f"Queued   {status.queued:,} on {counted(status.hosts_queued, 'host')}",
    ]
    visits = status.visits.visits if status.visits else 0
    lines += pace_lines(status.pace, status.pages, visits, status.seconds, running=bool(status.process))
    if status.reader:
        pages = read_by(status.read_by_core, status.read_by_python)
        lines.append(f"Reader   {escape_untrusted(status.reader)}{pages and f'; {pages}'}")
    if status.unread:
        lines.append(f"Unread   {unread_line(status.unread)}")
    if status.visits:
        lines.append(f"Visits   {_visits_line(status.visits)}")
    if status.copied:
        lines.append(f"Copied   {_copied_line(status.copied)}")
    if status.log:
        lines.append(f"Log      {_log_line(status.log, running=bool(status.process))}")
    if status.trouble:
        lines.append(f"Trouble  {escape_untrusted(status.trouble)}")
    return "\n".join([*lines, *_in_flight_lines(status), *_host_lines(status)])


def _in_flight_lines(status: Status) -> Iterator[str]:
    if status.in_flight:
        when = "" if status.process else " when it was killed"
        yield f"In flight{when}: {len(status.in_flight):,}, longest first"
    for each in status.in_flight[:LONGEST]:
        yield f"         {each.seconds:,.1f} s  {escape_untrusted(each.process)}  {escape_untrusted(each.url)}"


def _host_lines(status: Status) -> Iterator[str]:
    """The table of hosts, after an empty line."""
    if not status.hosts:
        return
    due = "now" if status.process else "on resume"
    rows = [("Host", "Queued", "Failures", "Next", "Why")]
    for each in status.hosts:
        next_at = f"in {each.waits:,.1f} s" if each.waits else due
        host, why = escape_untrusted(each.host), escape_untrusted(each.why)
        rows.append((host, f"{each.queued:,}", f"{each.failures:,}", next_at, why))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    yield ""
    for host, queued, failures, next_at, why in rows:
        numbers = f"{queued:>{widths[1]}}  {failures:>{widths[2]}}  {next_at:>{widths[3]}}"
        yield f"{host:<{widths[0]}}  {numbers}  {why}"
