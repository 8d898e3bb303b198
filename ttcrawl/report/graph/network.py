"""A graph as arrays: nodes are the indexes 0 to n - 1, links are pairs of indexes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Ints: TypeAlias = "NDArray[np.integer[Any]]"
Floats: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A directed graph without loops: at most one link from each node to each other node, with a weight.

    The first six fields are columns with one value for each node. `source`, `target` and `weight` have one value for
    each link and are sorted by source, then target. `host` holds indexes into `hosts`.
    """

    ids: Ints  # of table url; for sites, indexes into `hosts`
    labels: Sequence[str]  # URLs, or hosts for sites
    titles: Sequence[str]
    host: Ints
    depth: Ints  # links from the seeds, -1: unknown; for a site, the smallest
    pages: Ints  # of a site, or its URLs in a graph of all URLs; 1 for a page
    hosts: Sequence[str]
    source: Ints
    target: Ints
    weight: Ints  # occurrences
    own: Ints  # of each node: occurrences of links to itself, which are left out here
    elsewhere: int  # occurrences of links to other targets than nodes, also left out
    name: str  # pages, urls or sites

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

    def draw(
        self,
        out: str | os.PathLike[str],
        *,
        nodes: int = 100,
        layout: str = "forces",
        title: str = "",
        labels: int = 10,
    ) -> list[Path]:
        """Write a picture of the `nodes` nodes with the highest in-degree to `out`.png and `out`.svg.

        Returns these paths. `layout` is forces, sfdp (Graphviz) or drl (igraph). The `labels` nodes with the
        highest in-degree are named below the picture. Raises UsageError if the layout is not installed.
        """
        from ttcrawl.report.graph.layout import layout as compute_layout
        from ttcrawl.report.graph.picture import LOOKS, draw
        from ttcrawl.report.graph.selection import select

        selection = select(self, self.in_degree(), nodes, len(LOOKS))
        return draw(selection, compute_layout(selection.network, layout), Path(out), title=title, labels=labels)


def collapse(source: Ints, target: Ints, nodes: int) -> tuple[Ints, Ints, Ints]:
    """Pairs as (source, target, weight): each pair once, sorted, with its number of occurrences; int32.

    Memory: 8 bytes a pair for the sorted codes, and 16 bytes a distinct pair.
    """
    codes = source.astype(np.int64)
    codes *= nodes
    codes += target
    codes.sort()
    first = np.ones(len(codes), dtype=bool)
    np.not_equal(codes[1:], codes[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    weight = np.diff(starts, append=len(codes)).astype(np.int32)
    codes = codes[starts]
    return (codes // max(nodes, 1)).astype(np.int32), (codes % max(nodes, 1)).astype(np.int32), weight


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
