"""Twenty hosts and a delay: the gaps between requests to a host, by the log of the server.

Each crawler is asked for a second between two requests to a host, in its own way. On every second host robots.txt asks
for two (`Crawl-delay`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.comparison.peers import Order, Peer
from benchmarks.comparison.running import at_once, by_name, crawl, scratch, table
from tests.support.web.site import Answer, Hit, Web, page, robots

HOSTS = tuple(f"127.0.1.{number}" for number in range(1, 21))
PAGES = 6  # of a host
DELAY, CRAWL_DELAY = 1.0, 2.0

#: Seconds that a crawl may take: one host after the other takes (20 hosts, 7 requests of each) 140.
LIMIT = 200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    pages: int
    wall: float
    ended: bool
    gap: float  # the shortest on a host whose robots.txt has no delay, seconds from an answer to the next request
    crawl_delay_gap: float  # of those whose robots.txt has one
    at_once: int  # most requests to one host at the same time


def site() -> dict[tuple[str, str], Answer]:
    paths = [f"/{number}" for number in range(1, PAGES)]
    pages = {(host, path): Answer(body=page("/", title=path), delay=0.05) for host in HOSTS for path in paths}
    pages |= {(host, "/"): Answer(body=page(*paths), delay=0.05) for host in HOSTS}
    rules = {
        True: robots("User-agent: *", f"Crawl-delay: {CRAWL_DELAY:g}"),
        False: robots("User-agent: *", "Disallow:"),
    }
    return pages | {(host, "/robots.txt"): rules[host in HOSTS[::2]] for host in HOSTS}


def judged(log: Sequence[Hit]) -> tuple[float, float, int]:
    """The shortest gaps without and with a delay in robots.txt, and most requests to one host at once."""
    gaps: dict[bool, list[float]] = {True: [], False: []}
    most = 1
    of_host = defaultdict[str, list[Hit]](list)
    for hit in log:
        of_host[hit.host].append(hit)
    for host, hits in of_host.items():
        hits.sort(key=lambda hit: hit.arrived)
        gaps[host in HOSTS[::2]] += [later.arrived - (hit.answered or hit.arrived) for hit, later in pairwise(hits)]
        for hit in hits:
            most = max(most, sum(each.arrived <= hit.arrived < (each.answered or each.arrived) for each in hits))
    shortest = {delayed: max(0.0, min(some, default=0.0)) for delayed, some in gaps.items()}
    return shortest[False], shortest[True], most


def measured(case: str, name: str) -> Outcome:
    """How a crawler goes through the twenty hosts."""
    with Web(site(), addresses={host: host for host in HOSTS}) as web, scratch() as folder:
        order = Order(seeds=tuple(web.url(host, "/") for host in HOSTS), folder=Path(folder), delay=DELAY)
        done = crawl(by_name(name), order, LIMIT)
        log = web.log()
    gap, crawl_delay_gap, most = judged(log)
    pages = {(hit.host, hit.path) for hit in log if hit.path != "/robots.txt" and hit.status == 200}
    return Outcome(
        pages=len(pages), wall=done.wall, ended=done.ended, gap=gap, crawl_delay_gap=crawl_delay_gap, at_once=most
    )


def compared(peers: list[Peer]) -> str:
    """The table; all crawlers at once, each with hosts of its own, as they wait nearly all the time."""
    outcomes = at_once(measured, [("politeness", peer.name) for peer in peers], len(peers))
    head = ["crawler", "asked by", f"pages of {len(HOSTS) * PAGES}", "s"]
    head += ["shortest gap, s", f"with Crawl-delay: {CRAWL_DELAY:g}, s", "at once"]
    return table(head, [_row(peer, outcomes["politeness", peer.name]) for peer in peers], 5)


def _row(peer: Peer, outcome: Outcome) -> list[str]:
    wall = f"{outcome.wall:.0f}" if outcome.ended else f"> {LIMIT:.0f}"
    gaps = [f"{outcome.gap:.2f}", f"{outcome.crawl_delay_gap:.2f}"]
    return [peer.name, peer.delay, f"{outcome.pages:,}", wall, *gaps, str(outcome.at_once)]
