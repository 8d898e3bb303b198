"""What must hold after a piece: the log of the servers beside the tables, in URLs, moments and editions.

Nothing is lost: each answer is a visit in the tables, but for those that a kill has undone. Nothing is there twice:
each visit is an answer. No two requests are closer than the delay, also across kills, stops and other pieces.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from tests.soak.hosts import Hosts
from tests.soak.matched import ROUNDING, Judgement, Visit, by_host, is_killed_after, match, rows, visits_of
from tests.soak.operate import Operator
from tests.soak.piece import Piece
from tests.soak.served import Served
from tests.soak.shares import shares
from tests.support.web.site import Hit

#: Seconds between requests to one address (the default of [politeness] address_delay).
ADDRESS_DELAY = 0.2

#: Visits of another page of the host between two visits of a page: its neighbours in the queue are late alike.
TURNS = 2


def judge(piece: Piece, served: Served, before: dict[str, Hit]) -> Judgement:
    """`before`: the last request to each host in earlier pieces; those of this one replace them."""
    operator, found = piece.operator, Judgement(wrong=list(piece.operator.wrong), requests=len(piece.hits))
    hits = by_host(piece.hits)
    pairs = match(hits, visits_of(operator), operator, found)
    check_gaps(hits, before, operator, found)
    _addresses(piece.hits, operator.hosts, found)
    check_intervals(pairs, operator, found)
    _editions(pairs, served, operator, found)
    _truth(operator, found)
    found.wrong += _forgotten(pairs, operator)
    found.shares = list(shares(hits, operator))
    before |= {host: each[-1] for host, each in hits.items()}
    return found


def check_gaps(hits: dict[str, list[Hit]], before: dict[str, Hit], operator: Operator, found: Judgement) -> None:
    """By the log of the servers. Who was killed sends nothing more, however late the server reads what was sent; when
    a request was sent that was read after its sender had gone, no one knows."""
    kills = sorted(run.ended for run in operator.runs if run.killed)
    for host, each in hits.items():
        delay = operator.hosts.delay(host)
        earlier = [before[host], *each] if host in before else each
        for one, other in pairwise(hit for hit in earlier if not hit.gone):
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
    """No page of an honest host is visited before its time; what a wrong clock makes due is.

    A kill may come between the commit of a visit and that of its page, which stays due.
    """
    least = operator.hosts.settings.interval
    excuses = [
        m for m, what in operator.disturbances if "kill" in what or what in ("clock", "full disk", "stop at once")
    ]
    for host in pairs.keys() & operator.hosts.honest.keys():
        for path, moments in _moments(pairs[host]).items():
            for one, other in pairwise(moments):
                if other - one < least - ROUNDING and not _within(excuses, one, other):
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
    for url, title in rows(operator, sql):
        parts = urlsplit(url)
        stored.add((parts.hostname, parts.path, int(title.rpartition(" ")[2])))
    for host in pairs.keys() & operator.hosts.honest.keys():
        for visit, hit in pairs[host]:
            edition = served.edition((host, hit.path), hit.arrived)
            complete = hit.status == 200 and visit.status == 200 and edition is not None
            found.pages += hit.status == 200 and visit.kind == "page"
            if complete and (host, hit.path, edition) not in stored:
                if is_killed_after(hit, operator):
                    found.undone += 1  # the visit was committed, and the page was not read yet: it stays due
                    continue
                found.lost += 1
                found.wrong.append(f"lost: edition {edition} of {host}{hit.path} was sent, and is not stored")


def _truth(operator: Operator, found: Judgement) -> None:
    """Honest hosts have the URLs that they have, in their states once all were requested."""
    urls = rows(operator, "SELECT url, state, reason FROM url")
    states, queued = {}, 0
    for url, state, reason in urls:
        parts = urlsplit(url)
        key = (parts.hostname or "", parts.path)
        if key[0] in operator.hosts.honest:
            states[key] = (state, reason)
            queued += state == "queued"
    if len({url for url, _, _ in urls}) < len(urls):
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
