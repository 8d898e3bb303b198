"""What `ttcrawl check` writes: the baseline, the reports of one run, and what the next check compares with."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Set
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.errors import UsageError, plain
from ttcrawl.output.colour import highlighted
from ttcrawl.output.display import tell
from ttcrawl.output.moments import seconds

if TYPE_CHECKING:
    from ttcrawl.inspect.check.health import Health
    from ttcrawl.inspect.check.kinds import Problem
    from ttcrawl.inspect.check.results.baseline import Baseline
    from ttcrawl.inspect.check.results.history import Comparison, History
    from ttcrawl.inspect.check.rules import Rules

#: --since: what was different at the last check.
LAST = "last"

#: Forms that can be written into files beside what is printed.
FILES = ("json", "csv", "junit", "sarif", "markdown", "html")


def in_files(report: Health, directory: Path) -> Health:
    """The report of a folder with the files of the problems; times say nothing of a server on loopback."""
    from ttcrawl.inspect.check.folder.served import in_files, mount_in

    mount = mount_in(directory)
    if mount is None:
        return report
    return replace(report, problems=tuple(in_files(report.problems, mount)), hosts=(), slowest=())


def rules_in(directory: Path, rules: Rules) -> Rules:
    """The rules without what a folder cannot tell."""
    from ttcrawl.inspect.check.folder.served import OF_SERVER, mount_in

    return replace(rules, kinds=rules.kinds - OF_SERVER) if mount_in(directory) else rules


def site_of(directory: Path) -> str:
    """The URL of the folder that was checked, while it is crawled; "" for a site."""
    from ttcrawl.inspect.check.folder.served import mount_in

    mount = mount_in(directory)
    return mount.url if mount else ""


def compared(directory: Path, report: Health, rules: Rules, args: argparse.Namespace) -> tuple[Health, History]:
    """The report without what is known, and how much that is. Writes a baseline, and what the next check needs."""
    from ttcrawl.inspect.check.results.baseline import Baseline, read_baseline
    from ttcrawl.inspect.check.results.history import History

    today = date.today()
    baseline = read_baseline(args.baseline) if args.baseline else Baseline()
    fresh = tuple(each for each in report.problems if not baseline.knows(each, today))
    expired = sum(bool(baseline.lines_of(each)) for each in fresh)
    if args.write_baseline:
        _write_baseline(report.problems, baseline, today, args)
        fresh, expired = (), 0
    last, unchanged = _since_last_check(directory, report.problems, rules, args.since)
    shown = fresh if args.since is None else tuple(each for each in fresh if each.page not in unchanged)
    history = History(
        in_baseline=len(report.problems) - len(fresh),
        expired=expired,
        unchanged=len(fresh) - len(shown),
        last_check=last,
    )
    return replace(report, problems=shown), history


def _since_last_check(
    directory: Path, problems: Collection[Problem], rules: Rules, since: str | None
) -> tuple[Comparison | None, Set[str]]:
    """The comparison with the last check, and the URLs of the pages that have not changed since.

    Nothing for a first check, or if the crawl directory can only be read.
    """
    from ttcrawl.inspect.check.folder.served import as_crawled, mount_in
    from ttcrawl.inspect.check.links.external import views
    from ttcrawl.inspect.check.pages.changes import unchanged_pages
    from ttcrawl.inspect.check.results.history import compare
    from ttcrawl.inspect.check.results.reached import reached_by
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.store.check_db import NAME, open_check
    from ttcrawl.store.database import StoreError, why

    try:
        mount = mount_in(directory)
        with closing(open_check(directory / NAME)) as db, view(directory) as crawl, views(directory) as externals:
            reached = reached_by(crawl, externals)
            last = compare(db, problems, rules.kinds, time.time(), lambda each: reached(as_crawled(each, mount)))
            unchanged = unchanged_pages(db, crawl, None if since in (None, LAST) else seconds(str(since)))
        return last, {url.replace(mount.url, mount.shown) for url in unchanged} if mount else unchanged
    except OSError as error:
        reason = plain(error)
    except StoreError as error:
        reason = f"{directory / NAME}: {why(error)}"
    tell(f"{reason}; the problems are not compared with those of the last check")
    return None, frozenset()


def _write_baseline(problems: Collection[Problem], earlier: Baseline, today: date, args: argparse.Namespace) -> None:
    from ttcrawl.inspect.check.results.baseline import write_baseline

    last = today + timedelta(args.baseline_days) if args.baseline_days else None
    try:
        write_baseline(args.write_baseline, problems, earlier, today, last)
    except OSError as error:
        raise UsageError(f"{plain(error)}; name a file that can be written with --write-baseline") from error


def write_reports(report: Health, history: History, rules: Rules, args: argparse.Namespace) -> None:
    """Print the report, after writing it into the files that were named."""
    from ttcrawl.cli.styles import OF_CHECK
    from ttcrawl.inspect.check.results.badge import as_badge
    from ttcrawl.inspect.check.results.for_people import Lists
    from ttcrawl.inspect.check.results.forms import rendered

    lists = Lists(groups=args.per_kind, ungrouped=args.all)
    for form in FILES:
        if path := getattr(args, form):
            _write(path, rendered(report, history, rules, form, lists), f"--{form}")
    if args.badge:
        _write(args.badge, as_badge(report, rules), "--badge")
    text = rendered(report, history, rules, args.format, lists)
    print(highlighted(text, OF_CHECK if args.format == "text" else (), sys.stdout))


def _write(path: Path, words: str, option: str) -> None:
    from ttcrawl.store.replaced import replaced

    try:
        with replaced(path) as fresh:
            fresh.write_text(words + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{plain(error)}; name a file that can be written with {option}") from error
