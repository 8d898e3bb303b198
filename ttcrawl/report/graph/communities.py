"""Communities: groups of nodes with more links among themselves than chance would give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.report.graph.backbone import backbone

if TYPE_CHECKING:
    from ttcrawl.report.graph.matrix import Floats, Ints
    from ttcrawl.report.graph.network import Network

#: Of more links than both, the backbone is divided: this bounds the time for sites whose pages have hundreds of links.
MOST_LINKS, LINKS_PER_NODE = 200_000, 8
ROUNDS, LEVELS = 30, 20
MOVING = 0.5  # share of the nodes that may move in a round: two linked nodes should not swap their communities
SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighted:
    """An undirected graph: each link in both directions. `strength` has the weights at each node, loops twice."""

    first: Ints
    second: Ints
    weight: Floats
    strength: Floats


def communities(network: Network) -> Ints:
    """The community of each node, numbered from 0. A node without links is one of its own.

    By modularity (Blondel et al., Fast unfolding of communities in large networks, 2008), with the nodes of a round
    moved together, as arrays. Links of menus count little: a link to a page with many links is what chance gives. The
    same graph gives the same communities.
    """
    nodes = network.nodes
    strong = backbone(network.source, network.target, nodes, max(MOST_LINKS, LINKS_PER_NODE * nodes))
    source, target = network.source[strong].astype(np.int64), network.target[strong].astype(np.int64)
    ends, others = np.concatenate([source, target]), np.concatenate([target, source])
    graph = _merged(ends, others, np.ones(len(ends)), np.bincount(ends, minlength=nodes).astype(np.float64))
    community = np.arange(nodes)
    chance = np.random.default_rng(SEED)
    for _ in range(LEVELS):
        label = _moved(graph, chance)
        _, label = np.unique(label, return_inverse=True)
        community = label[community]
        if len(label) == label.max(initial=-1) + 1:
            break
        strength = np.bincount(label, graph.strength).astype(np.float64)
        graph = _merged(label[graph.first], label[graph.second], graph.weight, strength)
    return community


def modularity(network: Network, community: Ints) -> float | None:
    """The share of the links inside communities, less the share that chance would give (Newman and Girvan, 2004): 0 is
    chance, above 0.3 is a clear division. None without links."""
    if not network.links:
        return None
    inside = community[network.source] == community[network.target]
    degree = network.in_degree() + network.out_degree()
    volume = np.bincount(community, degree) / degree.sum()
    return float(inside.mean() - (volume**2).sum())


def _merged(first: Ints, second: Ints, weight: Floats, strength: Floats) -> _Weighted:
    """Each pair once, without loops."""
    nodes = max(len(strength), 1)
    apart = first != second
    pairs, weight = _sums(first[apart] * nodes + second[apart], weight[apart])
    return _Weighted(first=pairs // nodes, second=pairs % nodes, weight=weight, strength=strength)


def _sums(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The distinct keys, rising, and the sum of the values of each."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[starts], np.add.reduceat(values[order], starts) if len(starts) else values


def _moved(graph: _Weighted, chance: np.random.Generator) -> Ints:
    """The label of each node once no move to the community of a neighbour raises the modularity."""
    nodes, strength = len(graph.strength), graph.strength
    total = max(strength.sum(), 1.0)
    label = np.arange(nodes)
    for _ in range(ROUNDS if len(graph.first) else 0):
        volume = np.bincount(label, strength, minlength=nodes)
        pairs, links = _sums(graph.first * nodes + label[graph.second], graph.weight)
        node, candidate = pairs // nodes, pairs % nodes
        stays = candidate == label[node]
        gain = links - strength[node] * (volume[candidate] - stays * strength[node]) / total
        staying = -strength * (volume[label] - strength) / total
        staying[node[stays]] = gain[stays]
        starts = np.flatnonzero(np.diff(node, prepend=-1))
        highest = np.maximum.reduceat(gain, starts)
        best = np.flatnonzero(gain == np.repeat(highest, np.diff(starts, append=len(node))))
        mover, first = np.unique(node[best], return_index=True)
        gains = highest > staying[mover] + 1e-9
        if not gains.any():
            break
        moving = gains & (chance.random(len(mover)) < MOVING)
        label[mover[moving]] = candidate[best][first][moving]
    return label
