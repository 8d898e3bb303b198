"""The files of `ttcrawl graph`: exports and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.output.steps import Progress
from ttcrawl.report.graph.exports import edge_list, gexf, graphml, parquet
from ttcrawl.report.graph.layout import layout
from ttcrawl.report.graph.picture import LOOKS, MOST_LINKS, draw
from ttcrawl.report.graph.sections import NAMES
from ttcrawl.report.graph.selection import select
from ttcrawl.store.replaced import make_directory, replaced

if TYPE_CHECKING:
    from ttcrawl.report.graph.matrix import Floats
    from ttcrawl.report.graph.network import Network

EXPORTS = ("gexf", "graphml", "edges", "parquet")
MOST, LABELS = 100, 10  # nodes in the picture of the most linked ones, and how many of them get a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """`nodes`: most nodes of a picture."""

    exports: Sequence[str]  # of EXPORTS
    pictures: Sequence[str]  # of ttcrawl.report.graph.layout.LAYOUTS
    links: str  # of ttcrawl.vocabulary.region.LINK_CHOICES
    paths: bool  # the links are only those by which URLs were discovered
    nodes: int
    out: Path


def write(network: Network, rank: Floats, requested: Requested, progress: Progress) -> list[Path]:
    """Write the requested files, and return their paths."""
    if requested.exports or requested.pictures:
        make_directory(requested.out)
    paths = []
    for form in dict.fromkeys(requested.exports):
        progress(f"export {form}", 0, 0)
        paths += _export(network, form, requested.out / _stem(network, requested))
    for name in dict.fromkeys(requested.pictures):
        paths += _pictures(network, rank, name, requested, progress)
    return paths


def _stem(network: Network, requested: Requested) -> str:
    """The beginning of the names of files."""
    if requested.paths:
        return f"paths-{network.name}"
    return network.name if requested.links == "main" else f"{network.name}-all-links"


def _export(network: Network, form: str, stem: Path) -> list[Path]:
    if form == "parquet":
        paths = [stem.with_name(f"{stem.name}-nodes.parquet"), stem.with_name(f"{stem.name}-edges.parquet")]
        with replaced(paths[0]) as fresh_nodes, replaced(paths[1]) as fresh_edges:
            parquet(network, fresh_nodes, fresh_edges)
        return paths
    write, ending = {"gexf": (gexf, "gexf"), "graphml": (graphml, "graphml"), "edges": (edge_list, "tsv")}[form]
    path = stem.with_name(f"{stem.name}.{ending}")
    with replaced(path) as fresh:
        write(network, fresh)
    return [path]


def _pictures(network: Network, rank: Floats, name: str, requested: Requested, progress: Progress) -> list[Path]:
    nodes = NAMES[network.name]
    paths = []
    for order, most, by, ending, labels in (
        (rank, requested.nodes, "with the highest PageRank", "", 0),
        (network.in_degree(), MOST, "that most others link to", "-top", LABELS),
    ):
        selection = select(network, order, most, len(LOOKS))
        title = f"All {nodes}" if network.nodes <= most else f"The {most:,} {nodes} {by}"
        links = selection.network.links
        title += f", {links:,} links between them"
        if links > MOST_LINKS:
            title += f", the strongest {MOST_LINKS:,} drawn"
        if selection.alone:
            title += f"\n({selection.alone:,} of them without such a link are not drawn)"
        path = requested.out / f"{_stem(network, requested)}-{name}{ending}"
        positions = layout(selection.network, name, progress)
        progress("drawing", 0, 0)
        paths += draw(selection, positions, path, title=title, labels=labels)
    return paths
