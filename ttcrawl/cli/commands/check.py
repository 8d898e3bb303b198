"""`ttcrawl check`."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import between, request_options, seed_file_options, settings
from ttcrawl.errors import DONE, FAILED, STOPPED, CrawlFailedError, UsageError

if TYPE_CHECKING:
    from ttcrawl.cli.check_target import Target
    from ttcrawl.config import Override
    from ttcrawl.inspect.check.kinds import Problem
    from ttcrawl.inspect.check.links.external import Limits
    from ttcrawl.inspect.check.rules import Rules

SUMMARY = "the health of a site: broken links, titles ..."
IN_HELP = ("Look", 8)


def options(check: argparse.ArgumentParser) -> None:
    from ttcrawl.cli.check_report import FILES
    from ttcrawl.inspect.check.catalogue.kind import LEVELS
    from ttcrawl.inspect.check.kinds import NAMES
    from ttcrawl.vocabulary.region import LINK_CHOICES

    add = check.add_argument
    about = "URLs to crawl and check, a sitemap, a folder with the files of a site, or the directory of a crawl"
    add("seeds", metavar="SEED|SITEMAP|FOLDER|DIR", nargs="*", default=[], help=about)
    about = "the URL that the folder will have, so that absolute links to it lead to its files"
    add("--as", dest="mounted", metavar="URL", help=about)
    add("-d", dest="directory", metavar="DIR", type=Path, help="where to crawl (default: crawl-HOST, or crawl-FOLDER)")
    add("--max-pages", dest="crawl.max_pages", metavar="N", help="crawl at most N pages")
    seed_file_options(check)
    request_options(check)
    settings(check)
    about = "request URLs of other sites once (HEAD, then GET where HEAD is refused), or do not"
    add("--external", action=argparse.BooleanOptionalAction, default=True, help=about)
    add("--offline", action="store_true", help="request nothing: report what the crawl has recorded")
    about = "hours for which their answers are kept (default: 24; 0: request them again)"
    add("--external-age", metavar="HOURS", type=between(0, 10**6), default=24, help=about)
    about = "seconds that a host of these URLs may take (default: 60; 0: no limit)"
    add("--host-time", metavar="SECONDS", type=between(0, 10**6), default=60, help=about)
    add("--accept", metavar="STATUS,...", type=_statuses, default=frozenset(), help="statuses that are no errors")
    for name, about in (
        ("--ignore", "do not look at URLs like this: * stands for any characters (repeatable)"),
        ("--ignore-fragment", "do not look for fragments like this (repeatable)"),
    ):
        add(name, metavar="PATTERN", action="append", default=[], help=about)
    add("--kinds", action="store_true", help="list the kinds of problems, and why they matter, and end")
    for name, about in (
        ("--only", "report only this kind of problem (repeatable; --kinds lists them)"),
        ("--also", "report this kind of problem, too: one that is off by default (repeatable)"),
        ("--skip", "do not report this kind of problem (repeatable)"),
    ):
        add(name, metavar="KIND", choices=NAMES, action="append", default=[], help=about)
    about = (
        "an orphan has no link from the main text, where a page has landmarks (the default), or none from menus either"
    )
    add("--links", choices=LINK_CHOICES, default="main", help=about)
    about = "give a kind another level (repeatable): error, warning or notice"
    add("--level", metavar="KIND=LEVEL", type=_level, action="append", default=[], help=about)
    about = "the lowest level of a problem that makes the exit status 1 (default: error)"
    add("--fail-on", choices=(*LEVELS, "never"), default=LEVELS[0], help=about)
    about = "groups of problems that are shown (default: 20)"
    add("--per-kind", metavar="N", type=between(0, 10**6), default=20, help=about)
    add("--all", action="store_true", help="show every problem, and do not group them")
    about = "only problems of pages that have changed since a day or moment, or since the last check"
    add("--since", metavar="MOMENT|last", type=_since, help=about)
    add("--baseline", metavar="FILE", type=Path, help="do not report the problems in this file")
    add("--write-baseline", metavar="FILE", type=Path, help="write all problems into this file; they count as known")
    about = "days for which they do; then they are reported again (default: 0, for ever)"
    add("--baseline-days", metavar="N", type=between(0, 100_000), default=0, help=about)
    about = "the form of what is printed (default: text); github annotates in an action, and writes its summary"
    add("--format", default="text", choices=("text", *FILES, "github"), help=about)
    for form in FILES:
        add(f"--{form}", metavar="FILE", type=Path, help=f"write the report as {form} into this file, too")
    add(
        "--badge", metavar="FILE", type=Path, help="write a picture for the project's page: errors, warnings or passing"
    )
    add("--progress", choices=("auto", "plain", "none"), default="auto", help="how progress is shown (default: auto)")


def _since(text: str) -> str:
    from ttcrawl.cli.check_report import LAST
    from ttcrawl.output.moments import EXAMPLES, seconds

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
    from ttcrawl.inspect.check.catalogue.kind import LEVELS
    from ttcrawl.inspect.check.kinds import NAMES

    kind, _, level = text.partition("=")
    if kind not in NAMES or level not in LEVELS:
        about = f"write a kind, = and a level ({', '.join(LEVELS)}), such as orphan=notice"
        raise argparse.ArgumentTypeError(f"{text!r}: {about}")
    return kind, level


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 for problems that fail, 3 if there is none so far, but URLs are queued."""
    from ttcrawl.cli.check_target import Target, target_of
    from ttcrawl.cli.configuration import overrides
    from ttcrawl.cli.crawling import of_requests
    from ttcrawl.inspect.check.results.baseline import read_baseline
    from ttcrawl.snapshot.snapshot import view

    if args.kinds:
        from ttcrawl.inspect.check.results.kinds import table

        print(table())
        return DONE
    keys = [*overrides(args), *of_requests(args)]
    rules = _rules(args)
    if args.baseline:
        read_baseline(args.baseline)  # before a crawl that would be in vain
    requests = None if args.offline else keys
    target = target_of(args)
    if target is Target.CRAWL:
        return _check(Path(args.seeds[0]), rules, args, requests)
    directory = _crawled(args, target)
    with view(directory) as db:
        if target is Target.SITEMAP and db.execute("SELECT count(*) FROM url").fetchone() == (len(db.seeds),):
            _need_pages(args.seeds)
        interrupted = db.settings.get("finished") == "interrupted"
    if interrupted:  # who stops a crawl wants no other one
        return _check(directory, rules, args, None) or STOPPED
    return _check(directory, rules, args, requests)


def _need_pages(sitemaps: Sequence[str]) -> None:
    """A URL that was no sitemap has no pages: that is no reason to report that all is well."""
    for url in sitemaps:
        named = "a text or a gzip file is only read as one if robots.txt or an index names it"
        raise CrawlFailedError(
            f"{url} lists no pages: name a sitemap in XML ({named}), or download it and name the file"
        )


def _crawled(args: argparse.Namespace, target: Target) -> Path:
    """The directory of a new crawl."""
    from ttcrawl.cli.check_folder import crawled_folder
    from ttcrawl.cli.check_target import OF_SITEMAP, Target
    from ttcrawl.cli.crawling import crawled

    if target is Target.FOLDER:
        return crawled_folder(args, Path(args.seeds[0]))
    if target is Target.SITEMAP and Path(args.seeds[0]).is_file():
        args.seeds, args.seed_files = [], [*args.seed_files, *args.seeds]
    return crawled(args, OF_SITEMAP if target is Target.SITEMAP else ())


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
    from ttcrawl.cli.check_report import compared, in_files, site_of, write_reports
    from ttcrawl.inspect.check.health import health
    from ttcrawl.inspect.check.links.external import Limits
    from ttcrawl.inspect.check.problems import OF_REQUESTS
    from ttcrawl.output.display import ReadProgress

    complete = True
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
        report = in_files(health(directory, rules, progress, certificates), directory)
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
