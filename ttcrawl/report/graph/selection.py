"""The part of a graph that a picture shows, and which of its nodes have one colour.

Nodes of a site have one colour; on a single site, nodes of a directory or of a community.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ttcrawl.report.graph.communities import communities
from ttcrawl.report.graph.matrix import Floats, Ints
from ttcrawl.report.graph.measures import top
from ttcrawl.report.graph.network import Network, numbered, subgraph

DEEPEST = 6  # directories below the root
FEWEST, LARGEST = 3, 0.8  # of a useful division: groups, and the share of the largest


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Some nodes and the links between them, with their figures from the complete graph."""

    network: Network
    into: Ints  # of each node: in-degree in the complete graph
    look: Ints  # of each node: rank of its group by nodes in the complete graph, from 0; the last value: all others
    names: tuple[str, ...]  # of the groups
    alone: int  # nodes left out because they have no link within the part


def select(network: Network, order: Ints | Floats, most: int, groups: Grouping) -> Selection:
    """The `most` nodes that are highest in `order`; `groups` are those of the complete graph."""
    highest = np.sort(np.argsort(-order, kind="stable")[:most])
    induced = subgraph(network, highest)
    linked = np.flatnonzero(induced.in_degree() + induced.out_degree())
    return Selection(
        network=subgraph(induced, linked),
        into=network.in_degree()[highest][linked],
        look=groups.look[highest][linked],
        names=groups.names,
        alone=induced.nodes - len(linked),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    look: Ints  # of each node: rank of its group, from 0; the last one: all other groups
    names: tuple[str, ...]  # of the groups, the last one for all others


def grouping(network: Network, looks: int, titles: Sequence[str] = ()) -> Grouping:
    """At most `looks` groups of nodes, the largest first, with one for all others.

    A community has the name of its most linked node: of its URL, or of its title in `titles`.
    """
    if len(network.hosts) > 1:
        names = list(network.hosts)
        return _largest(network.host, network.pages, names, looks, "other sites")
    directories = _directories(network.labels)
    if directories is not None:
        group, names = numbered(directories)
        return _largest(group, np.ones(network.nodes, dtype=np.int64), names, looks, "other directories")
    community = communities(network)
    into = network.in_degree()
    order = np.argsort(into, kind="stable")
    leader = np.zeros(network.nodes, dtype=np.int64)
    leader[community[order]] = order  # the most linked node is the last to be written
    names = [_around(network, titles, node) for node in leader.tolist()] if network.nodes else []
    return _largest(community, np.ones(network.nodes, dtype=np.int64), names, looks, "other communities")


def _around(network: Network, titles: Sequence[str], node: int) -> str:
    return (titles[node] if titles else "") or f"around {_path(network.labels[node])}"


def _largest(group: Ints, weight: Ints, names: list[str], looks: int, others: str) -> Grouping:
    sizes = np.bincount(group, weight, minlength=len(names))
    look = np.full(len(names), looks - 1)
    biggest = top(sizes, looks - 1)
    look[biggest] = np.arange(len(biggest))
    labels = [names[index] for index in biggest.tolist()]
    labels += [""] * (looks - 1 - len(labels))
    return Grouping(look=look[group] if len(names) else np.empty(0, dtype=np.int64), names=(*labels, others))


def _directories(urls: Sequence[str]) -> list[str] | None:
    """The directory of each URL at the first depth that divides them usefully. None: no depth does."""
    paths = [_path(url).partition("?")[0].split("/")[1:-1] for url in urls]
    for depth in range(1, DEEPEST + 1):
        directories = ["/".join(["", *path[:depth], ""]) for path in paths]
        sizes = Counter(directories)
        if len(sizes) >= FEWEST and max(sizes.values()) <= LARGEST * len(urls):
            return directories
    return None


def _path(url: str) -> str:
    """The path and the query of a canonical URL, or of what a damaged table has."""
    return f"/{url.partition('://')[2].partition('/')[2]}"
