"""The options of `ttcrawl report`, `plot`, `graph` and `tune-duplicates`."""

from __future__ import annotations

import argparse
from contextlib import suppress
from functools import partial
from pathlib import Path

from ttcrawl.cli.numbers import between
from ttcrawl.report.plots import FIGURES


def report_options(report: argparse.ArgumentParser) -> None:
    add = report.add_argument
    add("directories", metavar="DIR", nargs="+", type=Path)
    add("--format", default="text", choices=("text", "markdown", "html", "json", "csv", "latex"))
    instead = report.add_mutually_exclusive_group()
    instead.add_argument("--politeness", action="store_true", help="instead: requests and delays of each host")
    instead.add_argument("--seeds", action="store_true", help="instead: what became of each seed and its host")
    add("--limit", metavar="N", type=between(0, 1_000_000), help="with --seeds: seeds shown (default: all)")
    add("--hosts", metavar="N", type=between(0, 1_000_000), default=20, help="hosts shown, smallest margin first (20)")


def plot_options(plot: argparse.ArgumentParser) -> None:
    add = plot.add_argument
    add("directories", metavar="DIR", nargs="+", type=Path)
    add("--what", choices=FIGURES, action="append", help="draw only this figure (repeatable; default: all)")
    about = "file format (repeatable; default: png and svg)"
    add("--format", dest="formats", choices=("png", "svg", "pdf"), action="append", help=about)
    add("--out", metavar="DIR", type=Path, help="where to write (default: DIR/plots)")
    about = "draw this law too (repeatable; default: K = 100, beta = 0.4)"
    add("--heaps", metavar="K,BETA", type=_heaps, action="append", default=[], help=about)
    about = "draw again every S seconds (default: 10) until the crawl ends"
    add("--watch", metavar="S", type=_seconds, nargs="?", const=10.0, help=about)


def graph_options(graph: argparse.ArgumentParser) -> None:
    add = graph.add_argument
    add("directory", metavar="DIR", type=Path)
    add("--format", default="text", choices=("text", "markdown", "json"))
    exports = ("gexf", "graphml", "edges", "parquet")
    add("--export", dest="exports", choices=exports, action="append", default=[], help="write the graph (repeatable)")
    about = "draw it: by forces (the default), or with igraph's DrL or Graphviz's sfdp (repeatable)"
    picture = partial(add, "--picture", dest="pictures", action="append", default=[], help=about)
    picture(nargs="?", const="forces", choices=("forces", "drl", "sfdp"))
    add("--sites", action="store_true", help="nodes are sites instead of pages")
    add(
        "--all",
        dest="everything",
        action="store_true",
        help="nodes are all discovered URLs, not only the fetched pages",
    )
    about = "links are only those by which URLs were discovered: a tree for each seed"
    add("--paths", action="store_true", help=about)
    about = "maximum nodes in a picture, by PageRank (default: 3000)"
    add("--nodes", metavar="N", type=int, default=3000, help=about)
    add("--out", metavar="DIR", type=Path, help="where to write (default: DIR/graph)")


def tuning_options(same: argparse.ArgumentParser) -> None:
    about = "instead: try settings of [duplicates] on the pages of the crawl: precision, recall and cost"
    same.add_argument("--tune", action="store_true", help=about)
    add = same.add_argument_group("with --tune").add_argument
    about = "file with labelled pairs: URL, URL, and 1, 0 or a similarity, separated by tabs (default: generated pairs)"
    add("--pairs", metavar="FILE", type=Path, help=about)
    add("--sample", metavar="N", type=int, default=2000, help="number of pages to generate pairs from (default: 2000)")
    add("--seed", metavar="N", type=int, default=1, help="seed of the random choice (default: 1)")
    about = "similarity from which two pages should be marked (default: 0.9)"
    add("--similar", metavar="S", type=_share, default=0.9, help=about)


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0.1 <= (share := float(text)) <= 1:
            return share
    raise argparse.ArgumentTypeError(f"{text!r} is not between 0.1 and 1")


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 1 <= (seconds := float(text)) <= 86_400:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is not between 1 and 86400 seconds")


def _heaps(text: str) -> tuple[float, float]:
    """K and beta of a curve that can be drawn: it begins at a number and does not fall."""
    with suppress(ValueError):
        k, beta = map(float, text.split(","))
        if 0 < k <= 1e12 and 0 <= beta <= 2:
            return k, beta
    raise argparse.ArgumentTypeError(
        f"{text!r} is not K,BETA with K from 0 to 1e12 and beta from 0 to 2, such as 100,0.4"
    )
