"""`ttcrawl report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import OUTPUT, between, crawl_directories, file, group
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, REPORT, install_line, installed

if TYPE_CHECKING:
    from ttcrawl.output.terminal import Screen

SUMMARY = "the statistics of a crawl, or of several side by side"
IN_HELP = ("Look", 6)
EXAMPLES = (
    ("all statistics of a crawl", "report crawl-example.org"),
    ("growth laws of two crawls side by side, for a paper", "report first second --section laws --format latex"),
)


#: Ends of names -> the format that a file with such a name has.
FORMS = {".md": "markdown", ".html": "html", ".json": "json", ".csv": "csv", ".tex": "latex"}


def options(report: argparse.ArgumentParser) -> None:
    crawl_directories(report)
    about = "the form of the output (default: text, or as the name of FILE ends)"
    of_output = group(report, OUTPUT).add_argument
    of_output("--format", choices=("text", *FORMS.values()), help=about)
    of_output("-o", "--out", dest="out", metavar="FILE", type=file, help="where to write (default, and -: stdout)")
    what = report.add_argument_group("what is reported")
    instead = what.add_mutually_exclusive_group()
    instead.add_argument("--politeness", action="store_true", help="instead: requests and delays of each host")
    instead.add_argument("--seeds", action="store_true", help="instead: what became of each seed and its host")
    instead.add_argument(
        "--section",
        metavar="NAMES",
        dest="sections",
        type=_names,
        action="extend",
        default=[],
        help="instead: some parts of the report (laws,duplicates); an unknown name lists all",
    )
    about = "tables by the links of the main text, or by all, of menus too (default: both)"
    add = what.add_argument
    add("--links", choices=("main", "all"), default="", help=about)
    add("--limit", metavar="N", type=between(0, 1_000_000), help="with --seeds: seeds shown (default: all)")
    about = "with --politeness: hosts shown, smallest margin first (default: 20)"
    add("--hosts", metavar="N", type=between(0, 1_000_000), default=20, help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.store.replaced import must_have_place

    must_have_place(args.out)
    names = [str(directory) for directory in args.directories]
    directories = [crawl_to_read(each) for each in args.directories]
    form = args.format or (FORMS.get(_suffix(args.out), "text") if args.out else "text")
    if args.politeness:
        from ttcrawl.report import politeness

        with ReadProgress() as progress:
            crawls = [politeness.politeness(directory, args.hosts, progress) for directory in directories]
        return _write_tables(politeness, crawls, names, form, args.out)
    if args.seeds:
        from ttcrawl.report import seeds

        with ReadProgress() as progress:
            seeds_of = [seeds.seeds(each, progress).first(args.limit) for each in directories]
        return _write_tables(seeds, seeds_of, names, form, args.out)
    from ttcrawl.report.forms import render
    from ttcrawl.report.study import lazy_study, missing, selected, study

    figures, parts = {}, selected(args.sections)
    with ReadProgress() as progress, ExitStack() as stack:
        # of some parts, what they need is read when it is needed; of all, one crawl is in memory at a time
        read = (lambda *each: stack.enter_context(lazy_study(*each))) if args.sections else study
        studies = [read(directory, progress) for directory in directories]
        if form == "html" and installed(*REPORT):
            from ttcrawl.report.plots.drawing import inline

            progress("figures", 0, 0)
            figures = inline(studies, names, (), parts)
        report = render(studies, names, form, figures, _screen(args.out), args.sections, args.links)
    _write(report, args.out, form)
    if args.sections and not report:
        tell(f"nothing to show: this crawl has no figures of {', '.join(parts)}")
    if not installed(*REPORT):
        without = missing() or ["power laws of degrees"]
        tell(f"without {', '.join(without)} and figures: they need {install_line('report')}")
    return DONE


def _names(text: str) -> list[str]:
    """The names in a list with commas; argparse refuses one without any."""
    if names := [name.strip() for name in text.split(",") if name.strip()]:
        return names
    raise argparse.ArgumentTypeError("names of parts of the report, such as laws,duplicates")


def _suffix(path: Path) -> str:
    """The end of the name of a file, before the one that says how it is compressed."""
    from ttcrawl.export.compressed import COMPRESSORS

    return Path(path.stem).suffix if path.suffix in COMPRESSORS else path.suffix


def _screen(out: Path | None) -> Screen:
    from ttcrawl.output.terminal import ANYWHERE, screen

    return screen() if out is None else ANYWHERE


def _write(report: str, out: Path | None, form: str) -> None:
    from ttcrawl.cli.styles import OF_REPORT
    from ttcrawl.export.output import output
    from ttcrawl.output.colour import highlighted
    from ttcrawl.output.display import tell

    if out is None:
        print(highlighted(report, OF_REPORT if form == "text" else (), sys.stdout))
        return
    with output(out, binary=False) as file:
        file.write(f"{report}\n".encode())
    tell(f"wrote {out}")


def _write_tables(
    module: ModuleType, crawls: Sequence[object], names: Sequence[str], form: str, out: Path | None
) -> int:
    """Write the tables of a module that has functions `sections` and `render`."""
    if form != "html":
        _write(module.render(crawls, names, form, _screen(out)), out, form)
        return DONE
    from ttcrawl import __version__
    from ttcrawl.report.html.page import Chapter, html

    title = module.__name__.rpartition(".")[2].capitalize()
    chapter = Chapter(title=title, sections=module.sections(crawls, names))
    _write(html((), [chapter], [", ".join(names)], __version__), out, form)
    return DONE
