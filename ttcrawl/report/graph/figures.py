"""The graph of a crawl in figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttcrawl.report.graph.communities import communities, modularity
from ttcrawl.report.graph.matrix import Floats, Ints
from ttcrawl.report.graph.measures import Components, adjacency, components, hits, pagerank, reciprocity, top
from ttcrawl.report.graph.network import Network

MOST = 10  # rows of a list


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees:
    mean: float
    median: float
    max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A node and its value in a ranking."""

    label: str
    title: str
    value: int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """The node with the most links, in and out together."""

    label: str
    title: str
    links: int
    share: float  # of all links, those that start or end at it


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of a graph of pages, URLs or sites. Links are distinct pairs; occurrences are counted separately."""

    nodes: int
    links: int
    occurrences: int  # of these links
    own: int  # occurrences of links from a node to itself, left out
    elsewhere: int  # occurrences with a target outside the graph, left out
    density: float | None  # share of the pairs of nodes that have a link; None: fewer than two nodes
    reciprocity: float | None  # share of the links with a reverse link; None: no links
    isolated: int  # nodes without links
    unlinked: int  # nodes to which no other node links
    in_degree: Degrees
    out_degree: Degrees
    degree: Degrees  # both together
    weak: Components
    strong: Components
    communities: Components
    modularity: float | None  # of the communities; None: no links
    hub: Hub | None  # None: no links
    most_linked: tuple[Ranked, ...]  # by in-degree
    pagerank: tuple[Ranked, ...]
    hubs: tuple[Ranked, ...]  # of HITS
    authorities: tuple[Ranked, ...]


def figures(network: Network, rank: Floats) -> Figures:
    """All figures; `rank` is the PageRank of the nodes."""
    community = communities(network)  # without the matrix in memory
    matrix = adjacency(network)
    into, out = network.in_degree(), network.out_degree()
    both = into + out
    hubs, authorities = hits(matrix)
    nodes, links = network.nodes, network.links
    return Figures(
        nodes=nodes,
        links=links,
        occurrences=int(network.weight.sum()),
        own=int(network.own.sum()),
        elsewhere=network.elsewhere,
        density=links / (nodes * (nodes - 1)) if nodes > 1 else None,
        reciprocity=reciprocity(network),
        isolated=int(np.count_nonzero(both == 0)),
        unlinked=int(np.count_nonzero(into == 0)),
        in_degree=_degrees(into),
        out_degree=_degrees(out),
        degree=_degrees(both),
        weak=components(matrix, "weak"),
        strong=components(matrix, "strong"),
        communities=_groups(community),
        modularity=modularity(network, community),
        hub=_hub(network, both),
        most_linked=_ranking(network, into),
        pagerank=_ranking(network, rank),
        hubs=_ranking(network, hubs),
        authorities=_ranking(network, authorities),
    )


def ranks(network: Network) -> Floats:
    """The PageRank of every node."""
    return pagerank(adjacency(network))


def _degrees(values: Ints) -> Degrees:
    if not len(values):
        return Degrees(mean=0.0, median=0.0, max=0)
    return Degrees(mean=float(values.mean()), median=float(np.median(values)), max=int(values.max()))


def _groups(group: Ints) -> Components:
    if not len(group):
        return Components(number=0, largest=0, share=0.0)
    sizes = np.bincount(group)
    return Components(number=len(sizes), largest=int(sizes.max()), share=float(sizes.max() / len(group)))


def _hub(network: Network, degree: Ints) -> Hub | None:
    if not network.links:
        return None
    index = int(degree.argmax())
    links = int(degree[index])
    return Hub(label=network.labels[index], title=network.titles[index], links=links, share=links / network.links)


def _ranking(network: Network, values: Ints | Floats) -> tuple[Ranked, ...]:
    return tuple(
        Ranked(label=network.labels[index], title=network.titles[index], value=values[index].item())
        for index in top(values, MOST).tolist()
    )
