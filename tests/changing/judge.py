"""What must hold at the end: counted in requests, so that a busy machine may be as slow as it is."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from urllib.parse import urlsplit

from tests.changing.play import COMMITTED, Play
from tests.changing.web import Key, keys
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check
from tests.support.web.site import Hit

#: Seconds between requests to one address (the default of [politeness] address_delay).
ADDRESS_DELAY = 0.2

#: Seconds that a busy server may take to read a request whose process was killed (see tests.weeks.judge).
LAG = 0.1

#: Visits of another page of the host between two visits of a page: its neighbours in the queue are late alike.
TURNS = 2


#: Growth of the largest process of a role that is none: that of its caches, and of measurement.
GROWTH = 1.25


def wrong(play: Play) -> list[str]:
    """Everything that does not hold."""
    steps = (_polite, too_soon, _forgotten, _versions, memory, _order)
    return [line for step in steps for line in step(play)]


def visits(play: Play) -> dict[Key, list[Hit]]:
    """Page -> its requests after the first crawl, in order."""
    found: dict[Key, list[Hit]] = {key: [] for key in keys(play.hosts, play.pages)}
    for hit in play.hits:
        if (hit.host, hit.path) in found and hit.arrived >= play.begun:
            found[hit.host, hit.path].append(hit)
    return found


def _polite(play: Play) -> Iterator[str]:
    by_host = defaultdict(list)
    for hit in play.hits:
        by_host[hit.host].append(hit)
    least = max(play.delay, ADDRESS_DELAY)
    for host, hits in by_host.items():
        for before, after in pairwise(hits):
            gap = after.arrived - (before.answered or before.arrived)
            if gap < least - (LAG if _steps(play, before.arrived, after.arrived) else 0.0):
                yield f"{host}: {after.path} {gap:.3f} s after {before.path}"


def _steps(play: Play, begin: float, end: float) -> int:
    """How often a process was killed, or the crawl stopped, in a time."""
    return sum(begin - LAG <= moment <= end for moment, _ in play.steps)


def too_soon(play: Play) -> Iterator[str]:
    """A visit comes before its time only if the one before it was lost with a process.

    A kill loses what was in flight, one request of a host, and what was not committed; a stop loses nothing.
    """
    kills, undone = [moment for moment, what in play.steps if what != "stop"], 0
    for key, hits in visits(play).items():
        for before, after in pairwise(hits):
            gap = after.arrived - before.arrived
            if gap >= play.interval:
                continue
            if any(before.arrived - LAG <= kill <= after.arrived for kill in kills):
                undone += 1
            else:
                yield f"too soon: {key} {gap:.3f} s after its last visit"
    most = len(kills) * (play.hosts + COMMITTED)
    if undone > most:
        yield f"too soon: {undone} visits, but {len(kills)} kills undo {most} at most"


def memory(play: Play) -> Iterator[str]:
    """The largest process of each role has in the last third hardly more memory than in the middle one."""
    third = len(play.samples) // 3
    for role in ("crawl", "fetch", "parse"):
        middle, last = (
            median([each.memory[role] for each in samples if each.memory[role]] or [0])
            for samples in (play.samples[third : 2 * third], play.samples[2 * third :])
        )
        if last > GROWTH * middle:
            yield f"memory grows: {role} {middle / 1e6:,.1f} MB, then {last / 1e6:,.1f} MB"


def _forgotten(play: Play) -> Iterator[str]:
    """While one page waits, its neighbours are not visited again and again."""
    by_host = defaultdict(list)
    for key, hits in visits(play).items():
        by_host[key[0]].append((key, [hit.arrived for hit in hits]))
    for pages in by_host.values():
        for key, moments in pages:
            for begin, end in pairwise((play.begun, *moments, play.ended)):
                others = max(_within(other, begin, end) for name, other in pages if name != key)
                if others > TURNS + _steps(play, begin, end):
                    yield f"forgotten: {key} for {end - begin:.1f} s, in which another page was visited {others} times"


def _versions(play: Play) -> Iterator[str]:
    """A version that the server has sent, and no kill has undone, is stored, and one that was there for long."""
    stored, seen, lives = titles(play), visits(play), lifetimes(play)
    for key, hits in seen.items():
        others = [[hit.arrived for hit in seen[other]] for other in seen if other[0] == key[0] and other != key]
        for version, (begin, end) in enumerate(lives[key]):
            if version in stored[key]:
                continue
            sent = [hit for hit in hits if begin < hit.arrived < end and hit.status == 200 and hit.answered]
            if any(not _steps(play, hit.arrived, hit.arrived + play.interval) for hit in sent):
                yield f"version {version} of {key} was sent, and is not stored"
            elif max(_within(each, begin, end) for each in others) > TURNS + 2 * _steps(play, begin, end):
                yield f"version {version} of {key} was there for {end - begin:.1f} s, and is not stored"


def _within(moments: list[float], begin: float, end: float) -> int:
    """How many of the rising moments lie between two."""
    return bisect_left(moments, end) - bisect_left(moments, begin)


def lifetimes(play: Play) -> dict[Key, list[tuple[float, float]]]:
    """Page -> when each of its versions was surely shown."""
    found = {}
    for key in keys(play.hosts, play.pages):
        moments = play.changed.get(key, [])
        begins = [play.begun, *(after for _, after in moments)]
        ends = [*(before for before, _ in moments), play.ended]
        found[key] = list(zip(begins, ends, strict=True))
    return found


def titles(play: Play) -> dict[Key, set[int]]:
    """Page -> the versions in the database."""
    found: dict[Key, set[int]] = defaultdict(set)
    sql = "SELECT url.url, title FROM answer JOIN url ON url.id = answer.url WHERE title LIKE 'version %'"
    for url, title in query(play.crawl, sql):
        parts = urlsplit(url)
        found[parts.hostname or "", parts.path].add(int(title.split()[1]))
    return found


def _order(play: Play) -> Iterator[str]:
    if told := verified(play.crawl):
        yield f"verify: {told}"
    if "Traceback" in play.output.read_text():
        yield f"a traceback is in {play.output}"
    foreign_check(play.crawl / "warc")


def figures(play: Play) -> Iterator[str]:
    """What the run has shown, in lines."""
    seen, stored = visits(play), titles(play)
    hits = [hit for each in seen.values() for hit in each]
    gaps = [after.arrived - before.arrived for each in seen.values() for before, after in pairwise(each)]
    lost = sum(gap < play.interval for gap in gaps)
    lives = {(key, n): end - begin for key, each in lifetimes(play).items() for n, (begin, end) in enumerate(each)}
    yield f"{len(hits):,} visits of {len(seen)} pages, {sum(hit.status == 304 for hit in hits):,} answered with 304"
    yield f"{len(play.steps)} kills and stops; {lost} visits were made again because of them"
    yield f"seconds from visit to visit, without those: {min(g for g in gaps if g >= play.interval):.1f} at least,"
    yield f"  {median(gaps):.1f} in the median, {max(gaps):.1f} at most (interval {play.interval:g})"
    for least, most in ((0.0, 1.0), (1.0, 2.0), (2.0, math.inf)):
        here = [each for each, life in lives.items() if least <= life / play.interval < most]
        kept = sum(version in stored[key] for key, version in here)
        yield f"versions that were there for {least:g} to {most:g} intervals: {len(here)}, stored: {kept}"
    for each in play.samples[:: max(1, len(play.samples) // 12)]:
        memory = ", ".join(f"{role} {size / 1e6:.0f} MB" for role, size in each.memory.items())
        sizes = f"crawl.db {each.database / 1e6:.2f} MB, its log {each.log / 1e6:.2f} MB"
        yield f"{each.at - play.begun:6,.0f} s  {each.visits:,} visits  {sizes}  {memory}, crawl CPU {each.cpu:.1f} s"
