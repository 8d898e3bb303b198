"""What must hold after a piece: the log of the servers beside the tables, in URLs, moments and editions.

Nothing is lost: each answer is a visit in the tables, but for those that a kill has undone. Nothing is there twice:
each visit is an answer. No two requests are closer than the delay, also across kills, stops and other pieces.
"""

from __future__ import annotations

import math
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import urlsplit

from tests.soak.hosts import Hosts
from tests.soak.operate import Operator, Run
from tests.soak.piece import Piece
from tests.soak.served import Served
from tests.support.web.site import Hit

#: Seconds between requests to one address (the default of [politeness] address_delay).
ADDRESS_DELAY = 0.2

#: Seconds by which moments of the crawl and of the servers differ: they are rounded numbers.
ROUNDING = 0.01

#: Seconds that a request may be in flight ([fetch] total_timeout).
FLIGHT = 120.0

#: Visits of another page of the host between two visits of a page: its neighbours in the queue are late alike.
TURNS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A row of table `visit`; moments by the right clock."""

    host: str
    path: str
    kind: str
    started: float
    ended: float
    status: int | None
    requests: int


@dataclass(slots=True)
class Judgement:
    """What a piece has shown. `undone`: answers that a kill has undone; `shortest`: gap as a share of its delay."""

    wrong: list[str] = field(default_factory=list)
    requests: int = 0
    undone: int = 0
    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    shortest: float = math.inf
    pages: int = 0
    shares: list[float] = field(default_factory=list)
    resent: set[int] = field(default_factory=set)  # ids of requests that belong to the visit of the one before


def judge(piece: Piece, served: Served, before: dict[str, Hit]) -> Judgement:
    """`before`: the last request to each host in earlier pieces; those of this one replace them."""
    operator, found = piece.operator, Judgement(wrong=list(piece.operator.wrong), requests=len(piece.hits))
    hits = _by_host(piece.hits)
    pairs = match(hits, _visits(operator), operator, found)
    check_gaps(hits, before, operator, found)
    _addresses(piece.hits, operator.hosts, found)
    check_intervals(pairs, operator, found)
    _editions(pairs, served, operator, found)
    _truth(operator, found)
    found.wrong += _forgotten(pairs, operator)
    found.shares = list(shares(hits, operator))
    before |= {host: each[-1] for host, each in hits.items()}
    return found


def _by_host(hits: Sequence[Hit]) -> dict[str, list[Hit]]:
    found = defaultdict(list)
    for hit in sorted(hits, key=lambda each: each.arrived):
        found[hit.host].append(hit)
    return found


def _visits(operator: Operator) -> dict[str, list[Visit]]:
    """Host -> its visits of this piece, in order."""
    found, first = defaultdict(list), operator.runs[0].first_visit
    firsts = [run.first_visit for run in operator.runs]
    rows = _rows(operator, f"SELECT id, url, kind, started, ended, status, requests FROM visit WHERE id >= {first}")
    for id, url, kind, started, ended, status, requests in rows:
        run, parts = operator.runs[bisect_right(firsts, id) - 1], urlsplit(url)
        path = parts.path + f"?{parts.query}" * bool(parts.query)
        visit = Visit(
            host=parts.hostname or "",
            path=path,
            kind=kind,
            started=started - run.ahead,
            ended=ended - run.ahead,
            status=status,
            requests=requests,
        )
        found[visit.host].append(visit)
    for visits in found.values():
        visits.sort(key=lambda each: each.started)
    return found


def _rows(operator: Operator, sql: str) -> list[tuple]:
    with closing(sqlite3.connect(f"file:{operator.crawl}/crawl.db?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


def match(
    hits: dict[str, list[Hit]], visits: dict[str, list[Visit]], operator: Operator, found: Judgement
) -> dict[str, list[tuple[Visit, Hit]]]:
    """Host -> its visits with an answer, each with the request that the server saw."""
    pairs: dict[str, list[tuple[Visit, Hit]]] = defaultdict(list)
    for host in hits.keys() | visits.keys():
        open_hits = list(hits.get(host, ()))
        for visit in visits.get(host, ()):
            own = [hit for hit in open_hits if _is_of(hit, visit)][: visit.requests]
            open_hits = [hit for hit in open_hits if all(hit is not each for each in own)] if own else open_hits
            if own:
                pairs[host].append((visit, own[-1]))
                found.resent.update(map(id, own[1:]))
            elif visit.status is not None:
                found.doubled += 1
                found.wrong.append(f"doubled: {host}{visit.path} at {visit.started:.3f} was never requested")
        for hit in open_hits:
            if _is_undone(hit, operator):
                found.undone += 1
            elif hit.status:
                found.lost += 1
                found.wrong.append(f"lost: {host}{hit.path} at {hit.arrived:.3f} is no visit")
    return pairs


def _is_of(hit: Hit, visit: Visit) -> bool:
    within = visit.started - ROUNDING <= hit.arrived <= visit.ended + ROUNDING
    return within and hit.path.partition("#")[0] == visit.path


def _is_undone(hit: Hit, operator: Operator) -> bool:
    """Whether a kill came before the answer was committed, or while the request was in flight."""
    for run in operator.runs:
        if run.killed and run.committed - FLIGHT <= hit.arrived <= run.ended + FLIGHT:
            ended = hit.answered or math.inf
            if ended >= run.committed - ROUNDING and hit.arrived >= run.begun:
                return True
    return _is_killed_after(hit, operator)


def _is_killed_after(hit: Hit, operator: Operator) -> bool:
    """Whether a process was killed while a request was in flight or its page was read."""
    return any(
        hit.arrived - ROUNDING <= moment <= (hit.answered or hit.arrived) + FLIGHT
        for moment, what in operator.disturbances
        if "kill" in what or what in ("full disk", "stop at once")
    )


def check_gaps(hits: dict[str, list[Hit]], before: dict[str, Hit], operator: Operator, found: Judgement) -> None:
    """By the log of the servers. Who was killed sends nothing more, however late the server reads what was sent."""
    kills = sorted(run.ended for run in operator.runs if run.killed)
    for host, each in hits.items():
        delay = operator.hosts.delay(host)
        earlier = [before[host], *each] if host in before else each
        for one, other in pairwise(earlier):
            if id(other) in found.resent:
                continue
            place = bisect_left(kills, one.arrived - delay)
            end = one.answered or one.arrived
            if place < len(kills) and kills[place] <= end:
                end = kills[place]
            found.gaps += 1
            share = (other.arrived - end) / delay
            found.shortest = min(found.shortest, share)
            if share < 1:
                found.wrong.append(f"gap: {host}{other.path} {share * delay:.3f} s after {one.path}, due {delay:g} s")


def _addresses(hits: Sequence[Hit], hosts: Hosts, found: Judgement) -> None:
    by_address = defaultdict(list)
    for hit in sorted(hits, key=lambda each: each.arrived):
        by_address[hosts.addresses[hit.host]].append(hit)
    for address, each in by_address.items():
        for one, other in pairwise(each):
            if one.host != other.host and other.arrived - one.arrived < ADDRESS_DELAY:
                found.wrong.append(f"gap: {address}: two requests within {other.arrived - one.arrived:.3f} s")


def check_intervals(pairs: dict[str, list[tuple[Visit, Hit]]], operator: Operator, found: Judgement) -> None:
    """No page of an honest host is visited before its time; what a wrong clock makes due is."""
    least, jumps = operator.hosts.settings.interval, [m for m, what in operator.disturbances if "clock" in what]
    for host in pairs.keys() & operator.hosts.honest.keys():
        for path, moments in _moments(pairs[host]).items():
            for one, other in pairwise(moments):
                if other - one < least - ROUNDING and not _within(jumps, one, other):
                    found.wrong.append(f"too soon: {host}{path} {other - one:.3f} s after its last visit")


def _moments(pairs: list[tuple[Visit, Hit]]) -> dict[str, list[float]]:
    """Page -> when it was shown."""
    found = defaultdict(list)
    for visit, hit in pairs:
        if visit.kind == "page" and hit.status in (200, 304):
            found[visit.path].append(hit.arrived)
    return found


def _forgotten(pairs: dict[str, list[tuple[Visit, Hit]]], operator: Operator) -> Iterator[str]:
    """While one page waits, its neighbours are not visited again and again."""
    steps = [moment for moment, _ in operator.disturbances]
    for host in pairs.keys() & operator.hosts.honest.keys():
        pages = _moments(pairs[host])
        for path, moments in pages.items():
            for begin, end in pairwise(moments):
                others = max((_within(each, begin, end) for other, each in pages.items() if other != path), default=0)
                if others > TURNS + _within(steps, begin, end):
                    yield f"forgotten: {host}{path}: another page was visited {others} times meanwhile"


def _within(moments: list[float], begin: float, end: float) -> int:
    """How many of the rising moments lie between two."""
    return bisect_left(moments, end) - bisect_right(moments, begin)


def _editions(pairs: dict[str, list[tuple[Visit, Hit]]], served: Served, operator: Operator, found: Judgement) -> None:
    """Each edition that was sent and committed is stored."""
    sql = "SELECT url.url, title FROM answer JOIN url ON url.id = answer.url WHERE title LIKE '%, edition %'"
    stored = set()
    for url, title in _rows(operator, sql):
        parts = urlsplit(url)
        stored.add((parts.hostname, parts.path, int(title.rpartition(" ")[2])))
    for host in pairs.keys() & operator.hosts.honest.keys():
        for visit, hit in pairs[host]:
            edition = served.edition((host, hit.path), hit.arrived)
            complete = hit.status == 200 and visit.status == 200 and edition is not None
            found.pages += hit.status == 200 and visit.kind == "page"
            if complete and (host, hit.path, edition) not in stored:
                if _is_killed_after(hit, operator):
                    found.undone += 1  # the visit was committed, and the page was not read yet: it stays due
                    continue
                found.lost += 1
                found.wrong.append(f"lost: edition {edition} of {host}{hit.path} was sent, and is not stored")


def _truth(operator: Operator, found: Judgement) -> None:
    """Honest hosts have the URLs that they have, in their states once all were requested."""
    rows = _rows(operator, "SELECT url, state, reason FROM url")
    states, queued = {}, 0
    for url, state, reason in rows:
        parts = urlsplit(url)
        key = (parts.hostname or "", parts.path)
        if key[0] in operator.hosts.honest:
            states[key] = (state, reason)
            queued += state == "queued"
    if len({url for url, _, _ in rows}) < len(rows):
        found.doubled += 1
        found.wrong.append("doubled: a URL has two rows")
    expected = operator.hosts.truth
    for key in states.keys() - expected.keys():
        found.wrong.append(f"never linked: {key}")
    if queued:
        return
    for key in expected:
        if states.get(key) != expected[key]:
            found.lost += 1
            found.wrong.append(f"lost: {key} is {states.get(key)} instead of {expected[key]}")


def shares(hits: dict[str, list[Hit]], operator: Operator) -> Iterator[float]:
    """Of the requests that its delay allows, for each honest host that always has a page that is due.

    Those of all runs that are longer than three delays, from the first request on, which may come a delay late.
    """
    hosts = operator.hosts
    for name, host in hosts.honest.items():
        delay, allowed, sent = hosts.delay(name), 0.0, 0.0
        if host.delay is not None and host.delay < hosts.settings.delay:
            continue  # its pages are visited sooner than they are due again
        for run in operator.runs:
            if run.ended - run.begun > 3 * delay:
                more = _allowed(hits.get(name, []), run, delay)
                allowed, sent = allowed + more[0], sent + more[1]
        if allowed:
            yield sent / allowed


def _allowed(hits: list[Hit], run: Run, delay: float) -> tuple[float, float]:
    """(Requests that a delay allows, requests) in a run; the time since the last one counts as a part of one."""
    own = [hit for hit in hits if run.begun <= hit.arrived <= run.ended]
    begin = own[0].arrived if own else run.begun + 2 * delay
    took = sum((hit.answered or hit.arrived) - hit.arrived for hit in own) / max(1, len(own))
    last = min(1.0, (run.ended - own[-1].arrived) / (delay + took)) if own else 0.0
    return (run.ended - begin) / (delay + took), len(own[1:]) + last
