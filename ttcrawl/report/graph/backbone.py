"""The links that matter most, where a picture cannot show all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ttcrawl.report.graph.matrix import Ints


def backbone(source: Ints, target: Ints, nodes: int, most: int) -> NDArray[np.bool_]:
    """Mark at most about `most` links: for every node its strongest ones, equally many for each node.

    A link is the stronger the fewer links its two ends have, so that the links of menus go first. Every linked node
    keeps a link, as in Satuluri, Parthasarathy and Ruan, Local graph sparsification for scalable clustering, 2011.
    """
    if len(source) <= most:
        return np.ones(len(source), dtype=bool)
    degree = np.bincount(source, minlength=nodes) + np.bincount(target, minlength=nodes)
    weakness = degree[source].astype(np.float64) * degree[target]
    rank = np.minimum(_rank(source, weakness), _rank(target, weakness))
    per_node = int(np.searchsorted(np.cumsum(np.bincount(rank)), most, side="right"))
    return rank < max(per_node, 1)


def _rank(node: Ints, weakness: NDArray[np.float64]) -> Ints:
    """The rank of each link among the links of a node, from 0."""
    order = np.lexsort((weakness, node))
    starts = np.flatnonzero(np.diff(node[order], prepend=-1))
    rank = np.empty(len(node), dtype=np.int64)
    rank[order] = np.arange(len(node)) - np.repeat(starts, np.diff(starts, append=len(node)))
    return rank
