"""Five kinds of generated webs whose sizes are known, and what a crawl in breadth-first order sees of them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ttcrawl.engine.run.growth import next_sample

Rng = np.random.Generator
Links = Callable[[int], Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWeb:
    """Page 0 is the seed; `links(page)` are the pages that a page links to. `pages`: how many exist, inf: no end."""

    links: Links
    pages: float
    crawled: int  # pages that a crawl fetches at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """The pages of a web in the order in which they were fetched, and their links."""

    web: LinkWeb
    links: tuple[tuple[int, ...], ...]  # of each page, each target once
    distinct: tuple[int, ...]  # after each page: URLs discovered, with the seed


def tree(rng: Rng) -> LinkWeb:
    """Each page links to its children and to its parent."""
    size, children = int(rng.integers(500, 6000)), int(rng.integers(2, 9))

    def links(page: int) -> Sequence[int]:
        below = range(children * page + 1, min(size, children * (page + 1) + 1))
        return [*below, (page - 1) // children] if page else below

    return LinkWeb(links=links, pages=size, crawled=size)


def calendar(rng: Rng) -> LinkWeb:
    """A site of a few hundred pages, or a ring, with a calendar: each month has days, the month before and the next."""
    own, days = int(rng.integers(20, 400)), int(rng.integers(0, 31))
    endless = rng.random() < 0.5
    months = int(rng.integers(200, 3000))
    size = math.inf if endless else own + months * (1 + days)
    site = rng.integers(0, own, (own, 5))

    def links(page: int) -> Sequence[int]:
        if page < own:
            return [*site[page].tolist(), (page + 1) % own, own]
        month, day = divmod(page - own, 1 + days)
        first = own + month * (1 + days)
        if day:
            return [0, first]
        around = [own + (each % months if not endless else abs(each)) * (1 + days) for each in (month - 1, month + 1)]
        return [0, *range(first + 1, first + 1 + days), *around]

    return LinkWeb(links=links, pages=size, crawled=5000)


def power_law(rng: Rng) -> LinkWeb:
    """Links lead to pages in proportion to Pareto weights, so in-degrees follow a power law."""
    size = int(rng.integers(500, 6000))
    weights = rng.pareto(rng.uniform(1.0, 2.0), size) + 1
    return _drawn(rng, size, weights / weights.sum(), rng.geometric(1 / rng.uniform(4, 15), size))


def wiki(rng: Rng) -> LinkWeb:
    """Articles link to others of their topic and to popular ones; each has a menu with ten pages."""
    size, topics = int(rng.integers(500, 6000)), int(rng.integers(5, 40))
    topic = rng.integers(0, topics, size)
    members = [np.flatnonzero(topic == each) for each in range(topics)]
    popular = rng.permutation(size)
    outs: list[list[int]] = []
    for page in range(size):
        count = int(rng.integers(5, 40))
        local = members[topic[page]]
        near = local[(rng.random(count) ** 2 * len(local)).astype(int)]
        far = popular[(rng.random(count // 4) ** 3 * size).astype(int)]
        outs.append([*range(10), *near.tolist(), *far.tolist()])
    _reach(rng, outs)
    return LinkWeb(links=outs.__getitem__, pages=size, crawled=size)


def hubs(rng: Rng) -> LinkWeb:
    """Lists of pages, each with a link to the next list; their pages link to the start and to their list."""
    return lists_with_leaves(int(rng.integers(10, 120)), int(rng.integers(10, 100)))


def lists_with_leaves(lists: int, leaves: int) -> LinkWeb:
    """`leaves`: pages of each list."""
    size = 1 + lists * (1 + leaves)

    def links(page: int) -> Sequence[int]:
        if not page:
            return [1]
        number, leaf = divmod(page - 1, 1 + leaves)
        first = 1 + number * (1 + leaves)
        if leaf:
            return [0, first]
        following = [first + 1 + leaves] if number + 1 < lists else []
        return [0, *range(first + 1, first + 1 + leaves), *following]

    return LinkWeb(links=links, pages=size, crawled=size)


KINDS = {"tree": tree, "ring and calendar": calendar, "power law": power_law, "wiki": wiki, "lists and leaves": hubs}


def crawl(web: LinkWeb) -> Crawl:
    """Fetch its pages in the order in which they are discovered."""
    queue, known = deque([0]), {0}
    links: list[tuple[int, ...]] = []
    distinct: list[int] = []
    while queue and len(links) < web.crawled:
        found = tuple(dict.fromkeys(web.links(queue.popleft())))
        new = [each for each in found if each not in known]
        known.update(new)
        queue.extend(new)
        links.append(found)
        distinct.append(len(known))
    return Crawl(web=web, links=tuple(links), distinct=tuple(distinct))


def growth(made: Crawl, pages: int) -> tuple[list[int], list[int]]:
    """The samples that a crawl has after so many pages: (pages, distinct URLs)."""
    places = [1]
    while places[-1] < pages:
        places.append(min(pages, next_sample(places[-1])))
    return places, [made.distinct[each - 1] for each in places]


def linking(made: Crawl, pages: int) -> tuple[list[int], list[int]]:
    """Of each discovered URL: how many of the first `pages` link to it, and how many of the first half of them."""
    counts: dict[int, list[int]] = {}
    for number, found in enumerate(made.links[:pages]):
        for target in found:
            each = counts.setdefault(target, [0, 0])
            each[0] += 1
            each[1] += number < pages // 2
    return [each for each, _ in counts.values()], [each for _, each in counts.values()]


def _drawn(rng: Rng, size: int, weights: np.ndarray, counts: np.ndarray) -> LinkWeb:
    ends = np.cumsum(counts)
    targets = rng.choice(size, int(ends[-1]), p=weights)
    outs = [targets[start:end].tolist() for start, end in pairwise([0, *ends.tolist()])]
    _reach(rng, outs)
    return LinkWeb(links=outs.__getitem__, pages=size, crawled=size)


def _reach(rng: Rng, outs: list[list[int]]) -> None:
    """Link each page from an earlier one, so that a crawl can reach all."""
    for page in range(1, len(outs)):
        outs[int(rng.integers(0, page))].append(page)
