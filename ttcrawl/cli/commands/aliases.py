"""`ttcrawl aliases`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE

if TYPE_CHECKING:
    from ttcrawl.inspect.aliases.find import Aliases
    from ttcrawl.maintain.merge_aliases import Merged

SUMMARY = "find, and optionally merge, hosts that serve the same pages"
IN_HELP = ("Change", 4)
EXAMPLES = (
    ("hosts that serve the same pages", "aliases crawl-example.org"),
    ("make each group one host", "aliases crawl-example.org --merge"),
)


def options(aliases: argparse.ArgumentParser) -> None:
    crawl_directory(aliases)
    about = "write the aliases into DIR/config.ini, and move their queued URLs to the canonical names"
    aliases.add_argument("--merge", action="store_true", help=about)
    output_form(aliases, "json")


def run(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ttcrawl.inspect.aliases.find import find
    from ttcrawl.inspect.aliases.listing import facts, text
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form

    if args.merge:
        result, merged = _merged(args.directory)
    else:
        directory, merged = crawl_to_read(args.directory), None
        with ReadProgress() as progress:
            result = find(directory, progress)
    if args.format == "json":
        print(json_form(facts(result) | {"merged": None if merged is None else asdict(merged)}))
    else:
        print(text(result, None if merged is None else merged.text(args.directory, len(result.entries))))
    return DONE


def _merged(directory: Path) -> tuple[Aliases, Merged]:
    from ttcrawl.cluster.merge_aliases import merge_in_rings
    from ttcrawl.inspect.aliases.find import find
    from ttcrawl.maintain.merge_aliases import merge
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.store.mailbox import is_cluster

    with ReadProgress() as progress:
        if is_cluster(directory):
            return merge_in_rings(directory, progress)
        result = find(directory, progress)
    return result, merge(directory, result.aliases)
