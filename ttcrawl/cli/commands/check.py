"""`ttcrawl check`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import request_options, seed_file_options, settings
from ttcrawl.errors import DONE, FAILED, STOPPED, CrawlFailedError, UsageError, plain

if TYPE_CHECKING:
    from ttcrawl.config import Override
    from ttcrawl.inspect.check.health import Health

SUMMARY = "the health of a site: broken links, titles ..."
IN_HELP = ("Look", 8)


def options(check: argparse.ArgumentParser) -> None:
    from ttcrawl.inspect.check.kinds import NAMES
    from ttcrawl.vocabulary.region import LINK_CHOICES

    add = check.add_argument
    add("seeds", metavar="SEED|DIR", nargs="*", default=[], help="URLs to crawl and check, or the directory of a crawl")
    add("-d", dest="directory", metavar="DIR", type=Path, help="where to crawl (default: crawl-HOST)")
    add("--max-pages", dest="crawl.max_pages", metavar="N", help="crawl at most N pages")
    seed_file_options(check)
    request_options(check)
    settings(check)
    about = "request external URLs, and what pages load, once (HEAD, then GET where HEAD is refused), or do not"
    add("--external", action=argparse.BooleanOptionalAction, default=True, help=about)
    for name, about in (
        ("--only", f"report only this kind of problem (repeatable): {', '.join(NAMES)}"),
        ("--skip", "do not report this kind of problem (repeatable)"),
    ):
        add(name, metavar="KIND", choices=NAMES, action="append", default=[], help=about)
    about = (
        "an orphan has no link from the main text, where a page has landmarks (the default), or none from menus either"
    )
    add("--links", choices=LINK_CHOICES, default="main", help=about)
    add("--baseline", metavar="FILE", type=Path, help="do not report the problems in this file")
    add("--write-baseline", metavar="FILE", type=Path, help="write all problems into this file; they count as known")
    add("--format", default="text", choices=("text", "json", "csv", "junit"))
    add("--progress", choices=("auto", "plain", "none"), default="auto", help="how progress is shown (default: auto)")


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 for problems, 3 if there is none so far, but URLs are queued."""
    from ttcrawl.cli.configuration import overrides
    from ttcrawl.cli.crawling import crawled, of_requests
    from ttcrawl.inspect.check.baseline import read_baseline
    from ttcrawl.inspect.check.kinds import NAMES
    from ttcrawl.snapshot.snapshot import view

    keys = [*overrides(args), *of_requests(args)]
    kinds = tuple(name for name in NAMES if name in (args.only or NAMES) and name not in args.skip)
    if not kinds:
        raise UsageError("--only and --skip leave no kind of problem: name another one")
    if args.baseline:
        read_baseline(args.baseline)  # before a crawl that would be in vain
    if (directory := _directory(args)) is not None:
        return _check(directory, kinds, args, keys if args.external else None)
    directory = crawled(args)
    with view(directory) as db:
        interrupted = db.settings.get("finished") == "interrupted"
    if interrupted:  # who stops a crawl wants no other one
        return _check(directory, kinds, args, None) or STOPPED
    return _check(directory, kinds, args, keys if args.external else None)


def _directory(args: argparse.Namespace) -> Path | None:
    """The crawl directory to check; None if there are seeds."""
    if not (args.seeds or args.seed_files):
        raise UsageError("name a URL, a file with seeds (--seeds FILE) or the directory of a crawl to check")
    named = Path(args.seeds[0]) if args.seeds else None
    if named is None or len(args.seeds) > 1 or not named.is_dir():
        return None
    crawl_only = {"-d": args.directory, "-c": args.config, "--max-pages": vars(args)["crawl.max_pages"]}
    crawl_only["--seeds"] = args.seed_files or None
    for name in (each for each, value in crawl_only.items() if value is not None):
        raise UsageError(f"{name} is for a new crawl, and {named} is a directory: leave it out, or name seeds")
    return named


def _check(directory: Path, kinds: Collection[str], args: argparse.Namespace, keys: Sequence[Override] | None) -> int:
    """Print the report. `keys`: of the requests for external URLs, which come first; None: without them."""
    from dataclasses import replace

    from ttcrawl.inspect.check.baseline import line_of, read_baseline
    from ttcrawl.inspect.check.health import health
    from ttcrawl.inspect.check.kinds import BROKEN, CANONICAL, CHAIN, EXTERNAL, LOOP, REDIRECT
    from ttcrawl.output.display import ReadProgress

    old = read_baseline(args.baseline) if args.baseline else frozenset[str]()
    linked = {BROKEN, EXTERNAL, LOOP, CHAIN, REDIRECT, CANONICAL}
    complete = True
    if keys is not None and not linked.isdisjoint(kinds):
        complete = _request_external(directory, keys, args.progress)
    with ReadProgress() as progress:
        report = health(directory, kinds, progress, args.links)
    if args.write_baseline:
        _write(args.write_baseline, report)
        old = frozenset(map(line_of, report.problems))
    fresh = tuple(each for each in report.problems if line_of(each) not in old)
    in_baseline = len(report.problems) - len(fresh)
    print(_rendered(replace(report, problems=fresh), in_baseline, args.format, kinds))
    if fresh:
        return FAILED
    return DONE if complete and not report.queued else STOPPED


def _request_external(directory: Path, keys: Sequence[Override], progress: str) -> bool:
    """Request the external URLs that were not requested yet. Returns whether all were."""
    from ttcrawl.config import read
    from ttcrawl.inspect.check import external
    from ttcrawl.output.display import tell
    from ttcrawl.snapshot.snapshot import view

    with view(directory) as db:
        config = read(db.config_path, keys)
        job = external.job_of_missing(directory, db, config, progress)
        if job is None:
            return True
        seconds = external.seconds_due(db, job, time.time())
    tell(f"requesting external URLs, images and files: {len(job.seeds):,}")
    time.sleep(seconds)
    try:
        return external.request(job)
    except CrawlFailedError as error:
        raise CrawlFailedError(f"{error}; or leave external URLs out with --no-external") from error


def _write(path: Path, report: Health) -> None:
    from ttcrawl.inspect.check.baseline import write_baseline

    try:
        write_baseline(path, report.problems)
    except OSError as error:
        raise UsageError(f"{plain(error)}; name a file that can be written with --write-baseline") from error


def _rendered(report: Health, in_baseline: int, form: str, kinds: Collection[str]) -> str:
    from ttcrawl.inspect.check.for_people import text
    from ttcrawl.inspect.check.for_programs import as_csv, as_json, as_junit

    if form == "json":
        return as_json(report, in_baseline)
    if form == "csv":
        return as_csv(report)
    return as_junit(report, kinds) if form == "junit" else text(report, in_baseline)
