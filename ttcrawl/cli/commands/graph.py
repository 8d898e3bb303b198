"""ttcrawl graph: figures, exports and pictures of the link graph of a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.errors import UsageError, require
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.json_form import json_form
from ttcrawl.output.steps import Progress
from ttcrawl.output.tables import lay_out
from ttcrawl.output.terminal import terminal_width
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.graph.exports import edge_list, gexf, graphml, parquet
from ttcrawl.report.graph.figures import figures, ranks
from ttcrawl.report.graph.layout import layout, need
from ttcrawl.report.graph.network import sites
from ttcrawl.report.graph.picture import LOOKS, MOST_LINKS, draw
from ttcrawl.report.graph.read import read
from ttcrawl.report.graph.sections import NAMES, sections
from ttcrawl.report.graph.selection import select
from ttcrawl.store.replaced import make_directory, replaced

if TYPE_CHECKING:
    from ttcrawl.report.graph.matrix import Floats
    from ttcrawl.report.graph.network import Network

EXPORTS = ("gexf", "graphml", "edges", "parquet")
MOST, LABELS = 100, 10  # nodes in the picture of the most linked ones, and how many of them get a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of `ttcrawl graph`."""

    form: str  # text, markdown, json
    exports: Sequence[str]  # of EXPORTS
    pictures: Sequence[str]  # of ttcrawl.report.graph.layout.LAYOUTS
    of_sites: bool
    everything: bool  # every discovered URL, not only pages
    paths: bool  # only the links by which URLs were discovered
    nodes: int  # most nodes of a picture
    out: Path


def graph(directory: Path, options: Options) -> int:
    """Print the figures and write the requested files. Returns the exit status."""
    if options.nodes < 1:
        raise UsageError(f"--nodes {options.nodes}: a picture has at least one node")
    for name in options.pictures:
        need(name)
    if "parquet" in options.exports:
        require("pyarrow")
    with ReadProgress() as progress:
        progress("link graph", 0, 0)
        pages = read(directory, everything=options.everything, paths=options.paths)
        by_site = sites(pages)
        network = by_site if options.of_sites else pages
        del pages
        progress("PageRank and components", 0, 0)
        rank = ranks(network)
        measures = figures(network, rank)
        paths = _write(network, rank, options, progress)
    if options.form == "json":
        about = {"name": str(directory), "graph": network.name, "paths": options.paths} | asdict(measures)
        print(json_form(about | {"files": list(map(str, paths))}))
        return 0
    parts = sections(measures, network, by_site, everything=options.everything)
    print(lay_out(parts, [str(directory)], options.form, terminal_width()))
    if paths:
        print()
    for path in paths:
        print(escape_untrusted(str(path)))
    return 0


def _write(network: Network, rank: Floats, options: Options, progress: Progress) -> list[Path]:
    if options.exports or options.pictures:
        make_directory(options.out)
    paths = []
    for form in dict.fromkeys(options.exports):
        progress(f"export {form}", 0, 0)
        paths += _export(network, form, options.out / _stem(network, options))
    for name in dict.fromkeys(options.pictures):
        paths += _pictures(network, rank, name, options, progress)
    return paths


def _stem(network: Network, options: Options) -> str:
    """The beginning of the names of files."""
    return f"paths-{network.name}" if options.paths else network.name


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


def _pictures(network: Network, rank: Floats, name: str, options: Options, progress: Progress) -> list[Path]:
    nodes = NAMES[network.name]
    paths = []
    for order, most, by, ending, labels in (
        (rank, options.nodes, "with the highest PageRank", "", 0),
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
        path = options.out / f"{_stem(network, options)}-{name}{ending}"
        positions = layout(selection.network, name, progress)
        progress("drawing", 0, 0)
        paths += draw(selection, positions, path, title=title, labels=labels)
    return paths
