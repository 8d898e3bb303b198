"""A graph as a map to look around in: positions, communities, states and depths of its nodes.

A map has few enough nodes for a browser to draw them again and again. Of a larger graph it shows the communities, and
each of them opens: the path (3, 1) is the second community inside the fourth one, the largest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttcrawl.errors import UsageError
from ttcrawl.frozen import frozen
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress, silent
from ttcrawl.report.graph.backbone import backbone
from ttcrawl.report.graph.divisions import Divide, divided
from ttcrawl.report.graph.forces import forces
from ttcrawl.report.graph.groups import states_of_groups
from ttcrawl.report.graph.matrix import Floats, Ints
from ttcrawl.report.graph.network import Network, collapse, grouped, subgraph
from ttcrawl.report.graph.picture import turned_across
from ttcrawl.report.graph.sections import NAMES

#: Nodes, and links whatever their direction, of a map in a browser.
MOST, MOST_LINKS = 5_000, 10_000

#: Communities, the largest ones, whose names stand in the serialization.
NAMED = 100

COMMUNITIES = "communities"  # the name of a graph whose nodes open


@frozen
class GraphMap:
    """The columns `into` to `state` have one value for each node of `network`."""

    network: Network
    into: Ints  # in-degree in the complete graph; of a community, in the graph of communities
    community: Ints  # its rank, from 0: the largest first
    state: Sequence[str]  # of ttcrawl.vocabulary.state, or ttcrawl.report.graph.groups.ERROR
    positions: Floats  # shape (nodes, 2); those far from all others are moved towards them
    links: Ints  # shape (2, links): the strongest links, the lower index first, each pair once
    names: Sequence[str]  # of the communities: of each the node that most others link to
    path: tuple[int, ...]  # the communities that are opened
    alone: int  # nodes left out because they have no link
    smaller: int  # nodes left out because there are too many
    weaker: int  # links left out because there are too many


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nodes:
    network: Network
    into: Ints
    state: Sequence[str]

    def only(self, indexes: Ints) -> _Nodes:
        """Those at rising indexes."""
        states = [self.state[index] for index in indexes.tolist()]
        return _Nodes(network=subgraph(self.network, indexes), into=self.into[indexes], state=states)


def graph_map(
    network: Network,
    states: Sequence[str],
    path: Sequence[int] = (),
    most: int = MOST,
    progress: Progress = silent,
    divide: Divide = divided,
) -> GraphMap:
    """The map of a graph, or of the community at a path. Raises UsageError if there is no such community."""
    progress("communities", 0, 0)
    every = _Nodes(network=network, into=network.in_degree(), state=states)
    nodes = every.only(np.flatnonzero(every.into + network.out_degree()))
    alone = network.nodes - nodes.network.nodes
    rank, names = _ranked(nodes, divide(nodes.network, ()))
    for depth, step in enumerate(path, 1):
        if not _opens(nodes, names, most) or step >= len(names):
            raise UsageError(f"no community opens at {'.'.join(map(str, path))}: the map of all has the numbers")
        nodes = nodes.only(np.flatnonzero(rank == step))
        rank, names = _ranked(nodes, divide(nodes.network, path[:depth]))
    if _opens(nodes, names, most):
        nodes, rank = _of_communities(nodes, rank, names), np.arange(len(names))
    size = nodes.network.pages if nodes.network.name == COMMUNITIES else nodes.into
    largest = np.sort(np.argsort(-size, kind="stable")[:most])
    smaller = nodes.network.nodes - len(largest)
    nodes, rank = nodes.only(largest), rank[largest]
    first, second, links = _pairs(nodes.network)
    return GraphMap(
        network=nodes.network,
        into=nodes.into,
        community=rank,
        state=nodes.state,
        positions=_positions(nodes.network.nodes, first, second, progress),
        links=links,
        names=names,
        path=tuple(path),
        alone=alone,
        smaller=smaller,
        weaker=len(first) - links.shape[1],
    )


def _opens(nodes: _Nodes, names: Sequence[str], most: int) -> bool:
    """Whether a map shows communities instead of these nodes. One that is not divided shows its most linked nodes."""
    return nodes.network.nodes > most and len(names) > 1


def _ranked(nodes: _Nodes, community: Ints) -> tuple[Ints, list[str]]:
    """The rank of each node's community by its nodes, and the label of the node of each that most others link to."""
    sizes = np.bincount(community)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[order] = np.arange(len(sizes))
    of_nodes = rank[community]
    leader = np.zeros(len(sizes), dtype=np.int64)
    rising = np.argsort(-nodes.into, kind="stable")[::-1]
    leader[of_nodes[rising]] = rising  # the most linked node is the last to be written, the first of those alike
    titles, labels = nodes.network.titles, nodes.network.labels
    return of_nodes, [titles[each] or labels[each] for each in leader.tolist()]


def _of_communities(nodes: _Nodes, rank: Ints, names: Sequence[str]) -> _Nodes:
    network = grouped(nodes.network, rank, names, COMMUNITIES)
    states = states_of_groups(nodes.state, rank, len(names))
    return _Nodes(network=network, into=network.in_degree(), state=states)


def _pairs(network: Network) -> tuple[Ints, Ints, Ints]:
    """The ends of all links, each pair once, and the strongest of them."""
    low, high = np.minimum(network.source, network.target), np.maximum(network.source, network.target)
    first, second, _ = collapse(low, high, network.nodes)
    strong = backbone(first, second, network.nodes, MOST_LINKS)
    return first, second, np.stack([first[strong], second[strong]])[:, :MOST_LINKS]


def _positions(nodes: int, first: Ints, second: Ints, progress: Progress) -> Floats:
    if not len(first):
        return np.random.default_rng(1).random((nodes, 2))
    return turned_across(forces(nodes, first, second, progress))[0]


def as_graphology(chart: GraphMap) -> dict[str, Any]:
    """The map as graphology's serialization: https://graphology.github.io/serialization.html."""
    about = {
        "sentence": _sentence(chart),
        "nodes_are": chart.network.name,
        "communities": chart.names[:NAMED],
        "open": ".".join(map(str, chart.path)),
    }
    edges = [{"source": str(one), "target": str(other)} for one, other in chart.links.T.tolist()]
    return {
        "options": {"type": "undirected", "multi": False, "allowSelfLoops": False},
        "attributes": about,
        "nodes": [{"key": str(key), "attributes": each} for key, each in enumerate(_attributes(chart))],
        "edges": edges,
    }


def _attributes(chart: GraphMap) -> Iterator[dict[str, Any]]:
    network = chart.network
    columns = (chart.into, network.depth, network.pages, chart.community, chart.positions)
    rows = zip(network.labels, network.titles, chart.state, *(column.tolist() for column in columns), strict=True)
    for label, title, state, into, depth, pages, community, (x, y) in rows:
        yield {
            "label": label,
            "title": title,
            "state": state,
            "in": into,
            "depth": depth,
            "pages": pages,
            "x": round(x, 4),
            "y": round(y, 4),
            "community": community,
        }


def _sentence(chart: GraphMap) -> str:
    """What the map shows and what it leaves out."""
    network, links = chart.network, counted(chart.links.shape[1], "link")
    shown = f"{network.nodes:,} {NAMES.get(network.name, network.name)}, {links} between them"
    left_out = {
        "without a link": chart.alone,
        "smaller ones" if network.name == COMMUNITIES else "with fewer links to them": chart.smaller,
        "weaker links": chart.weaker,
    }
    rest = ", ".join(f"{number:,} {what}" for what, number in left_out.items() if number)
    return f"{shown}; left out: {rest}" if rest else shown
