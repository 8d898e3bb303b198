"""Communities: groups of nodes with more links among themselves than chance would give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.report.graph.backbone import backbone
from ttcrawl.report.graph.network import codes_of, counted, starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ttcrawl.report.graph.matrix import Floats, Ints
    from ttcrawl.report.graph.network import Network

#: Of more links than both, the backbone is divided: this bounds the time for sites whose pages have hundreds of links.
MOST_LINKS, LINKS_PER_NODE = 200_000, 8
ROUNDS, LEVELS = 30, 20
BLOCK = 500_000  # links that are looked at together: 50 MB
MOVING = 0.5  # share of the nodes that may move in a round: two linked nodes should not swap their communities
SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighted:
    """An undirected graph: each link in both directions, without loops, sorted by its first node. `strength` has the
    weights at each node, loops twice."""

    first: Ints
    second: Ints
    weight: Ints
    strength: Floats

    @property
    def blocks(self) -> list[slice]:
        """The links in parts of about BLOCK links, with all links of a node in one part."""
        bounds = np.unique(np.searchsorted(self.first, self.first[::BLOCK]))
        return list(map(slice, bounds.tolist(), [*bounds[1:].tolist(), len(self.first)]))


def communities(network: Network) -> Ints:
    """The community of each node, numbered from 0. A node without links is one of its own.

    By modularity (Blondel et al., Fast unfolding of communities in large networks, 2008), with the nodes of a round
    moved together, as arrays. Links of menus count little: a link to a page with many links is what chance gives. The
    same graph gives the same communities.
    """
    nodes = network.nodes
    graph = _undirected(network)
    community = np.arange(nodes)
    chance = np.random.default_rng(SEED)
    for _ in range(LEVELS):
        label = _moved(graph, chance)
        _, label = np.unique(label, return_inverse=True)
        community = label[community]
        if len(label) == label.max(initial=-1) + 1:
            break
        graph = _merged(graph, label)
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


def _undirected(network: Network) -> _Weighted:
    first, second, weight = counted(_both_ways(network), network.nodes)
    strength = np.bincount(first, weight, minlength=network.nodes).astype(np.float64)
    return _Weighted(first=first, second=second, weight=weight, strength=strength)


def _both_ways(network: Network) -> Ints:
    """The codes of the links of the backbone, then of the same links from their targets."""
    nodes = network.nodes
    strong = backbone(network.source, network.target, nodes, max(MOST_LINKS, LINKS_PER_NODE * nodes))
    source, target = network.source[strong], network.target[strong]
    return np.concatenate([codes_of(source, target, nodes), codes_of(target, source, nodes)])


def _merged(graph: _Weighted, label: Ints) -> _Weighted:
    """The graph of the communities: each pair once, without loops."""
    nodes = int(label.max()) + 1
    pairs, weight = _sums(*_between(graph, label.astype(np.int32), nodes))
    strength = np.bincount(label, graph.strength).astype(np.float64)
    return _Weighted(first=pairs // nodes, second=pairs % nodes, weight=weight, strength=strength)


def _between(graph: _Weighted, label: Ints, nodes: int) -> tuple[Ints, Ints]:
    """Codes and weights of the links between communities."""
    first, second = label[graph.first], label[graph.second]
    apart = first != second
    return codes_of(first[apart], second[apart], nodes), graph.weight[apart]


def _sums(keys: Ints, values: Ints) -> tuple[Ints, Ints]:
    """The distinct keys, rising, and the sum of the values of each."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = starts_of(keys)
    return keys[starts], np.add.reduceat(values[order], starts) if len(starts) else values


def _moved(graph: _Weighted, chance: np.random.Generator) -> Ints:
    """The label of each node once no move to the community of a neighbour raises the modularity.

    After the first round only nodes are looked at that would move or have a neighbour that moved, as in Ozaki, Tezuka
    and Inaba, A simple acceleration method for the Louvain algorithm, 2016.
    """
    nodes, blocks = len(graph.strength), graph.blocks
    label = np.arange(nodes)
    active = np.ones(nodes, dtype=bool)
    for _ in range(ROUNDS if len(graph.first) else 0):
        volume = np.bincount(label, graph.strength, minlength=nodes).astype(np.float64)
        better = label.copy()
        for block in blocks:
            selected = active[graph.first[block]]
            if selected.any():
                node, community = _best(graph, block, selected, label, volume)
                better[node] = community
        active = better != label
        if not active.any():
            break
        moving = active & (chance.random(nodes) < MOVING)
        label[moving] = better[moving]
        for block in blocks:
            active[graph.second[block][moving[graph.first[block]]]] = True
    return label


def _best(
    graph: _Weighted, block: slice, selected: NDArray[np.bool_], label: Ints, volume: Floats
) -> tuple[Ints, Ints]:
    """(nodes, for each the label of the community where the modularity is highest) of the selected links of a block."""
    nodes, total = len(label), max(graph.strength.sum(), 1.0)
    first, second = graph.first[block][selected].astype(np.int64), graph.second[block][selected]
    pairs, links = _sums(first * nodes + label[second], graph.weight[block][selected])
    node = pairs // nodes
    candidate = pairs - node * nodes  # divmod takes four times as long
    starts = starts_of(node)
    own = graph.strength[node]
    stays = candidate == label[node]
    gain = links - own * (volume[candidate] - stays * own) / total
    node, own = node[starts], own[starts]
    # without a link to its own community a node has only the links that chance would give
    staying = np.maximum.reduceat(np.where(stays, gain, -np.inf), starts)
    staying = np.maximum(staying, -own * (volume[label[node]] - own) / total)
    highest = np.maximum.reduceat(gain, starts)
    is_best = gain == np.repeat(highest, np.diff(starts, append=len(gain)))
    best = np.minimum.reduceat(np.where(is_best, candidate, nodes), starts)
    moves = highest > staying + 1e-9
    return node[moves], best[moves]
