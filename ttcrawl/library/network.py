"""The link graph of a crawl as an object of the library: the arrays, and a picture of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.report.graph import network
from ttcrawl.report.graph.layout import layout as compute_layout
from ttcrawl.report.graph.picture import LOOKS, draw
from ttcrawl.report.graph.read import read
from ttcrawl.report.graph.selection import grouping, select
from ttcrawl.vocabulary.region import LINK_CHOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class Network(network.Network):
    """A directed graph of pages without loops, as arrays: at most one link from each page to each other page.

    `source`, `target` and `weight` have one value for each link and are sorted by source, then target: indexes of
    nodes, and occurrences. The other arrays have one value for each node (ttcrawl.report.graph.network).
    """

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
        selection = select(self, self.in_degree(), nodes, grouping(self, len(LOOKS)))
        return draw(selection, compute_layout(selection.network, layout), Path(out), title=title, labels=labels)


def link_graph(directory: Path, links: str) -> Network:
    """The graph of the pages of a crawl. Raises NotACrawl, and UsageError for unknown links."""
    if links not in LINK_CHOICES:
        raise UsageError(f"links are {' or '.join(LINK_CHOICES)}, not {links}")
    arrays = read(directory, links=links)
    return Network(**{each.name: getattr(arrays, each.name) for each in fields(arrays)})
