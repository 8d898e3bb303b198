"""`ttcrawl extract`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import (
    any_key,
    between,
    crawl_directory,
    file_or_directory,
    group,
    prepare_processes,
    processes,
)
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, STOPPED, UsageError

if TYPE_CHECKING:
    from ttcrawl.config import Lines
    from ttcrawl.extract.items import ItemsFile
    from ttcrawl.extract.run import Result, Selection
    from ttcrawl.snapshot.snapshot import View

SUMMARY = "make items of the pages of a crawl, without a request"
IN_HELP = ("Give", 2)
EXAMPLES = (
    ("what the function page of shop.py makes of each page", "extract crawl-example.org shop.py:page -o items.parquet"),
    ("names and prices by selectors", "extract crawl-example.org --css name=h1 --css price=.price -o items.csv"),
)


def options(extract: argparse.ArgumentParser) -> None:
    from ttcrawl.export import ITEM_FORMATS

    crawl_directory(extract)
    about = "functions that get pages, FILE.py:FUNCTION or MODULE:FUNCTION (default: [hooks] extract)"
    extract.add_argument("functions", metavar="FUNCTION", nargs="*", help=about)
    _without_python(extract)
    add = group(extract, "which pages").add_argument
    about = "only pages for which this holds, such as 'type=text/html' or 'url~*/product/*' (repeatable: all must hold)"
    add("--where", dest="conditions", metavar="CONDITION", action="append", default=[], help=about)
    add("--sample", metavar="N", type=between(1, 999_999_999), default=0, help="only N pages, from all of the crawl")
    about = "every answer of a URL that was requested several times (default: the latest)"
    add("--all-captures", dest="every", action="store_true", help=about)
    add("--again", action="store_true", help="also pages that this version of the function has seen")
    add = group(extract, "what is done").add_argument
    about = "where to write (default, and -: stdout)"
    add("-o", "--out", dest="out", metavar="FILE|DIR", type=file_or_directory, help=about)
    about = "the format (default: by the name of the file; of stdout or a directory, jsonl); json goes with --compare"
    add("--format", choices=(*ITEM_FORMATS, "json"), default="", help=about)
    add("--show", action="store_true", help="instead: show the items for reading")
    about = "instead: which items differ from those of the version before"
    add("--compare", action="store_true", help=about)
    add("--follow", action="store_true", help="instead: make items of new pages until the crawl has ended")
    about = "number of parse processes (default: one for each processor)"
    add("--parsers", metavar="N", type=processes, default=0, help=about)
    any_key(extract)


def _without_python(extract: argparse.ArgumentParser) -> None:
    add = group(extract, "items without Python").add_argument
    about = "a column: the text of the first match; SELECTOR::attr(href) an attribute, NAME[]= all matches (repeatable)"
    add("--css", metavar="NAME=SELECTOR", action="append", default=[], help=about)
    about = "an item for each of these elements, in which --css looks (default: one for a page)"
    add("--each", metavar="SELECTOR", action="append", default=[], help=about)
    about = "the things of a type that pages state in JSON-LD, such as Product (repeatable; without TYPE: all)"
    add("--jsonld", metavar="TYPE", nargs="?", const="*", action="append", default=[], help=about)
    about = "the same in microdata"
    add("--microdata", metavar="TYPE", nargs="?", const="*", action="append", default=[], help=about)
    about = "the rows of these tables, with the columns of their headers (repeatable; without SELECTOR: all tables)"
    add("--table", metavar="SELECTOR", nargs="?", const="*", action="append", default=[], help=about)


def run(args: argparse.Namespace) -> int:
    prepare_processes(args, fetch_first=False)
    from ttcrawl.cli.configuration import overrides
    from ttcrawl.extract.items import ItemsFile
    from ttcrawl.extract.run import Selection, configured, extract
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.store.mailbox import is_cluster

    selection = Selection(conditions=args.conditions, sample=args.sample, every=args.every, again=args.again)
    if args.follow and is_cluster(args.directory):
        raise UsageError("--follow makes items of one crawl: set [hooks] extract, and each ring makes its own")
    directory = crawl_to_read(args.directory)
    with view(directory) as db:
        config = configured(db.config_with(overrides(args)), _lines(args), args.parsers)
        form = _checked_form(args, len(config.hooks.extractors))
        with ItemsFile(directory) as file:
            if args.follow:
                from ttcrawl.extract.follow import follow

                return follow(db, file, config)
            with ReadProgress() as progress:
                result = extract(db, file, config, selection, progress, tell)
            names = [each.name for each in config.hooks.extractors]
            versions = dict(zip(names, result.versions, strict=True))
            tables = {name: _Table(db, file, version, selection) for name, version in versions.items()}
            if args.compare and args.format:
                _compare_as_json(tables)
            elif args.compare:
                _compare(tables)
            elif args.show:
                _show(tables)
            else:
                _write(tables, args.out, form)
        _report(names, result, directory)
    return STOPPED if result.stopped_by else DONE


def _lines(args: argparse.Namespace) -> Lines:
    """The options in the words of [hooks] extract."""
    from ttcrawl.config import Line, Lines

    kinds = ("css", "each", "jsonld", "microdata", "table")
    texts = [*args.functions, *(f"{kind} {text}" for kind in kinds for text in getattr(args, kind))]
    return Lines(Line(text=text) for text in texts)


def _checked_form(args: argparse.Namespace, tables: int) -> str:
    """The format of the items. Raises UsageError for options that do not go together, before anything is extracted."""
    from ttcrawl.export.items import FORMATS, check, format_of

    instead = [name for name in ("show", "compare", "follow") if getattr(args, name)]
    as_json = args.format == "json"
    if as_json and not args.compare:
        raise UsageError("--format json goes with --compare; items have one of: " + ", ".join(FORMATS))
    if len(instead) > 1 or (instead and (args.out or (args.format and not as_json))):
        raise UsageError(f"--{instead[0]} is instead of other output: leave out the other options")
    if args.follow and (args.conditions or args.sample or args.every or args.again):
        raise UsageError("--follow makes items of all pages: leave out --where, --sample, --all-captures and --again")
    if instead:
        return ""
    form = format_of(args.out, args.format)
    check(args.out, form, tables)
    return form


class _Table:
    """The items of an extractor."""

    def __init__(self, db: View, file: ItemsFile, version: int, selection: Selection) -> None:
        self.db, self.file = db, file
        self.version, self.selection = version, selection
        self.count = 0  # items that were read the last time

    def read(self) -> Iterator[tuple[str, float, int, str]]:
        from ttcrawl.extract.run import items

        self.count = 0
        for item in items(self.db, self.file, self.version, self.selection):
            self.count += 1
            yield item


def _write(tables: Mapping[str, _Table], out: Path | None, form: str) -> None:
    from ttcrawl.export.items import write_items
    from ttcrawl.output.display import tell
    from ttcrawl.output.number import counted

    paths = write_items({name: table.read for name, table in tables.items()}, out, form)
    counts = [table.count for table in tables.values()]
    if form == "sqlite":  # all of them are in one file
        counts = [sum(counts)]
    for path, count in zip(paths, counts, strict=bool(paths)):  # stdout is no file
        tell(f"wrote {path}: {counted(count, 'item')}")


def _show(tables: Mapping[str, _Table]) -> None:
    from ttcrawl.extract.compare import value_text
    from ttcrawl.output.terminal import show
    from ttcrawl.snapshot.json_columns import parse

    lines = []
    for name, table in tables.items():
        for url, _, position, text in table.read():
            lines.append(f"{url}  {name} {position}")
            lines += [f"    {field}: {value_text(value)}" for field, value in parse(text).items()]
    show("\n".join(lines) or "no items")


def _compare_as_json(tables: Mapping[str, _Table]) -> None:
    from dataclasses import asdict

    from ttcrawl.extract.compare import Compared, item_changes
    from ttcrawl.output.json_form import json_form

    rows = []
    for name, table in tables.items():
        before, figures = table.file.before(table.version), Compared()
        versions = (before, table.version) if before is not None else None
        changes = item_changes(table.db, table.file, versions, table.selection, figures) if versions else ()
        listed = [asdict(each) for each in changes]
        row = {"function": name, "compared": before is not None, "pages": figures.pages, "changed": figures.changed}
        rows.append({**row, "counts": dict(figures.items), "changes": listed})
    print(json_form(rows))


def _compare(tables: Mapping[str, _Table]) -> None:
    from ttcrawl.extract.compare import Compared, item_changes, lines_of
    from ttcrawl.output.number import counted
    from ttcrawl.output.terminal import show

    for name, table in tables.items():
        before = table.file.before(table.version)
        if before is None:
            show(f"{name}: there is no version before this one, so nothing can be compared")
            continue
        figures, page = Compared(), ""
        for change in item_changes(table.db, table.file, (before, table.version), table.selection, figures):
            show("\n".join([*([change.page_url] if change.page_url != page else []), *lines_of(change)]))
            page = change.page_url
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in figures.items.most_common())
        pages = f"{figures.changed:,} of {counted(figures.pages, 'page')} differ"
        show(f"{name}: {pages}{kinds and f'; items: {kinds}'}")


def _report(names: Sequence[str], result: Result, directory: Path) -> None:
    from ttcrawl.output.display import remark, tell
    from ttcrawl.output.number import counted

    for name, count in zip(names, result.counts, strict=True):
        remark(f"{name}: {counted(count.items, 'item')} of {counted(count.pages, 'new page')}")
        for each in count.named:
            tell(f"{name} failed on {each}")
        if (more := count.failed - len(count.named)) > 0:
            tell(f"{name} failed on {counted(more, 'more page')}: see table page of {directory / 'items.db'}")
    if result.stopped_by:
        tell(f"stopped ({result.stopped_by}): repeat the command to extract the rest")
