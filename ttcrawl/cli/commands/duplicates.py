"""`ttcrawl duplicates`: identical and similar pages, or with --tune what other settings would find."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import between, crawl_directory
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, FAILED, UsageError, require

if TYPE_CHECKING:
    from ttcrawl.snapshot.duplicate_groups import DuplicateGroup
    from ttcrawl.snapshot.rows import Duplicate

SUMMARY = "duplicate and near-duplicate pages, with their originals"
IN_HELP = ("Look", 11)
EXAMPLES = (
    ("groups of pages with the same content", "duplicates crawl-example.org --limit 20"),
    ("which parameters find them best", "duplicates crawl-example.org --tune"),
)

#: Printed for a crawl that runs or was killed.
PROVISIONAL = "marks may still change until a run ends (pages: {:,})"


def options(same: argparse.ArgumentParser) -> None:
    crawl_directory(same)
    same.add_argument("url", metavar="URL", nargs="?", help="show its complete group (default: the largest groups)")
    about = "number of groups, and of duplicates of each, without URL (default: 20; 0: all)"
    same.add_argument("--limit", metavar="N", type=between(0, 1_000_000), default=20, help=about)
    same.add_argument("--format", default="text", choices=("text", "markdown", "json"), help="markdown: with --tune")
    about = "with URL, a duplicate: show as a unified diff how its main text differs from that of its original"
    same.add_argument("--diff", action="store_true", help=about)
    about = "instead: try settings of [duplicates] on the pages of the crawl: precision, recall and cost"
    same.add_argument("--tune", action="store_true", help=about)
    add = same.add_argument_group("with --tune").add_argument
    about = "file with labelled pairs: URL, URL, and 1, 0 or a similarity, separated by tabs (default: generated pairs)"
    add("--pairs", metavar="FILE", type=Path, help=about)
    about = "number of pages to generate pairs from (default: 2000)"
    add("--sample", metavar="N", type=between(2, 1_000_000), default=2000, help=about)
    add("--seed", metavar="N", type=int, default=1, help="seed of the random choice (default: 1)")
    about = "similarity from which two pages should be marked (default: 0.9)"
    add("--similar", metavar="S", type=_share, default=0.9, help=about)


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0.1 <= (share := float(text)) <= 1:
            return share
    raise argparse.ArgumentTypeError(f"{text!r} is not between 0.1 and 1")


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 without a group of the URL that is named."""
    if args.tune:
        return _tune(args)
    if args.pairs or args.format == "markdown":
        raise UsageError("--pairs and --format markdown go with --tune")
    if args.diff and not args.url:
        raise UsageError("--diff compares a duplicate with its original: name its URL")
    from dataclasses import asdict
    from itertools import islice

    from ttcrawl.library.crawl import Crawl
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show
    from ttcrawl.snapshot.errors import NotThere

    most = args.limit or None
    directory = crawl_to_read(args.directory)
    with Crawl(directory) as crawl:
        try:
            if unsettled := crawl.unsettled():
                tell(PROVISIONAL.format(unsettled))
            with ReadProgress() as progress:
                progress("duplicates", 0, 0)
                groups = [crawl.group(args.url)] if args.url else list(islice(crawl.groups(), most))
        except NotThere as error:
            tell(str(error))
            return FAILED
    if args.diff:
        return _diff(directory, groups[0], args.url)
    if args.format == "json":
        print(json_form([asdict(each) for each in groups]))
    else:
        lines = "\n\n".join("\n".join(_text(each, None if args.url else most)) for each in groups)
        show(lines or "no page is a duplicate")
    return DONE


def _diff(directory: Path, group: DuplicateGroup, url: str) -> int:
    """Print the diff. The exit status is 1 for the original of a group, and for a page without text."""
    from ttcrawl.config.compiled import canon_of
    from ttcrawl.output.display import tell
    from ttcrawl.output.terminal import show
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.snapshot.errors import NotThere
    from ttcrawl.snapshot.named_url import named_url
    from ttcrawl.snapshot.page_text import words
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.snapshot.texts import unified

    with view(directory) as db:
        named = named_url(db, canon_of(db.config).canonical, url).url
        copy = next((each for each in group.copies if each.url == named), None)
        if copy is None or copy.original is None:
            tell(f"{named} is an original: name one of its duplicates")
            return FAILED
        pair = [(db.url_id(each) or 0, each) for each in (copy.original, copy.url)]
        try:
            before, after = (words(db, id, each, main=True) for id, each in pair)
        except NotThere as error:
            tell(str(error))
            return FAILED
    lines = [f"--- {copy.original}", f"+++ {copy.url}", *unified(before, after)]
    show("\n".join(map(escape_untrusted, lines if before != after else lines[:2])))
    return DONE


def _text(group: DuplicateGroup, most: int | None = None) -> Iterator[str]:
    """Lines of a group, with at most `most` copies."""
    from collections import Counter

    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.ring.columns import BYTES, NEAR, TEXT

    kinds = {BYTES: "by bytes", TEXT: "by text", NEAR: "nearly"}
    counts = Counter(each.same for each in group.copies)
    summary = ", ".join(f"{counts[mark]:,} {words}" for mark, words in kinds.items() if counts[mark])
    noun = "duplicate" if len(group.copies) == 1 else "duplicates"
    yield escape_untrusted(group.original)
    yield f"  {len(group.copies):,} {noun}: {summary}"
    yield from _lines(group, group.copies[:most])
    if most is not None and len(group.copies) > most:
        yield f"  and {len(group.copies) - most:,} more"


def _lines(group: DuplicateGroup, copies: Sequence[Duplicate]) -> Iterator[str]:
    from ttcrawl.output.untrusted import escape_untrusted
    from ttcrawl.ring.columns import NEAR

    for each in copies:
        label = f"{each.same:5}  {'' if each.same != NEAR else f'{each.similarity:.4f}':6}"
        other = f"  (of {each.original})" if each.original != group.original else ""
        yield escape_untrusted(f"  {label}  {each.url}{other}")


def _tune(args: argparse.Namespace) -> int:
    from ttcrawl.config import text_in
    from ttcrawl.output.display import tell
    from ttcrawl.report.tuning.grid import trials
    from ttcrawl.report.tuning.labels import labels
    from ttcrawl.report.tuning.sample import by_hand, from_crawl
    from ttcrawl.report.tuning.verdict import render
    from ttcrawl.snapshot.snapshot import view

    if args.url:
        raise UsageError("--tune is about all pages of a crawl: leave the URL out")
    require("numpy")
    label_text = text_in(args.pairs, "--pairs") if args.pairs else None
    directory = crawl_to_read(args.directory)
    with view(directory) as db:
        config = db.config
    if label_text is None:
        sample = from_crawl(directory, config, args.sample, args.seed, args.similar, tell)
    else:
        sample = by_hand(directory, config, labels(label_text, str(args.pairs)), tell)
    results = list(trials(sample, config.duplicates, args.similar, time.process_time, tell))
    print(render(sample, results, args.similar, args.format))
    return DONE
