"""The chapters of a site, for a picture: groups of pages, the links between the groups, and their most linked pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.report.graph.backbone import backbone
from ttcrawl.report.graph.network import subgraph
from ttcrawl.report.graph.selection import grouping
from ttcrawl.report.of_links import MAIN

if TYPE_CHECKING:
    from ttcrawl.report.graph.matrix import Ints
    from ttcrawl.report.graph.network import Network

MOST_CHAPTERS, MOST_PAGES, MOST_LINKS = 14, 700, 700  # drawn; the last chapter has all other pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    name: str
    pages: int
    inside: int  # links between its pages
    drawn: tuple[int, ...]  # in-degrees of its pages that are drawn, highest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """Links between two chapters."""

    first: int  # index of a chapter
    second: int  # index of a chapter
    links: int  # in both directions


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapters:
    """The parts of a site, as they are drawn."""

    chapters: tuple[Chapter, ...]
    between: tuple[Between, ...]  # most links first
    links: tuple[tuple[int, int], ...]  # the strongest, as indexes of the drawn pages, chapter after chapter
    alone: int  # pages without such links, which are in no chapter
    of_links: str  # main text or all links


def chapters(pages: Network, of_links: str = MAIN) -> Chapters:
    """The largest sites, of a single site its directories or communities, as in ttcrawl.report.graph.selection."""
    network = subgraph(pages, np.flatnonzero(pages.in_degree() + pages.out_degree()))
    groups = grouping(network, MOST_CHAPTERS, _without_common(network.titles))
    sizes = np.bincount(groups.look, minlength=MOST_CHAPTERS)
    looks = [look for look in range(MOST_CHAPTERS) if sizes[look]]
    number = np.zeros(MOST_CHAPTERS, dtype=np.int64)
    number[looks] = np.arange(len(looks))
    group = number[groups.look]
    into = network.in_degree()
    members = [_most_linked(np.flatnonzero(group == each), into, network.nodes) for each in range(len(looks))]
    shown = np.concatenate([*members, np.empty(0, dtype=np.int64)]).astype(np.int64)
    pairs = group[network.source] * len(looks) + group[network.target]
    links = np.bincount(pairs, minlength=len(looks) ** 2).reshape(len(looks), len(looks))
    return Chapters(
        chapters=tuple(
            Chapter(
                name=groups.names[look],
                pages=int(sizes[look]),
                inside=int(links[index, index]),
                drawn=tuple(into[members[index]].tolist()),
            )
            for index, look in enumerate(looks)
        ),
        between=_between(links + links.T),
        links=_strongest(network, shown),
        alone=pages.nodes - network.nodes,
        of_links=of_links,
    )


def _most_linked(pages: Ints, into: Ints, all_pages: int) -> Ints:
    """The share of MOST_PAGES that these pages have, at least one."""
    count = len(pages) if all_pages <= MOST_PAGES else max(1, MOST_PAGES * len(pages) // all_pages)
    highest: Ints = pages[np.argsort(-into[pages], kind="stable")[:count]]
    return highest


def _between(links: Ints) -> tuple[Between, ...]:
    first, second = np.nonzero(np.triu(links, 1))
    counts = links[first, second]
    order = np.argsort(-counts, kind="stable")
    rows = zip(first[order].tolist(), second[order].tolist(), counts[order].tolist(), strict=True)
    return tuple(Between(first=one, second=other, links=count) for one, other, count in rows)


def _strongest(network: Network, shown: Ints) -> tuple[tuple[int, int], ...]:
    """The backbone of the links between the nodes that are shown, as pairs of indexes into `shown`, each pair once."""
    index = np.full(network.nodes, -1, dtype=np.int64)
    index[shown] = np.arange(len(shown))
    ends = np.stack([index[network.source], index[network.target]])
    ends = np.unique(np.sort(ends[:, (ends >= 0).all(axis=0)], axis=0), axis=1)
    strong = backbone(ends[0], ends[1], len(shown), MOST_LINKS)
    links = ends[:, strong].T
    links = links[:: -(-len(links) // MOST_LINKS) or 1]
    return tuple((first, second) for first, second in links.tolist())


def _without_common(titles: Sequence[str]) -> list[str]:
    """Titles without the beginning and the end that all of them have, such as the name of the site."""
    named = [each for each in titles if each]
    if len(named) < 2:
        return list(titles)
    before, after = _common(named), _common([each[::-1] for each in named])
    return [each[before : len(each) - after].strip(" -–—|:·,") or each for each in titles]


def _common(texts: Sequence[str]) -> int:
    """The number of characters with which all of them begin: the first and the last in order differ the soonest."""
    first, last = min(texts), max(texts)
    return next((n for n, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
