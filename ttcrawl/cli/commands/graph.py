"""`ttcrawl graph`."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from ttcrawl.cli.arguments import crawl_directory, group, output_form
from ttcrawl.errors import DONE, UsageError, require

SUMMARY = "the link graph of a crawl: figures, exports, pictures"
IN_HELP = ("Look", 8)
EXAMPLES = (
    ("figures of the links between sites, and a file for Gephi", "graph crawl-example.org --sites --export gexf"),
)


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
    about = "maximum nodes in a picture, by PageRank (default: 3000)"
    files("--nodes", metavar="N", type=int, default=3000, help=about)
    files("--out", metavar="DIR", type=Path, help="where to write (default: DIR/graph)")


def run(args: argparse.Namespace) -> int:
    require("numpy")
    from dataclasses import asdict

    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.tables import lay_out
    from ttcrawl.output.terminal import screen
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.report.graph.figures import figures, ranks
    from ttcrawl.report.graph.layout import need
    from ttcrawl.report.graph.network import sites
    from ttcrawl.report.graph.outputs import Requested, write
    from ttcrawl.report.graph.read import networks
    from ttcrawl.report.graph.sections import ALL_LINKS, how_main, sections
    from ttcrawl.snapshot.snapshot import view

    if args.nodes < 1:
        raise UsageError(f"--nodes {args.nodes}: a picture has at least one node")
    if args.links and args.paths:
        raise UsageError("--paths has one link for each URL, wherever it stands: leave --links out")
    for name in args.pictures:
        need(name)
    if "parquet" in args.exports:
        require("pyarrow")
    out = args.out or args.directory / "graph"
    links = args.links or "main"
    requested = Requested(
        exports=args.exports, pictures=args.pictures, links=links, paths=args.paths, nodes=args.nodes, out=out
    )
    with ReadProgress() as progress:
        progress("link graph", 0, 0)
        with view(args.directory) as db:
            both = networks(db, everything=args.everything, paths=args.paths)
        pages, in_menus, landmarks = both.of(links), both.in_menus, both.landmarks
        by_site = sites(pages)
        network = by_site if args.sites else pages
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
