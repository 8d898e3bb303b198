"""`ttcrawl export`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory, file_or_directory
from ttcrawl.cli.readable import crawl_to_read

if TYPE_CHECKING:
    from ttcrawl.export.format import Options

SUMMARY = "write a crawl in a format that other programs read"
IN_HELP = ("Give", 1)
EXAMPLES = (("pages with errors as CSV", "export crawl-example.org --format csv --where 'status>=400' -o errors.csv"),)


def options(export: argparse.ArgumentParser) -> None:
    crawl_directory(export)
    export.add_argument(
        "-o",
        "--out",
        dest="out",
        metavar="FILE|DIR",
        type=file_or_directory,
        help="where to write (default, and -: stdout)",
    )
    format_options(export)


def format_options(export: argparse.ArgumentParser) -> None:
    """Which rows are written, and in which format."""
    from ttcrawl.export import FIELDS, TABLES, formats

    add = export.add_argument
    names = formats.names()
    about = f"{', '.join(names)} (default: by the name of the file, such as .csv or .sqlite; else jsonl)"
    add("--format", metavar="FORMAT", choices=names, help=about)
    about = "only rows for which this holds, such as 'status>=400' or 'host~*.example.org' (repeatable: all must hold)"
    add("--where", dest="conditions", metavar="CONDITION", action="append", default=[], help=about)
    names = (*TABLES, FIELDS)
    about = (
        f"of jsonl, csv, parquet and sqlite: {', '.join(names)} (repeatable; default: pages, into a directory the"
        " usual ones; sqlite: all that are stored)"
    )
    add("--table", dest="tables", metavar="TABLE", choices=names, action="append", default=[], help=about)
    add(
        "--text", action="store_true", help="of jsonl, csv, parquet and sqlite: add the text and the main text of pages"
    )
    about = "of alvis: only documents that have changed since this moment, and the deletions of those that are gone"
    add("--since", metavar="MOMENT", type=_moment, help=about)


def _moment(text: str) -> float:
    from ttcrawl.output.moments import EXAMPLES, seconds

    try:
        return seconds(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not {EXAMPLES}") from None


def run(args: argparse.Namespace) -> int:
    from ttcrawl.export.format import export

    return export(crawl_to_read(args.directory), export_options(args, args.out))


def export_options(args: argparse.Namespace, out: Path | None) -> Options:
    from ttcrawl.export.format import Options, format_for

    return Options(
        form=args.format or format_for(out),
        out=out,
        conditions=args.conditions,
        tables=args.tables,
        text=args.text,
        since=args.since,
    )
