"""`ttcrawl aliases`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.errors import DONE

SUMMARY = "find, and optionally merge, hosts that serve the same pages"
IN_HELP = ("Change", 4)


def options(aliases: argparse.ArgumentParser) -> None:
    aliases.add_argument("directory", metavar="DIR", type=Path)
    about = "write the aliases into DIR/config.ini, and move their queued URLs to the canonical names"
    aliases.add_argument("--merge", action="store_true", help=about)
    aliases.add_argument("--format", default="text", choices=("text", "json"))


def run(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ttcrawl.inspect.aliases.find import find
    from ttcrawl.inspect.aliases.listing import facts, text
    from ttcrawl.maintain.merge_aliases import merge
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form

    with ReadProgress() as progress:
        result = find(args.directory, progress)
    merged = merge(args.directory, result.aliases) if args.merge else None
    if args.format == "json":
        print(json_form(facts(result) | {"merged": None if merged is None else asdict(merged)}))
    else:
        print(text(result, None if merged is None else merged.text(args.directory, len(result.entries))))
    return DONE
