"""Evidence of politeness: how each host was treated, from all requests to it. Nothing here writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import median
from typing import Any

from ttcrawl.output.forms import tables_as
from ttcrawl.output.json_form import records_json
from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.output.steps import Progress, silent
from ttcrawl.output.terminal import ANYWHERE, Screen
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.gaps import BY_SHARED_ADDRESS, COLUMNS, ORDER, Gaps, Times
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.vocabulary.reason import OVERLOADED_STATUSES

#: Columns of the table of hosts, after the host.
HEADS = (
    "requests",
    "smallest gap (s)",
    "median (s)",
    "delay due (s)",
    "robots.txt",
    "429/503",
    "backed off",
    "verdict",
)

#: Columns of the table of addresses, after the address.
ADDRESS_HEADS = ("hosts", "requests", "smallest gap (s)", "median (s)", "delay due (s)", "verdict")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPoliteness:
    """All requests to one host. Gaps, delays and times are in seconds; None means that there was none."""

    host: str
    requests: int
    smallest_gap: float | None  # from the end of a request to the start of the next; negative if they overlap
    median_gap: float | None
    smallest_margin: float | None  # by which a gap was longer than what was due
    delay: float  # that was due before the last request ...
    delay_from: str  # ... because of this: 'robots.txt', 'default', 'response time', 'rate limit' ...
    robots_requests: int  # times
    robots_last: str  # what the last of them brought: 'http 200', 'timeout: read' ...; "": never requested
    overloaded: int  # answers 429 and 503
    backoffs: int  # times that it was backed off for longer than the delay, for whatever reason
    backoffs_retry_after: int  # of them as long as its Retry-After; the others: by our own doubling
    longest_backoff: float | None
    delayed: int  # gaps with a delay due
    broken: int  # of these, shorter than due


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressPoliteness:
    """All requests to an address that several hosts share. Gaps and delays are in seconds."""

    address: str
    hosts: int
    requests: int
    smallest_gap: float
    median_gap: float
    smallest_margin: float
    delay: float  # due before the last request; 0: addresses had no clock
    delayed: int
    broken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """A complete crawl. Hosts and shared addresses come by smallest margin; equal margins by most requests."""

    requests: int
    hosts_requested: int
    delayed: int  # gaps with a delay due, of hosts and of shared addresses
    broken: int  # of these, shorter than due
    hosts: tuple[HostPoliteness, ...]
    addresses_shared: int
    addresses: tuple[AddressPoliteness, ...]


def politeness(directory: Path, hosts: int, progress: Progress = silent) -> Politeness:
    """How a crawl treated its hosts, with details of `hosts` of them (0: all). Raises NotACrawl."""
    with view(directory) as db:
        return of_view(db, hosts, progress)


def of_view(db: View, hosts: int, progress: Progress = silent) -> Politeness:
    """The same for an open database."""
    every = sorted(_hosts(db, progress), key=_order)
    progress("requests by address", 0, 0)
    shared = sorted(_addresses(db), key=lambda each: (each.smallest_margin, -each.requests, each.address))
    return Politeness(
        requests=sum(each.requests for each in every),
        hosts_requested=len(every),
        delayed=sum(each.delayed for each in every) + sum(each.delayed for each in shared),
        broken=sum(each.broken for each in every) + sum(each.broken for each in shared),
        hosts=tuple(every[: hosts or None]),
        addresses_shared=len(shared),
        addresses=tuple(shared[: hosts or None]),
    )


def _order(each: HostPoliteness) -> tuple[float, int, str]:
    margin = float("inf") if each.smallest_margin is None else each.smallest_margin
    return margin, -each.requests, each.host


def _hosts(db: View, progress: Progress) -> Iterator[HostPoliteness]:
    progress("requests by host", 0, 0)
    (count,) = db.execute("SELECT count(DISTINCT site) FROM visit").fetchone()
    rows = db.execute(
        f"SELECT site, coalesce(host, 'no host ' || site), kind, status, requests, visit.backoff_from, {COLUMNS}"
        f" FROM visit LEFT JOIN site ON site.id = site ORDER BY site, {ORDER}"
    )
    for number, ((_, host), visits) in enumerate(groupby(rows, key=itemgetter(0, 1))):
        progress("requests by host", number, count)
        yield _host(host, visits)


class _Requests:
    """Running figures of the requests to one host."""

    def __init__(self) -> None:
        self.sent = self.robots = self.overloaded = self.backoffs = self.retry_after = 0
        self.delay, self.delay_from = 0.0, ""
        self.robots_last = ""
        self.longest_backoff: float | None = None

    def add(self, visit: tuple[Any, ...]) -> Times:
        _, _, kind, status, requests, origin, started, ended, reason, delay, delay_from, backoff = visit
        self.sent += requests
        self.delay, self.delay_from = delay, delay_from
        self.overloaded += status in OVERLOADED_STATUSES
        self.retry_after += origin == "Retry-After"
        if kind == "robots":
            self.robots += 1
            self.robots_last = reason or f"http {status}"
        if backoff is not None:
            self.backoffs += 1
            self.longest_backoff = max(backoff, self.longest_backoff or 0.0)
        return started, ended, reason, delay, delay_from, backoff


def _host(host: str, visits: Iterable[tuple[Any, ...]]) -> HostPoliteness:
    requests = _Requests()
    between = Gaps(map(requests.add, visits))
    return HostPoliteness(
        host=host,
        requests=requests.sent,
        smallest_gap=min(between.waits, default=None),
        median_gap=median(between.waits) if between.waits else None,
        smallest_margin=between.smallest_margin,
        delay=requests.delay,
        delay_from=requests.delay_from,
        robots_requests=requests.robots,
        robots_last=requests.robots_last,
        overloaded=requests.overloaded,
        backoffs=requests.backoffs,
        backoffs_retry_after=requests.retry_after,
        longest_backoff=requests.longest_backoff,
        delayed=between.delayed,
        broken=between.broken,
    )


def _addresses(db: View) -> Iterator[AddressPoliteness]:
    for address, visits in groupby(db.execute(BY_SHARED_ADDRESS), key=itemgetter(0)):
        yield _address(address, visits)


def _address(address: str, visits: Iterable[tuple[Any, ...]]) -> AddressPoliteness:
    hosts = set[int]()
    sent, last_delay = 0, 0.0

    def times(visit: tuple[Any, ...]) -> Times:
        nonlocal sent, last_delay
        _, site, requests, *of_gap = visit
        hosts.add(site)
        sent, last_delay = sent + requests, of_gap[3]
        return tuple(of_gap)

    between = Gaps(map(times, visits))
    return AddressPoliteness(
        address=address,
        hosts=len(hosts),
        requests=sent,
        smallest_gap=min(between.waits),
        median_gap=median(between.waits),
        smallest_margin=between.smallest_margin or 0.0,
        delay=last_delay,
        delayed=between.delayed,
        broken=between.broken - between.overlaps,
    )


def render(crawls: Sequence[Politeness], names: Sequence[str], form: str, screen: Screen = ANYWHERE) -> str:
    """One crawl after the other. `form` is json (all fields; a list for several crawls) or one of FORMS."""
    if form == "json":
        return records_json(map(asdict, crawls), names)
    return tables_as(sections(crawls, names), [""], form, screen)


def sections(crawls: Sequence[Politeness], names: Sequence[str]) -> list[Section]:
    """One crawl after the other."""
    tables = []
    for name, crawl in zip(names, crawls, strict=True):
        totals = (
            ("Requests", crawl.requests),
            ("Hosts", crawl.hosts_requested),
            ("Addresses with several hosts", crawl.addresses_shared),
            ("Broken in total", crawl.broken),
        )
        rows = tuple(Row(label=label, values=(value,)) for label, value in totals)
        tables.append(Section(title=f"Politeness of {escape_untrusted(name)}", rows=rows))
        if crawl.hosts:
            detail = tuple(Row(label=each.host, values=_cells(each)) for each in crawl.hosts)
            tables.append(Section(title="Host", rows=detail, columns=HEADS, subject="host"))
        if crawl.addresses:
            shared = tuple(Row(label=each.address, values=_address_cells(each)) for each in crawl.addresses)
            tables.append(Section(title="Address", rows=shared, columns=ADDRESS_HEADS, subject="address"))
    return tables


def _cells(each: HostPoliteness) -> tuple[Value, ...]:
    origin = each.delay_from if each.delay_from == "not obeyed" else f"{each.delay:g} ({each.delay_from})"
    return (
        each.requests,
        _seconds(each.smallest_gap),
        _seconds(each.median_gap),
        origin,
        f"{each.robots_requests:,}: {each.robots_last}" if each.robots_requests else None,
        each.overloaded,
        _backoffs(each),
        _verdict(each),
    )


def _address_cells(each: AddressPoliteness) -> tuple[Value, ...]:
    return (
        each.hosts,
        each.requests,
        _seconds(each.smallest_gap),
        _seconds(each.median_gap),
        f"{each.delay:g}",
        _verdict(each),
    )


def _verdict(each: HostPoliteness | AddressPoliteness) -> str:
    """The verdict. A host or an address without a delay has nothing to keep to."""
    if each.broken:
        return f"broken {each.broken:,} {'time' if each.broken == 1 else 'times'}"
    return "kept" if each.delayed else "no delay"


def _seconds(value: float | None) -> str | None:
    """To the microsecond, the tolerance for gaps."""
    return None if value is None else f"{value:,.6f}"


def _backoffs(each: HostPoliteness) -> str | None:
    if each.longest_backoff is None:
        return None
    own = each.backoffs - each.backoffs_retry_after
    causes = [
        f"{count:,} {cause}"
        for count, cause in ((each.backoffs_retry_after, "Retry-After"), (own, "doubling"))
        if count
    ]
    return f"{', '.join(causes)}; longest {each.longest_backoff:,.1f} s"
