"""The part of a graph that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttcrawl.ask.graph.measures import top
from ttcrawl.ask.graph.network import Floats, Ints, Network, subgraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some nodes and the links between them, with what is known of them in the whole graph."""

    network: Network
    into: Ints  # of each node: in-degree in the whole graph
    look: Ints  # of each node: 0 on the site with most nodes in the whole graph, 1 on the next ...; the last: others
    alone: int  # nodes that are left out because no link joins them to another of the part


def part(network: Network, order: Ints | Floats, most: int, looks: int) -> Part:
    """The `most` nodes that are highest in `order`; `looks` is how many sites are told apart, the others as one."""
    highest = np.sort(np.argsort(-order, kind="stable")[:most])
    found = subgraph(network, highest)
    linked = np.flatnonzero(found.in_degree() + found.out_degree())
    sizes = np.bincount(network.host, network.pages, minlength=len(network.hosts))
    look = np.full(len(network.hosts), looks - 1)
    biggest = top(sizes, looks - 1)
    look[biggest] = np.arange(len(biggest))
    return Part(
        network=subgraph(found, linked),
        into=network.in_degree()[highest][linked],
        look=look[network.host[highest][linked]],
        alone=found.nodes - len(linked),
    )
