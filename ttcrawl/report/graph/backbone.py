"""The links that matter most, where a picture cannot show all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.report.graph.network import codes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ttcrawl.report.graph.matrix import Ints


def backbone(source: Ints, target: Ints, nodes: int, most: int) -> NDArray[np.bool_]:
    """Mark at most about `most` links: for every node its strongest ones, equally many for each node.

    Each pair of nodes is there at most once in each direction.

    A link is the stronger the fewer links its two ends have, so that the links of menus go first. Every linked node
    keeps a link, as in Satuluri, Parthasarathy and Ruan, Local graph sparsification for scalable clustering, 2011.
    """
    if len(source) <= most:
        return np.ones(len(source), dtype=bool)
    degree = np.bincount(source, minlength=nodes) + np.bincount(target, minlength=nodes)
    strength = np.empty(nodes, dtype=np.int32)  # the fewer links a node has, the stronger are the links to it
    strength[np.argsort(degree, kind="stable")] = np.arange(nodes, dtype=np.int32)
    rank = _rank(source, strength[target])
    np.minimum(rank, _rank(target, strength[source]), out=rank)
    per_node = int(np.searchsorted(np.cumsum(np.bincount(rank)), most, side="right"))
    return rank < max(per_node, 1)


def _rank(node: Ints, strength: Ints) -> Ints:
    """The rank of each link among the links of a node, from 0, by the strength of its other end: each pair is there
    once, so no two links of a node are equally strong."""
    order = np.argsort(codes_of(node, strength, int(strength.max()) + 1), kind="stable").astype(np.int32)
    links = np.bincount(node)
    rank = np.empty(len(node), dtype=np.int32)
    rank[order] = np.arange(len(node), dtype=np.int32) - np.repeat((np.cumsum(links) - links).astype(np.int32), links)
    return rank
