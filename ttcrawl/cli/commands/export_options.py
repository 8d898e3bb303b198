"""The options of `ttcrawl search`, `export` and `mirror`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.cli.numbers import between
from ttcrawl.export import TABLES, formats
from ttcrawl.output.moments import EXAMPLES, seconds


def search_options(search: argparse.ArgumentParser) -> None:
    add = search.add_argument
    about = "a crawl, or the URL of a database with copies of crawls: postgresql://..."
    add("place", metavar="DIR", type=_directory_or_database, help=about)
    about = 'words, "phrases", prefix*, AND OR NOT ( ), host: lang: type: after: before:'
    add("query", metavar="QUERY", nargs="+", help=about)
    add("--limit", metavar="N", type=between(1, 1_000_000), default=10, help="maximum number of pages (default: 10)")
    about = "the best pages by words (bm25, the default), or also by the links to them (pagerank)"
    add("--rank", default="bm25", choices=("bm25", "pagerank"), help=about)
    add("--rebuild", action="store_true", help="make the index again")
    add("--crawl", metavar="N", type=int, help="in a database: only the crawl with this number (default: all)")
    add("--format", default="text", choices=("text", "json"))


def export_options(export: argparse.ArgumentParser) -> None:
    add = export.add_argument
    add("directory", metavar="DIR", type=Path)
    add("--format", default="jsonl", choices=formats.names())
    add("-o", dest="out", metavar="FILE|DIR", type=Path, help="where to write (default: stdout)")
    about = "only rows for which this holds, such as 'status>=400' or 'host~*.example.org' (repeatable: all must hold)"
    add("--where", dest="conditions", metavar="CONDITION", action="append", default=[], help=about)
    about = "of jsonl, csv and parquet (repeatable; default: pages, into a directory the usual ones)"
    add("--table", dest="tables", choices=TABLES, action="append", default=[], help=about)
    add("--text", action="store_true", help="of jsonl, csv and parquet: add the text and the main text of pages")
    about = "of alvis: only documents that have changed since this moment, and the deletions of those that are gone"
    add("--since", metavar="MOMENT", type=_moment, help=about)


def mirror_options(mirror: argparse.ArgumentParser) -> None:
    from ttcrawl.config import FORM  # no other command needs it for its options

    add = mirror.add_argument
    add("directory", metavar="DIR", type=Path)
    about = f"{FORM} (default: [postgresql] url in DIR/config.ini)"
    add("database", metavar="URL", nargs="?", default="", help=about)
    add("--follow", action="store_true", help="copy what changes until the crawl has ended")
    about = "the database has this crawl from another directory: let this one, its copy, take its place"
    add("--take-over", action="store_true", help=about)


def _moment(text: str) -> float:
    try:
        return seconds(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not {EXAMPLES}") from None


def _directory_or_database(text: str) -> Path | str:
    from ttcrawl.config import SCHEMES

    return text if text.startswith(SCHEMES) else Path(text)
