"""`ttcrawl graph`."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import between, crawl_directory, directory, group, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, UsageError, require

if TYPE_CHECKING:
    from ttcrawl.output.steps import Progress

SUMMARY = "the link graph of a crawl: figures, exports, pictures"
IN_HELP = ("Look", 8)
EXAMPLES = (
    ("figures of the links between sites, and a file for Gephi", "graph crawl-example.org --sites --export gexf"),
)


#: Nodes of a picture, if --nodes does not say.
PICTURED = 3000


def options(graph: argparse.ArgumentParser) -> None:
    from ttcrawl.vocabulary.region import LINK_CHOICES

    which, files = (group(graph, title).add_argument for title in ("which links", "files"))
    crawl_directory(graph)
    output_form(graph, "markdown", "json")
    exports = ("gexf", "graphml", "edges", "parquet")
    files("--export", dest="exports", choices=exports, action="append", default=[], help="write the graph (repeatable)")
    about = "draw it: by forces (the default), or with igraph's DrL or Graphviz's sfdp (repeatable)"
    picture = partial(files, "--picture", dest="pictures", action="append", default=[], help=about)
    picture(nargs="?", const="forces", choices=("forces", "drl", "sfdp"))
    which("--sites", action="store_true", help="nodes are sites instead of pages")
    which("--directories", action="store_true", help="nodes are directories of the sites instead of pages")
    which(
        "--all",
        dest="everything",
        action="store_true",
        help="nodes are all discovered URLs, not only the fetched pages",
    )
    about = "which links count: of the main text, where a page has landmarks (the default), or all, of menus too"
    which("--links", choices=LINK_CHOICES, help=about)
    about = "links are only those by which URLs were discovered: a tree for each seed"
    which("--paths", action="store_true", help=about)
    about = "maximum nodes in a picture, by PageRank (default: 3000), or in a map (5000)"
    files("--nodes", metavar="N", type=between(1, 1_000_000), help=about)
    about = (
        "instead: print positions, communities, states and links as JSON in the form of graphology, as the window draws"
        " them; of more nodes, their communities"
    )
    files("--map", action="store_true", help=about)
    about = "with --map: open a community by its number, and one inside it: 3.1 (the largest is 0)"
    files("--open", metavar="N", dest="path", type=_path, default=(), help=about)
    files("-o", "--out", metavar="DIR", type=directory, help="where to write (default: DIR/graph)")


def _path(text: str) -> tuple[int, ...]:
    """The numbers of communities, each inside the one before."""
    numbers = text.split(".")
    if not all(each.isdecimal() and each.isascii() for each in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} has no numbers of communities such as 3.1")
    return tuple(map(int, numbers))


def run(args: argparse.Namespace) -> int:
    require("numpy")
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.report.graph.layout import need

    if args.sites and args.directories:
        raise UsageError("--sites --directories: nodes are one of them, leave the other out")
    if args.links and args.paths:
        raise UsageError("--paths has one link for each URL, wherever it stands: leave --links out")
    if args.map and (args.exports or args.pictures or args.paths):
        raise UsageError("--map prints the map alone: leave --export, --picture and --paths out")
    if args.path and not args.map:
        raise UsageError("--open is a part of a map: add --map")
    for name in args.pictures:
        need(name)
    if "parquet" in args.exports:
        require("pyarrow")
    with ReadProgress() as progress:
        return _map(args, progress) if args.map else _figures(args, progress)


def _map(args: argparse.Namespace, progress: Progress) -> int:
    require("scipy")
    from ttcrawl.output.json_form import json_form
    from ttcrawl.report.graph.divisions import kept_divisions
    from ttcrawl.report.graph.groups import network_by
    from ttcrawl.report.graph.map import MOST, as_graphology, graph_map

    by = "sites" if args.sites else "directories" if args.directories else ""
    directory, links = crawl_to_read(args.directory), args.links or "main"
    network, states = network_by(directory, by, links, progress, everything=args.everything)
    graph = f"{by or 'pages'} {links}{' all' if args.everything else ''}"
    with kept_divisions(directory, graph) as divide:
        chart = graph_map(network, states, args.path, args.nodes or MOST, progress, divide)
    print(json_form(as_graphology(chart), indent=None))
    return DONE


def _figures(args: argparse.Namespace, progress: Progress) -> int:
    from dataclasses import asdict

    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.tables import lay_out
    from ttcrawl.output.terminal import screen
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.report.graph.figures import figures, ranks
    from ttcrawl.report.graph.groups import by_directory
    from ttcrawl.report.graph.network import sites
    from ttcrawl.report.graph.outputs import Requested, write
    from ttcrawl.report.graph.read import networks
    from ttcrawl.report.graph.sections import ALL_LINKS, how_main, sections
    from ttcrawl.snapshot.snapshot import view

    directory, out = crawl_to_read(args.directory), args.out or args.directory / "graph"
    links, nodes = args.links or "main", args.nodes or PICTURED
    requested = Requested(
        exports=args.exports, pictures=args.pictures, links=links, paths=args.paths, nodes=nodes, out=out
    )
    progress("link graph", 0, 0)
    with view(directory) as db:
        both = networks(db, everything=args.everything, paths=args.paths)
    pages, in_menus, landmarks = both.of(links), both.in_menus, both.landmarks
    by_site = sites(pages)
    network = by_site if args.sites else by_directory(pages) if args.directories else pages
    del pages, both
    progress("PageRank and components", 0, 0)
    rank = ranks(network)
    measures = figures(network, rank)
    paths = write(network, rank, requested, progress)
    if args.format == "json":
        about = {"name": str(args.directory), "graph": network.name, "paths": args.paths}
        about |= {"links_of": "paths" if args.paths else links, "in_menus": in_menus}
        print(json_form(about | asdict(measures) | {"files": list(map(str, paths))}))
        return DONE
    how = "" if args.paths else how_main(in_menus, landmarks) if links == "main" else ALL_LINKS
    parts = sections(measures, network, by_site, everything=args.everything, how=how)
    print(lay_out(parts, [str(args.directory)], args.format, screen()))
    if paths:
        print()
    for path in paths:
        print(escape_untrusted(str(path)))
    return DONE
