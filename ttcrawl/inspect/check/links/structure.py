"""How pages are connected: clicks from the start, pages linked once, dead ends, and pages with too many links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import compress

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.links.orphans import FOLLOWED
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.snapshot.outlinks import keys_of_row, rows
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import key

DEEP, ONCE, DEAD_END, TOO_MANY = KINDS = ("deep-page", "linked-once", "dead-end", "too-many-links")

#: Clicks from a seed, and distinct targets of a page, that are not too many.
DEEPEST, MOST = 5, 2000

_FOLLOWED = bytes(chr(letter) in FOLLOWED for letter in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Ids of URLs of the hosts of pages, and their distinct links to each other."""

    moved: set[int]
    targets: dict[int, list[int]]  # of each URL with links
    linked: dict[int, int]  # of each URL with links: how many URLs it links to, those of other hosts too


def structure_problems(db: View) -> Iterator[Problem]:
    pages = db.execute(f"SELECT url.id, url.url, length FROM {PAGES} ORDER BY url.id").fetchall()
    if not pages:
        return
    graph = _graph(db)
    clicks, linking = _clicks(db, graph), linking_of(graph)
    seeds = set(db.seeds)
    for id, url, length in pages:
        if clicks.get(id, 0) > DEEPEST:
            yield Problem(kind=DEEP, url=url, detail=f"{clicks[id]} clicks")
        if linking[id] == 1 and url not in seeds:
            yield Problem(kind=ONCE, url=url)
        if not graph.targets.get(id) and length:
            yield Problem(kind=DEAD_END, url=url)
        if graph.linked.get(id, 0) > MOST:
            yield Problem(kind=TOO_MANY, url=url, text=f"{graph.linked[id]:,} URLs")


def _graph(db: View) -> Graph:
    own = f"SELECT site FROM {PAGES}"
    ids = {key: id for id, key in db.execute(f"SELECT id, key FROM url WHERE site IN ({own})")}
    of_hosts = set(ids.values())
    targets, linked = {}, {}
    for source, packed, kinds, _, _ in rows(db):
        if source in of_hosts:
            keys = set(compress(keys_of_row(source, packed, len(kinds)), kinds.translate(_FOLLOWED)))
            linked[source] = len(keys)
            targets[source] = [ids[key] for key in keys if key in ids and ids[key] != source]
    moved = {id for (id,) in db.execute("SELECT id FROM url WHERE state = 'moved'")}
    return Graph(moved=moved, targets=targets, linked=linked)


def _clicks(db: View, graph: Graph) -> dict[int, int]:
    """The clicks on the shortest path from a seed, of each URL that a path leads to; a redirect is none."""
    clicks: dict[int, int] = {}
    ids = (db.execute(f"SELECT {db.id_of('?1')}", (key(seed),)).fetchone() for seed in db.seeds)
    front = {id for (id,) in ids if id is not None}
    step = 0
    while front:
        level = set[int]()
        while front:  # redirects first: they cost no click
            clicks.update(dict.fromkeys(front, step))
            level |= front
            front = _next(graph, front & graph.moved, clicks)
        front = _next(graph, level - graph.moved, clicks)
        step += 1
    return clicks


def _next(graph: Graph, front: set[int], clicks: Mapping[int, int]) -> set[int]:
    """The URLs without a number of clicks to which those in front link."""
    return {target for source in front for target in graph.targets.get(source, ()) if target not in clicks}


def linking_of(graph: Graph) -> Counter[int]:
    """Of each URL: how many pages link to it; a link to redirects counts for the URL behind them."""
    from_pages, over_redirects = Counter[int](), Counter[int]()
    for source, targets in graph.targets.items():
        if source not in graph.moved:
            from_pages.update(targets)
    for redirect in graph.moved & from_pages.keys():
        over_redirects[_behind(graph, redirect)] += from_pages[redirect]
    return from_pages + over_redirects


def _behind(graph: Graph, url: int) -> int:
    """The last URL of a path of redirects."""
    passed = set[int]()
    while url in graph.moved and url not in passed and (targets := graph.targets.get(url)):
        passed.add(url)
        url = targets[0]
    return url
