"""`ttcrawl plot`."""

from __future__ import annotations

import argparse
from contextlib import suppress
from functools import partial

from ttcrawl.cli.arguments import crawl_directories, directory
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, REPORT, require

SUMMARY = "draw figures of a crawl: growth, laws, content"
IN_HELP = ("Look", 7)
EXAMPLES = (("all figures, as PDF", "plot crawl-example.org --format pdf"),)


def options(plot: argparse.ArgumentParser) -> None:
    from ttcrawl.report.plots import FIGURES

    add = plot.add_argument
    crawl_directories(plot)
    add("--what", choices=FIGURES, action="append", help="draw only this figure (repeatable; default: all)")
    about = "file format (repeatable; default: png and svg)"
    add("--format", dest="formats", choices=("png", "svg", "pdf"), action="append", help=about)
    add("-o", "--out", metavar="DIR", type=directory, help="where to write (default: DIR/plots)")
    about = "draw this law too, such as 100,0.4 (repeatable)"
    add("--heaps", metavar="K,BETA", type=_heaps, action="append", default=[], help=about)
    about = "draw again every S seconds (default: 10) until the crawl ends"
    add("--watch", metavar="S", type=_seconds, nargs="?", const=10.0, help=about)


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


def run(args: argparse.Namespace) -> int:
    from ttcrawl.output.display import ReadProgress

    require(*REPORT)
    from ttcrawl.report.plots import FIGURES
    from ttcrawl.report.plots.drawing import plot, watch
    from ttcrawl.report.plots.style import FORMATS

    out = args.out or args.directories[0] / "plots"
    figures = args.what or FIGURES
    formats = args.formats or FORMATS
    if args.watch is not None:
        say = partial(print, flush=True)  # a line each time, also into a pipe
        watch(args.directories, figures, out, args.heaps, args.watch, say, formats)
        return DONE
    with ReadProgress() as progress:
        paths = plot([crawl_to_read(each) for each in args.directories], figures, out, args.heaps, progress, formats)
    for path in paths:
        print(path)
    return DONE
