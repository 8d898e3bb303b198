"""The part of a graph that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttcrawl.report.graph.grouping import grouping
from ttcrawl.report.graph.network import Floats, Ints, Network, subgraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Some nodes and the links between them, with their figures from the complete graph."""

    network: Network
    into: Ints  # of each node: in-degree in the complete graph
    look: Ints  # of each node: rank of its group by nodes in the complete graph, from 0; the last value: all others
    names: tuple[str, ...]  # of the groups
    alone: int  # nodes left out because they have no link within the part


def select(network: Network, order: Ints | Floats, most: int, looks: int) -> Selection:
    """The `most` nodes that are highest in `order`. `looks` counts large groups plus one for the others."""
    highest = np.sort(np.argsort(-order, kind="stable")[:most])
    induced = subgraph(network, highest)
    linked = np.flatnonzero(induced.in_degree() + induced.out_degree())
    groups = grouping(network, looks)
    return Selection(
        network=subgraph(induced, linked),
        into=network.in_degree()[highest][linked],
        look=groups.look[highest][linked],
        names=groups.names,
        alone=induced.nodes - len(linked),
    )
