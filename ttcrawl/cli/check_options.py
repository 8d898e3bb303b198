"""The options of `ttcrawl check`, in the groups of its help."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from ttcrawl.cli.arguments import (
    OUTPUT,
    Options,
    between,
    directory,
    group,
    request_options,
    seed_file_options,
    settings,
)
from ttcrawl.cli.check_report import FILES, LAST
from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.kinds import NAMES
from ttcrawl.output.moments import EXAMPLES, seconds
from ttcrawl.vocabulary.region import LINK_CHOICES


def add_options(check: argparse.ArgumentParser) -> None:
    about = "URLs to crawl and check, a sitemap, a folder with the files of a site, or the directory of a crawl"
    check.add_argument("seeds", metavar="SEED|SITEMAP|FOLDER|DIR", nargs="*", default=[], help=about)
    _crawl(check.add_argument_group("the crawl"))
    _others(check.add_argument_group("other sites, and what pages load"))
    _problems(check.add_argument_group("what is a problem"))
    _history(check.add_argument_group("what is known"))
    _report(check.add_argument_group("the report"))
    about = "how progress is shown (default: auto)"
    group(check, OUTPUT).add_argument("--progress", choices=("auto", "plain", "none"), default="auto", help=about)


def _crawl(options: Options) -> None:
    add = options.add_argument
    about = "the URL that the folder will have, so that absolute links to it lead to its files"
    add("--as", dest="mounted", metavar="URL", help=about)
    about = "where to crawl (default: crawl-HOST, or crawl-FOLDER)"
    add("-d", dest="directory", metavar="DIR", type=directory, help=about)
    add("--max-pages", dest="crawl.max_pages", metavar="N", help="crawl at most N pages")
    seed_file_options(options)
    request_options(options)
    settings(options)


def _others(options: Options) -> None:
    add = options.add_argument
    about = "request URLs of other sites once (HEAD, then GET where HEAD is refused), or do not"
    add("--external", action=argparse.BooleanOptionalAction, default=True, help=about)
    about = "hours for which their answers are kept (default: 24; 0: request them again)"
    add("--external-age", metavar="HOURS", type=between(0, 10**6), default=24, help=about)
    about = "seconds that a host of these URLs may take (default: 60; 0: no limit)"
    add("--host-time", metavar="SECONDS", type=between(0, 10**6), default=60, help=about)
    add("--offline", action="store_true", help="request nothing: report what the crawl has recorded")


def _problems(options: Options) -> None:
    add = options.add_argument
    add("--kinds", action="store_true", help="list the kinds of problems, and why they matter, and end")
    for name, about in (
        ("--only", "report only this kind of problem (repeatable; --kinds lists them)"),
        ("--also", "report this kind of problem, too: one that is off by default (repeatable)"),
        ("--skip", "do not report this kind of problem (repeatable)"),
    ):
        add(name, metavar="KIND", choices=NAMES, action="append", default=[], help=about)
    about = "give a kind another level (repeatable): error, warning or notice"
    add("--level", metavar="KIND=LEVEL", type=_level, action="append", default=[], help=about)
    about = "the lowest level of a problem that makes the exit status 1 (default: error)"
    add("--fail-on", choices=(*LEVELS, "never"), default=LEVELS[0], help=about)
    add("--accept", metavar="STATUS,...", type=_statuses, default=frozenset(), help="statuses that are not errors")
    for name, about in (
        ("--ignore", "do not look at URLs like this: * stands for any characters (repeatable)"),
        ("--ignore-fragment", "do not look for fragments like this (repeatable)"),
    ):
        add(name, metavar="PATTERN", action="append", default=[], help=about)
    about = (
        "an orphan has no link from the main text, where a page has landmarks (the default), or none from menus either"
    )
    add("--links", choices=LINK_CHOICES, default="main", help=about)


def _history(options: Options) -> None:
    add = options.add_argument
    about = "only problems of pages that have changed since a day or moment, or since the last check"
    add("--since", metavar="MOMENT|last", type=_since, help=about)
    add("--baseline", metavar="FILE", type=Path, help="do not report the problems in this file")
    add("--write-baseline", metavar="FILE", type=Path, help="write all problems into this file; they count as known")
    about = "days for which they do; then they are reported again (default: 0, for ever)"
    add("--baseline-days", metavar="N", type=between(0, 100_000), default=0, help=about)


def _report(options: Options) -> None:
    add = options.add_argument
    about = "the form of what is printed (default: text); github annotates in an action, and writes its summary"
    add("--format", default="text", choices=("text", *FILES, "github"), help=about)
    about = "groups of problems that are shown (default: 20)"
    add("--per-kind", metavar="N", type=between(0, 10**6), default=20, help=about)
    add("--all", action="store_true", help="show every problem, and do not group them")
    for form in FILES:
        add(f"--{form}", metavar="FILE", type=Path, help=f"write the report as {form} into this file, too")
    about = "write a picture for a project's page: errors, warnings or passing"
    add("--badge", metavar="FILE", type=Path, help=about)


def _since(text: str) -> str:
    try:
        _ = text == LAST or seconds(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is neither {LAST} nor {EXAMPLES}") from None
    return text


def _statuses(text: str) -> frozenset[int]:
    parts = text.replace(",", " ").split()
    if not parts or not all(re.fullmatch("[45][0-9]{2}|999", part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r}: write statuses of errors (400 to 599, or 999), such as 403,429")
    return frozenset(map(int, parts))


def _level(text: str) -> tuple[str, str]:
    kind, _, level = text.partition("=")
    if kind not in NAMES or level not in LEVELS:
        about = f"write a kind, = and a level ({', '.join(LEVELS)}), such as orphan=notice"
        raise argparse.ArgumentTypeError(f"{text!r}: {about}")
    return kind, level
