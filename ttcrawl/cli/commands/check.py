"""One run of `ttcrawl check` over a crawl directory: external URLs, the report, the exit status."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ttcrawl.config import Override, read
from ttcrawl.errors import DONE, FAILED, STOPPED, CrawlFailedError, UsageError, plain
from ttcrawl.inspect.check import external
from ttcrawl.inspect.check.baseline import line_of, read_baseline, write_baseline
from ttcrawl.inspect.check.health import Health, health
from ttcrawl.inspect.check.kinds import BROKEN, CANONICAL, CHAIN, EXTERNAL, LOOP, NAMES, REDIRECT
from ttcrawl.inspect.check.machine import as_csv, as_json, as_junit
from ttcrawl.inspect.check.text import text
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.snapshot.snapshot import view

#: Kinds to which external URLs matter.
LINKED = {BROKEN, EXTERNAL, LOOP, CHAIN, REDIRECT, CANONICAL}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`settings` are keys for the requests for external URLs."""

    only: Sequence[str] = ()
    skip: Sequence[str] = ()
    external: bool = True
    baseline: Path | None = None
    write_baseline: Path | None = None
    format: str = "text"
    progress: str = "auto"
    settings: Sequence[Override] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds to report. Raises UsageError if there are none."""
        kinds = tuple(name for name in NAMES if name in (self.only or NAMES) and name not in self.skip)
        if not kinds:
            raise UsageError("--only and --skip leave no kind of problem: name another one")
        return kinds

    def must_be_possible(self) -> None:
        """Raises UsageError, before a crawl that would be in vain."""
        if self.kinds and self.baseline:
            read_baseline(self.baseline)


def check(directory: Path, options: Options) -> int:
    """Print the report. Returns the exit status: 0 no problem, 1 problems, 3 no problem so far, but URLs are queued.

    Raises NotACrawl, UsageError, and CrawlFailedError if the external URLs cannot be requested.
    """
    kinds, old = options.kinds, read_baseline(options.baseline) if options.baseline else frozenset[str]()
    complete = _request_external(directory, options) if options.external and not LINKED.isdisjoint(kinds) else True
    with ReadProgress() as progress:
        report = health(directory, kinds, progress)
    if options.write_baseline:
        _write(options.write_baseline, report)
        old = frozenset(map(line_of, report.problems))
    fresh = tuple(each for each in report.problems if line_of(each) not in old)
    in_baseline = len(report.problems) - len(fresh)
    print(_rendered(replace(report, problems=fresh), in_baseline, options.format, kinds))
    if fresh:
        return FAILED
    return DONE if complete and not report.queued else STOPPED


def _request_external(directory: Path, options: Options) -> bool:
    """Request the external URLs that were not requested yet. Returns whether all were."""
    with view(directory) as db:
        config = read(db.config_path, options.settings)
        job = external.job_of_missing(directory, db, config, options.progress)
        if job is None:
            return True
        seconds = external.seconds_due(db, job, time.time())
    tell(f"requesting external URLs, images and files: {len(job.seeds):,}")
    time.sleep(seconds)
    try:
        return external.request(job)
    except CrawlFailedError as error:
        raise CrawlFailedError(f"{error}; or leave external URLs out with --no-external") from error


def interrupted(directory: Path) -> bool:
    """Whether Ctrl-C has stopped the crawl."""
    with view(directory) as db:
        return db.settings.get("finished") == "interrupted"


def _write(path: Path, report: Health) -> None:
    try:
        write_baseline(path, report.problems)
    except OSError as error:
        raise UsageError(f"{plain(error)}; name a file that can be written with --write-baseline") from error


def _rendered(report: Health, in_baseline: int, form: str, kinds: Collection[str]) -> str:
    if form == "json":
        return as_json(report, in_baseline)
    if form == "csv":
        return as_csv(report)
    return as_junit(report, kinds) if form == "junit" else text(report, in_baseline)
