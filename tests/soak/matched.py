"""The requests that the servers saw beside the visits in the tables: each answer is a visit, each visit an answer."""

from __future__ import annotations

import math
import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.soak.operate import Operator
from tests.support.web.site import Hit

#: Seconds by which moments of the crawl and of the servers differ: they are rounded numbers.
ROUNDING = 0.01

#: Seconds that a request may be in flight ([fetch] total_timeout).
FLIGHT = 120.0

#: Seconds that a fetch process may take on a busy machine to hand on an answer, and a server to read a request.
LAG = 5.0


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
    late: int = 0  # requests that a server read after their sender had gone
    resent: set[int] = field(default_factory=set)  # ids of requests that belong to the visit of the one before


def by_host(hits: Sequence[Hit]) -> dict[str, list[Hit]]:
    found = defaultdict(list)
    for hit in sorted(hits, key=lambda each: each.arrived):
        found[hit.host].append(hit)
    return found


def visits_of(operator: Operator) -> dict[str, list[Visit]]:
    """Host -> its visits of this piece, in order."""
    found, first = defaultdict(list), operator.runs[0].first_visit
    firsts = [run.first_visit for run in operator.runs]
    sql = f"SELECT id, url, kind, started, ended, status, requests FROM visit WHERE id >= {first}"
    for id, url, kind, started, ended, status, requests in rows(operator, sql):
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


def rows(operator: Operator, sql: str) -> list[tuple]:
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
        found.late += sum(hit.gone for hit in hits.get(host, ()))
        given_up = [visit for visit in visits.get(host, ()) if visit.status is None]
        for hit in open_hits:
            if any(_came_late(hit, visit) for visit in given_up):
                continue
            if _is_undone(hit, operator) or (_may_be_undone(hit, operator) and _comes_again(hit, hits[host])):
                found.undone += 1
            elif hit.status:
                found.lost += 1
                found.wrong.append(f"lost: {host}{hit.path} at {hit.arrived:.3f} is no visit")
    return pairs


def _is_of(hit: Hit, visit: Visit) -> bool:
    within = visit.started - ROUNDING <= hit.arrived <= visit.ended + ROUNDING
    return within and hit.path.partition("#")[0] == visit.path


def _came_late(hit: Hit, visit: Visit) -> bool:
    """Whether the server read a request after the crawl had given it up, which is a visit without an answer."""
    until = math.inf if hit.gone else visit.ended + FLIGHT
    return hit.path.partition("#")[0] == visit.path and visit.started <= hit.arrived <= until


def _is_undone(hit: Hit, operator: Operator) -> bool:
    """Whether a kill came before the answer was committed, or to the process that had the request in flight."""
    answered = hit.answered or math.inf
    if any(
        run.begun <= hit.arrived <= run.ended + FLIGHT and answered >= run.committed - ROUNDING
        for run in operator.runs
        if run.killed
    ):
        return True
    return any(
        hit.arrived - ROUNDING <= moment <= min(answered, hit.arrived + FLIGHT) + LAG
        for moment, what in operator.disturbances
        if what in ("kill fetch", "kill server")
    )


def _may_be_undone(hit: Hit, operator: Operator) -> bool:
    """Whether the process that sent it may have been killed before a busy server read it, or the crawl process before
    a busy fetch process handed the answer on: that was under way at the last commit."""
    since = 0.0 if hit.gone else hit.arrived - LAG
    kills = [moment for moment, what in operator.disturbances if what in ("kill fetch", "kill server")]
    if hit.gone:
        kills += [run.ended for run in operator.runs if run.killed]
    if any(since <= moment <= hit.arrived for moment in kills):
        return True
    answered = hit.answered or math.inf
    return any(0 <= run.committed - answered <= LAG for run in operator.runs if run.killed)


def _comes_again(hit: Hit, hits: Sequence[Hit]) -> bool:
    return any(each.arrived > hit.arrived and each.path == hit.path for each in hits)


def is_killed_after(hit: Hit, operator: Operator) -> bool:
    """Whether a process was killed while a request was in flight or its page was read."""
    return any(
        hit.arrived - ROUNDING <= moment <= (hit.answered or hit.arrived) + FLIGHT
        for moment, what in operator.disturbances
        if undoes(what)
    )


def undoes(what: str) -> bool:
    """Whether what was done to a crawl may have undone what was not committed."""
    return "kill" in what or what in ("full disk", "stop at once")
