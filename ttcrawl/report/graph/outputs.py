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
from ttcrawl.report.graph.selection import Selection, grouping, select
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
    stem = _stem(network, requested)
    paths: list[Path] = []
    for form in dict.fromkeys(requested.exports):
        progress(f"export {form}", 0, 0)
        paths += _export(network, form, requested.out / stem)
    pictures = _pictures(network, rank, requested.nodes) if requested.pictures else []
    for name in dict.fromkeys(requested.pictures):
        for each in pictures:
            positions = layout(each.selection.network, name, progress)
            progress("drawing", 0, 0)
            path = requested.out / f"{stem}-{name}{each.ending}"
            paths += draw(each.selection, positions, path, title=each.title, labels=each.labels)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Picture:
    """What one picture of each layout shows."""

    selection: Selection
    title: str
    ending: str  # of the names of its files
    labels: int  # nodes with a number


def _pictures(network: Network, rank: Floats, nodes: int) -> list[_Picture]:
    """The nodes with the highest PageRank, and the most linked ones."""
    groups = grouping(network, len(LOOKS))
    highest = select(network, rank, nodes, groups)
    most_linked = select(network, network.in_degree(), MOST, groups)
    return [
        _Picture(
            selection=highest,
            title=_title(network, highest, nodes, "with the highest PageRank"),
            ending="",
            labels=0,
        ),
        _Picture(
            selection=most_linked,
            title=_title(network, most_linked, MOST, "that most others link to"),
            ending="-top",
            labels=LABELS,
        ),
    ]


def _title(network: Network, selection: Selection, most: int, by: str) -> str:
    nodes, links = NAMES[network.name], selection.network.links
    title = f"All {nodes}" if network.nodes <= most else f"The {most:,} {nodes} {by}"
    title += f", {links:,} links between them"
    if links > MOST_LINKS:
        title += f", the strongest {MOST_LINKS:,} drawn"
    if selection.alone:
        title += f"\n({selection.alone:,} of them without such a link are not drawn)"
    return title
