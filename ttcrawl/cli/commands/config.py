"""`ttcrawl config`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import CONFIGURATION, directory, group, output_form, profile, settings
from ttcrawl.errors import DONE

if TYPE_CHECKING:
    from ttcrawl.config.differences import Difference

SUMMARY = "the keys that differ from their defaults, and their origin"
IN_HELP = ("Tools", 2)
EXAMPLES = (
    ("what a new crawl here would use", "config"),
    ("a config.ini to begin with", "config --all > config.ini"),
)


def options(config: argparse.ArgumentParser) -> None:
    add = config.add_argument
    about = "the directory of a crawl (default: what a new crawl here would use)"
    add("directory", metavar="DIR", nargs="?", type=directory, help=about)
    settings(group(config, CONFIGURATION))
    profile(group(config, CONFIGURATION))
    add("--all", action="store_true", help="print a config.ini with every key and its meaning")
    output_form(config, "json")


def run(args: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import file_of, overrides, profile_of
    from ttcrawl.config import example, read
    from ttcrawl.config.config import entries_of
    from ttcrawl.config.differences import differences

    path = _of_crawl(args) if args.directory else file_of(args)
    keys, profile = overrides(args), profile_of(args)
    config = read(path, keys, profile=profile)
    if args.all:
        print(example(config), end="")
        return DONE
    differing = list(differences(config, entries_of(path, keys, profile=profile)))
    print(_json(differing) if args.format == "json" else _text(differing))
    return DONE


def _of_crawl(args: argparse.Namespace) -> Path:
    """The config.ini of a crawl. Raises UsageError."""
    from ttcrawl.errors import UsageError
    from ttcrawl.snapshot.snapshot import view

    if args.config or args.profile:
        raise UsageError("-c and --profile are for a new crawl, and DIR has its own config.ini: leave one of them out")
    with view(args.directory) as crawl:
        return crawl.directory / "config.ini"


def _text(differing: Iterable[Difference]) -> str:
    """A config.ini, in which each key has its origin and its default above it."""
    from ttcrawl.config.public import without_credentials
    from ttcrawl.output.untrusted import escape_untrusted

    lines = []
    for section, keys in groupby(differing, key=lambda each: each.section):
        lines += ["", f"[{section}]"]
        for each in keys:
            default = " | ".join(each.default.strip().split("\n    ")) or "empty"
            value = without_credentials(each)
            gap = "" if not value or value[0].isspace() else " "
            lines += [f"# {each.origin}; default: {default}", f"{each.key} ={gap}{value}"]
    text = "\n".join(lines[1:]) or "every key has its default"
    return "\n".join(escape_untrusted(line) for line in text.split("\n"))


def _json(differing: Iterable[Difference]) -> str:
    from ttcrawl.config.public import without_credentials
    from ttcrawl.output.json_form import json_form

    rows = [
        {
            "section": each.section,
            "key": each.key,
            "value": without_credentials(each).replace("\n    ", "\n").strip(),
            "default": each.default.replace("\n    ", "\n").strip(),
            "origin": each.origin,
        }
        for each in differing
    ]
    return json_form(rows)
