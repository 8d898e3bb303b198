"""`ttcrawl check`."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, FAILED, STOPPED, CrawlFailedError, UsageError

if TYPE_CHECKING:
    from ttcrawl.cli.check_target import Target
    from ttcrawl.config import Override
    from ttcrawl.inspect.check.kinds import Problem
    from ttcrawl.inspect.check.links.external import Limits
    from ttcrawl.inspect.check.rules import Rules

SUMMARY = "the health of a site: broken links, titles ..."
IN_HELP = ("Look", 9)
EXAMPLES = (
    ("the links of a site", "check https://example.org/"),
    ("a folder before it is published; errors fail", "check build/html --as https://example.org/docs/ --fail-on error"),
    ("a crawl, without a request", "check crawl-example.org --offline"),
)


def options(check: argparse.ArgumentParser) -> None:
    from ttcrawl.cli.check_options import add_options

    add_options(check)


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 for problems that fail, 3 if there is none so far, but URLs are queued."""
    from ttcrawl.cli.check_report import FILES
    from ttcrawl.cli.check_target import Target, has_listing, target_of
    from ttcrawl.cli.configuration import overrides
    from ttcrawl.cli.crawling import of_requests
    from ttcrawl.inspect.check.results.baseline import read_baseline
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.store.regular import must_not_be_kept
    from ttcrawl.store.replaced import must_have_place

    if args.kinds:
        from ttcrawl.inspect.check.results.kinds import as_json, table

        if args.format not in ("text", "json"):
            raise UsageError(f"--kinds --format {args.format}: write text or json")
        print(as_json() if args.format == "json" else table())
        return DONE
    args.seeds = [str(crawl_to_read(Path(each))) if os.path.isdir(each) else each for each in args.seeds]
    keys = [*overrides(args), *of_requests(args)]
    rules = _rules(args)
    if args.baseline:
        read_baseline(args.baseline)  # before a crawl that would be in vain, as all of these
    if args.write_baseline:
        must_not_be_kept(args.write_baseline)
    for path in (args.write_baseline, args.badge, *(getattr(args, form) for form in FILES)):
        must_have_place(path)
    requests = None if args.offline else keys
    target = target_of(args)
    if target is Target.CRAWL:
        return _check(Path(args.seeds[0]), rules, args, requests)
    directory = _crawled(args, target)
    with view(directory) as db:
        if target is Target.SITEMAP and not has_listing(db):
            _need_pages(args.seeds)
        interrupted = db.settings.get("finished") == "interrupted"
    if interrupted:  # who stops a crawl wants no other one
        return _check(directory, rules, args, None) or STOPPED
    return _check(directory, rules, args, requests)


def _need_pages(sitemaps: Sequence[str]) -> None:
    """A URL that was no sitemap has no pages: that is no reason to report that all is well."""
    if sitemaps:
        raise CrawlFailedError(f"{sitemaps[0]} lists no pages: name a sitemap (XML, or text with a URL per line)")


def _crawled(args: argparse.Namespace, target: Target) -> Path:
    """The directory of a new crawl, or of one whose pages were visited again."""
    from ttcrawl.cli.check_again import crawled
    from ttcrawl.cli.check_folder import crawled_folder
    from ttcrawl.cli.check_target import OF_SITEMAP, Target

    if target is Target.FOLDER:
        return crawled_folder(args, Path(args.seeds[0]))
    if target is Target.SITEMAP and os.path.isfile(args.seeds[0]):
        args.seeds, args.seed_files = [], [*args.seed_files, *args.seeds]
    return crawled(args, OF_SITEMAP) if target is Target.SITEMAP else crawled(args)


def _rules(args: argparse.Namespace) -> Rules:
    from ttcrawl.inspect.check.kinds import DEFAULT
    from ttcrawl.inspect.check.rules import Rules, any_of

    kinds = frozenset(args.only or DEFAULT | {*args.also}) - {*args.skip}
    if not kinds:
        raise UsageError("--only and --skip leave no kind of problem: name another one")
    return Rules(
        kinds=kinds,
        links=args.links,
        levels=dict(args.level),
        fail_on=args.fail_on,
        accepted=args.accept,
        ignored=any_of(args.ignore),
        ignored_fragments=any_of([pattern.removeprefix("#") for pattern in args.ignore_fragment]),
    )


def _check(directory: Path, rules: Rules, args: argparse.Namespace, keys: Sequence[Override] | None) -> int:
    """Print the report. `keys`: of the requests that come first; None: without requests."""
    from ttcrawl.cli.check_report import compared, in_files, rules_in, site_of, write_reports
    from ttcrawl.inspect.check.health import health
    from ttcrawl.inspect.check.links.external import Limits
    from ttcrawl.inspect.check.problems import OF_REQUESTS
    from ttcrawl.output.display import ReadProgress

    complete, rules = True, rules_in(directory, rules)
    if keys is not None and not rules.kinds.isdisjoint(OF_REQUESTS):
        limits = Limits(
            others=args.external,
            host_time=args.host_time,
            since=time.time() - args.external_age * 3600,
            own=site_of(directory),
        )
        complete = _request_external(directory, keys, args.progress, limits)
    with ReadProgress() as progress:
        certificates = _certificates(directory, rules) if keys is not None else ()
        of_folder = bool(site_of(directory))
        report = in_files(health(directory, rules, progress, certificates, of_folder=of_folder), directory)
    report, history = compared(directory, report, rules, args)
    write_reports(report, history, rules, args)
    if any(rules.fails(each.kind) for each in report.problems):
        return FAILED
    return DONE if complete and not report.queued else STOPPED


def _certificates(directory: Path, rules: Rules) -> Sequence[Problem]:
    """The problems of certificates, after a handshake with each host of the site, if they are looked for."""
    from ttcrawl.inspect.check.certificates import KIND, certificate_ends, certificate_problems
    from ttcrawl.snapshot.snapshot import view

    if KIND not in rules.kinds:
        return ()
    with view(directory) as db:
        return [*certificate_problems(certificate_ends(db), time.time())]


def _request_external(directory: Path, keys: Sequence[Override], progress: str, limits: Limits) -> bool:
    """Request the URLs that were not requested yet, of each host for so long. Return whether Ctrl-C let it."""
    from ttcrawl.inspect.check.links import external
    from ttcrawl.output.display import tell
    from ttcrawl.snapshot.snapshot import view

    spent = set[str]()
    while True:
        with view(directory) as db:
            job = external.job_of_missing(directory, db, db.config_with(keys), progress, limits, spent)
            if job is None:
                break
            seconds = external.seconds_due(db, job, time.time())
        tell(f"requesting external URLs, images and files: {len(job.seeds):,}")
        time.sleep(seconds)
        try:
            hosts = external.request(job)
        except CrawlFailedError as error:
            raise CrawlFailedError(f"{error}; or request nothing with --offline") from error
        if hosts is None:
            return False
        if hosts <= spent:  # each other crawl is of other hosts
            break
        spent |= hosts
    external.remove_superseded(directory)
    return True
