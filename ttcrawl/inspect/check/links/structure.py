"""How pages are connected: clicks from the start, pages linked once, dead ends, and pages with too many links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.links.orphans import FOLLOWED
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.snapshot.outlinks import Outlinks, outlinks
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.web.url import key

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEEP, ONCE, DEAD_END, TOO_MANY = KINDS = ("deep-page", "linked-once", "dead-end", "too-many-links")

#: Clicks from a seed, and distinct targets of a page, that are not too many.
DEEPEST, MOST = 5, 2000

_FOLLOWED = np.isin(np.arange(256), np.frombuffer("".join(FOLLOWED | {REDIRECT.letter}).encode(), dtype=np.uint8))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graph:
    """Distinct links between URLs of the hosts of pages, by index in `ids`; and of each page all that it links to."""

    ids: NDArray[np.int64]  # of URLs, rising
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    linked: NDArray[np.int64]  # of each URL: how many URLs it links to, those of other hosts too


def structure_problems(db: View) -> Iterator[Problem]:
    pages = db.execute(f"SELECT url.id, url.url, length FROM {PAGES} ORDER BY url.id").fetchall()
    if not pages:
        return
    graph = _graph(db)
    moved = np.isin(graph.ids, [id for (id,) in db.execute("SELECT id FROM url WHERE state = 'moved'")])
    clicks = _clicks(db, graph, moved)
    on_from = np.bincount(graph.sources, minlength=len(graph.ids))
    once = _linking(graph, moved)
    seeds = set(db.seeds)
    for id, url, length in pages:
        index = int(np.searchsorted(graph.ids, id))
        if clicks[index] > DEEPEST:
            yield Problem(kind=DEEP, url=url, detail=f"{clicks[index]} clicks")
        if once[index] == 1 and url not in seeds:
            yield Problem(kind=ONCE, url=url)
        if not on_from[index] and length:
            yield Problem(kind=DEAD_END, url=url)
        if graph.linked[index] > MOST:
            yield Problem(kind=TOO_MANY, url=url, text=f"{graph.linked[index]:,} URLs")


def _graph(db: View) -> _Graph:
    own = f"SELECT site FROM {PAGES}"
    rows = db.execute(f"SELECT id, key FROM url WHERE site IN ({own}) ORDER BY id").fetchall()
    ids, keys = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    by_key = np.argsort(keys)
    linked = np.zeros(len(ids), dtype=np.int64)
    sources, targets = [], []
    for batch in outlinks(db):
        batch = _without_repeats(batch.where(_FOLLOWED[batch.kinds]))
        sender, is_own = _indexes(batch.sources[batch.pages], ids)
        linked += np.bincount(sender[is_own], minlength=len(ids))
        position, among = _indexes(batch.targets, keys[by_key])
        target = by_key[position]
        both = is_own & among & (target != sender)
        sources.append(sender[both])
        targets.append(target[both])
    return _Graph(ids=ids, sources=np.concatenate(sources), targets=np.concatenate(targets), linked=linked)


def _without_repeats(links: Outlinks) -> Outlinks:
    order = np.lexsort((links.targets, links.pages))
    pages, targets = links.pages[order], links.targets[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (pages[1:] != pages[:-1]) | (targets[1:] != targets[:-1])
    return links.where(np.sort(order[first]))


def _indexes(values: NDArray[np.int64], rising: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where each value is among the rising ones, and whether it is there."""
    index = np.minimum(np.searchsorted(rising, values), len(rising) - 1)
    return index, rising[index] == values


def _clicks(db: View, graph: _Graph, moved: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Of each URL: the clicks on the shortest path from a seed; a redirect is none. -1: no link leads there."""
    clicks = np.full(len(graph.ids), -1, dtype=np.int64)
    seeds = [row[0] for seed in db.seeds for row in db.execute(f"SELECT {db.id_of('?1')}", (key(seed),))]
    index, among = _indexes(np.array([id for id in seeds if id is not None] or [-1], dtype=np.int64), graph.ids)
    front = np.unique(index[among])
    step = 0
    while len(front):
        while len(front):  # redirects first: they cost no click
            clicks[front] = step
            reached = _next(graph, front[moved[front]], clicks)
            front = reached
        front = _next(graph, np.flatnonzero((clicks == step) & ~moved), clicks)
        step += 1
    return clicks


def _next(graph: _Graph, front: NDArray[np.int64], clicks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The URLs without a number of clicks to which those in front link."""
    inside = np.zeros(len(graph.ids), dtype=bool)
    inside[front] = True
    reached = np.unique(graph.targets[inside[graph.sources]])
    return reached[clicks[reached] < 0]


def _linking(graph: _Graph, moved: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Of each URL: how many pages link to it; a link to a redirect counts for its target."""
    from_page = ~moved[graph.sources]
    counts = np.bincount(graph.targets[from_page], minlength=len(graph.ids))
    steps = ~from_page
    total = counts.copy()
    np.add.at(total, graph.targets[steps], counts[graph.sources[steps]])
    return total
