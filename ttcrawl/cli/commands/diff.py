"""`ttcrawl diff`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, UsageError

if TYPE_CHECKING:
    from ttcrawl.inspect.changes.diff import Change, Diff
    from ttcrawl.snapshot.snapshot import View

SUMMARY = "pages that are new, gone, moved or changed"
IN_HELP = ("Look", 10)

#: Names of `ttcrawl.export.changes_feed.FEEDS`, which the help does not need.
FEEDS = ("atom", "rss")

EXAMPLES = (
    ("what has changed since January", "diff crawl-example.org 2026-01-31"),
    ("two crawls, with the links that vanished", "diff old new --links"),
)


def options(diff: argparse.ArgumentParser) -> None:
    add = diff.add_argument
    crawl_directory(diff)
    about = (
        "another crawl; or one or two moments, such as 2026-01-31 or 2026-01-31T12:00:00 (UTC; default: the first and"
        " the latest response of each URL)"
    )
    add("others", metavar="DIR|TIME", nargs="*", default=[], help=about)
    about = "only changes for which this holds, such as 'change=gone' or 'same<0.9' (repeatable: all must hold)"
    add("--where", dest="conditions", metavar="CONDITION", action="append", default=[], help=about)
    add("--text", action="store_true", help="add a unified diff of the main text")
    about = "list the links that appeared and vanished, and the pages to which no other page links any more"
    add("--links", action="store_true", help=about)
    output_form(diff, "json", "jsonl", *FEEDS)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.cli.styles import OF_DIFF
    from ttcrawl.inspect.changes.diff import Change, changes
    from ttcrawl.output.colour import highlighted
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.snapshot.conditions import compile_conditions
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.snapshot.spool import spooled

    holds = compile_conditions(args.conditions, Change)
    other, moments = _split(args.others)
    with ExitStack() as printed:
        with ExitStack() as opened:
            first = opened.enter_context(view(crawl_to_read(args.directory)))
            second = opened.enter_context(view(crawl_to_read(other))) if other is not None else None
            progress = opened.enter_context(ReadProgress())
            compared = changes(first, second, *moments, progress, text=args.text)
            for crawl in (first, second) if second is not None else ():
                _warn(crawl)
            rows = (row for row in compared.rows() if holds(row))
            if args.format in FEEDS:
                lines = _feed(args.format, second or first, compared, rows, links=args.links)
            elif args.format != "text":
                lines = _json_lines(compared, rows, links=args.links)
            else:
                lines = map(escape_untrusted, _text_lines(compared, rows, links=args.links))
            listed = printed.enter_context(spooled(lines, str))
        for line in _in_array(listed) if args.format == "json" else listed:  # no snapshot is open while somebody reads
            print(highlighted(line, OF_DIFF if args.format == "text" else (), sys.stdout))
    return DONE


def _in_array(lines: Iterable[str]) -> Iterator[str]:
    """JSON lines as one array; at least one of them is there."""
    start = "["
    for line in lines:
        yield f"{start}{line}"
        start = ","
    yield "]"


def _split(texts: Sequence[str]) -> tuple[Path | None, tuple[str | None, str | None]]:
    """The other crawl, and the moments. A directory that exists is one, whatever its name."""
    from ttcrawl.output.moments import EXAMPLES, end_of

    if not texts:
        return None, (None, None)
    if os.path.isdir(texts[0]):
        if len(texts) > 1:
            raise UsageError(f"{texts[1]!r} is one too many: two crawls are compared as they are now")
        return Path(texts[0]), (None, None)
    if len(texts) > 2:
        raise UsageError(f"{texts[2]!r} is one too many: name two moments")
    for text in texts:
        try:
            end_of(text)
        except UsageError as error:
            raise UsageError(f"{text!r} is neither the directory of a crawl nor {EXAMPLES}") from error
    return None, (texts[0], texts[1] if len(texts) > 1 else None)


def _warn(crawl: View) -> None:
    from ttcrawl.output.display import tell

    finished = crawl.settings.get("finished", "")
    if finished != "done":
        tell(
            f"{crawl.directory} has not ended{f' ({finished})' if finished else ''}: pages that it has not discovered"
            " yet look gone or new"
        )


def _text_lines(compared: Diff, rows: Iterator[Change], *, links: bool) -> Iterator[str]:
    from ttcrawl.inspect.changes.change_lines import change_lines, summary_lines, unlinked_lines

    yield from summary_lines(compared.counts)
    heading, only_bytes = "", 0
    for row in rows:
        if row.only_bytes:
            only_bytes += 1
            continue
        if row.change != heading:
            heading = row.change
            yield from ("", heading)
        yield from change_lines(row, links=links)
    if only_bytes:
        yield from ("", f"of the changed pages not listed, as only bytes differ: {only_bytes:,}")
    if links:
        yield from unlinked_lines(compared.unlinked())


def _feed(form: str, crawl: View, compared: Diff, rows: Iterator[Change], *, links: bool) -> Iterator[str]:
    from ttcrawl.export import changes_feed
    from ttcrawl.export.since import latest

    title = f"Changes of {', '.join(crawl.seeds[:3]) or crawl.directory.name}"
    head = changes_feed.Head(title=title, link=next(iter(crawl.seeds), ""), updated=latest(crawl))
    items = changes_feed.items(head.updated, rows, compared.unlinked() if links else (), links=links)
    return changes_feed.FEEDS[form](head, items)


def _json_lines(compared: Diff, rows: Iterator[Change], *, links: bool) -> Iterator[str]:
    """An object for each change, for each page without links, and at the end one with the numbers."""
    from dataclasses import asdict

    from ttcrawl.output.json_form import json_form

    for row in rows:
        yield json_form(asdict(row), indent=None)
    if links:
        for url in compared.unlinked():
            yield json_form({"change": "unlinked", "url": url}, indent=None)
    yield json_form({"change": "summary", **compared.counts}, indent=None)
