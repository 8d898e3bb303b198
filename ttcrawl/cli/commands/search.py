"""`ttcrawl search`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import between, directory, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, FAILED, UsageError

if TYPE_CHECKING:
    from ttcrawl.inspect.search.hits import Hit

SUMMARY = "full-text search in the pages of a crawl"
IN_HELP = ("Look", 5)
EXAMPLES = (("pages with a phrase, of one host", "search crawl-example.org '\"open data\" host:www.example.org'"),)


def options(search: argparse.ArgumentParser) -> None:
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
    output_form(search, "json")


def _directory_or_database(text: str) -> Path | str:
    from ttcrawl.config import SCHEMES

    return text if text.startswith(SCHEMES) else directory(text)


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 if no page matches."""
    from ttcrawl.output.colour import has_colour
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show

    text = " ".join(args.query)
    if isinstance(args.place, str):
        from ttcrawl.export.postgresql.search import search

        if args.rebuild or args.rank != "bm25":
            raise UsageError(
                "--rebuild and --rank are for a crawl directory: ttcrawl mirror keeps the words in a database"
            )
        pages = search(args.place, text, args.limit, args.crawl)
    elif args.crawl is not None:
        raise UsageError("--crawl is for a database with copies of crawls: write postgresql://... instead of DIR")
    else:
        pages = _of_crawl(args, text)
    if args.format == "json":
        print(json_form([_as_json(hit) for hit in pages]))
    else:
        bold = has_colour(sys.stdout)
        show("\n\n".join(_lines(hit, bold=bold) for hit in pages) or "no page matches")
    return DONE if pages else FAILED


def _of_crawl(args: argparse.Namespace, text: str) -> list[Hit]:
    from ttcrawl.inspect.search.best_pages import best_pages, unknown_words
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.snapshot.unread import unread, unread_line

    directory = crawl_to_read(args.place)
    with ReadProgress() as progress:
        pages = best_pages(directory, text, args.limit, rank=args.rank, rebuild=args.rebuild, progress=progress)
        for word, near in unknown_words(directory, text):
            hint = f"; did you mean {near}?" if near else ""
            tell(f"no page has {escape_untrusted(word)}{hint}")
    with view(directory) as crawl:
        if count := unread(crawl):
            tell(f"{unread_line(count, args.place)}; until then only their titles are searched")
    return pages


def _as_json(hit: Hit) -> dict[str, object]:
    from dataclasses import asdict

    values = asdict(hit)
    del values["words"]
    return values | {"text": hit.snippet(), "score": round(hit.score, 6)}


def _lines(hit: Hit, *, bold: bool) -> str:
    from ttcrawl.inspect.search.snippet import snippet
    from ttcrawl.output.colour import BOLD, NORMAL
    from ttcrawl.output.untrusted import escape_untrusted

    text = escape_untrusted(" ".join(hit.text.split()))
    shown = snippet(text, hit.words, lambda word: f"{BOLD}{word}{NORMAL}" if bold else word)
    facts = [each for each in (hit.date, hit.language, hit.type) if each]
    copies = f", {hit.duplicates:,} similar {'page' if hit.duplicates == 1 else 'pages'}" if hit.duplicates else ""
    lines = [
        escape_untrusted(hit.title.strip() or hit.url),
        f"  {escape_untrusted(hit.url)}",
        f"  {escape_untrusted(', '.join(facts))}{copies}",
        *([f"  {shown}"] if shown else []),
    ]
    return "\n".join(lines)
