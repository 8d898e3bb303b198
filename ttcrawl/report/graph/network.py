"""A graph as arrays: nodes are the indexes 0 to n - 1, links are pairs of indexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.report.graph.matrix import Ints

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A directed graph without loops: at most one link from each node to each other node, with a weight.

    The first six fields are columns with one value for each node. `source`, `target` and `weight` have one value for
    each link and are sorted by source, then target. `host` holds indexes into `hosts`.
    """

    ids: Ints  # of table url; for sites, indexes into `hosts`
    labels: Sequence[str]  # URLs, or hosts for sites, or names of groups
    titles: Sequence[str]
    host: Ints
    depth: Ints  # links from the seeds, -1: unknown; for a site, the smallest
    pages: Ints  # of a site or group, or its URLs in a graph of all URLs; 1 for a page
    hosts: Sequence[str]
    source: Ints
    target: Ints
    weight: Ints  # occurrences
    own: Ints  # of each node: occurrences of links to itself, which are left out here
    elsewhere: int  # occurrences of links to other targets than nodes, also left out
    name: str  # pages, urls, sites, directories or communities

    @property
    def nodes(self) -> int:
        return len(self.ids)

    @property
    def links(self) -> int:
        return len(self.source)

    def in_degree(self) -> Ints:
        """The number of other nodes that link to each node."""
        return np.bincount(self.target, minlength=self.nodes)

    def out_degree(self) -> Ints:
        """The number of other nodes that each node links to."""
        return np.bincount(self.source, minlength=self.nodes)


def collapse(source: Ints, target: Ints, nodes: int) -> tuple[Ints, Ints, Ints]:
    """Pairs as (source, target, weight): each pair once, sorted, with its number of occurrences; int32."""
    return counted(codes_of(source, target, nodes), nodes)


def codes_of(source: Ints, target: Ints, nodes: int) -> Ints:
    """Each pair as one number, int64: in the order of the source, then of the target."""
    codes = source.astype(np.int64)
    codes *= nodes
    codes += target
    return codes


def counted(codes: Ints, nodes: int) -> tuple[Ints, Ints, Ints]:
    """The same as `collapse`, by codes, which are sorted in their place.

    Memory: 8 bytes a pair for the codes, 1 for the first ones, and at most 12 bytes a distinct pair beside them.
    """
    codes.sort()
    first = _is_first(codes)
    starts = np.flatnonzero(first)
    weight = np.empty(len(starts), dtype=np.int32)
    np.subtract(starts[1:], starts[:-1], out=weight[:-1], casting="unsafe")
    weight[-1:] = len(codes) - starts[-1:]
    del starts
    codes = codes[first]
    source, target = np.empty_like(weight), np.empty_like(weight)
    np.floor_divide(codes, max(nodes, 1), out=source, casting="unsafe")
    np.remainder(codes, max(nodes, 1), out=target, casting="unsafe")
    return source, target, weight


def starts_of(rising: Ints) -> Ints:
    """The indexes at which a new value begins."""
    return np.flatnonzero(_is_first(rising))


def _is_first(rising: Ints) -> NDArray[np.bool_]:
    first = np.ones(len(rising), dtype=bool)
    np.not_equal(rising[1:], rising[:-1], out=first[1:])
    return first


def subgraph(network: Network, indexes: Ints) -> Network:
    """The nodes at these rising indexes, and the links between them."""
    new = np.full(network.nodes, -1, dtype=np.int32)
    new[indexes] = np.arange(len(indexes), dtype=np.int32)
    source, target = new[network.source], new[network.target]
    inside = (source >= 0) & (target >= 0)
    rows = indexes.tolist()
    return Network(
        ids=network.ids[indexes],
        labels=[network.labels[row] for row in rows],
        titles=[network.titles[row] for row in rows],
        host=network.host[indexes],
        depth=network.depth[indexes],
        pages=network.pages[indexes],
        hosts=network.hosts,
        source=source[inside],
        target=target[inside],
        weight=network.weight[inside],
        own=network.own[indexes],
        elsewhere=network.elsewhere + int(network.weight[~inside].sum()),
        name=network.name,
    )


def numbered(names: Sequence[str]) -> tuple[Ints, list[str]]:
    """The number of each name among the distinct ones, and these in alphabetical order.

    An array of the names would take the bytes of the longest one for each: a page may link to a very long URL.
    """
    distinct = sorted(set(names))
    number = {name: index for index, name in enumerate(distinct)}
    return np.array([number[name] for name in names], dtype=np.int64), distinct


def sites(network: Network) -> Network:
    """One node for each host of a node; its ids are the indexes of the hosts in `network.hosts`."""
    return grouped(network, network.host, network.hosts, "sites")


def grouped(network: Network, group: Ints, labels: Sequence[str], name: str) -> Network:
    """One node for each group of nodes: `group` has the index in `labels` of each node's group.

    Weights of links are summed; `own` counts the links inside the group; ids are the indexes of the groups.
    """
    groups = len(labels)
    indexes = np.arange(groups, dtype=np.int32)
    pairs = codes_of(group[network.source], group[network.target], groups)
    order = np.argsort(pairs, kind="stable")
    pairs = pairs[order]
    starts = starts_of(pairs)
    weight = np.add.reduceat(network.weight[order], starts) if len(starts) else network.weight
    source, target = np.divmod(pairs[starts], max(groups, 1))
    del pairs, order  # of all links: 16 bytes each
    loops = source == target
    own = np.bincount(group, network.own, minlength=groups).astype(np.int64)
    np.add.at(own, source[loops], weight[loops])
    reached = network.depth >= 0
    depth = np.full(groups, np.iinfo(np.int32).max, dtype=np.int32)
    np.minimum.at(depth, group[reached], network.depth[reached])
    depth[depth == np.iinfo(np.int32).max] = -1
    host = np.zeros(groups, dtype=np.int32)
    host[group] = network.host
    return Network(
        ids=indexes,
        labels=labels,
        titles=[""] * groups,
        host=host,
        depth=depth,
        pages=np.bincount(group, network.pages, minlength=groups).astype(np.int64),
        hosts=network.hosts,
        source=source[~loops].astype(np.int32),
        target=target[~loops].astype(np.int32),
        weight=weight[~loops],
        own=own,
        elsewhere=network.elsewhere,
        name=name,
    )
