"""The commands that crawl: each is one short function, which imports the heavy libraries that it needs."""

from __future__ import annotations

import argparse
import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.commands.topic_commands import label_topic, recall_of_topic, train_topic
from ttcrawl.cli.commands.topic_options import check_options
from ttcrawl.cli.commands.topic_score import score_topic
from ttcrawl.cli.configuration import blacklist, configuration, file_of, overrides
from ttcrawl.config import Lines, Override, read
from ttcrawl.errors import STOPPED, UsageError
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.number import counted
from ttcrawl.output.terminal import terminal_width
from ttcrawl.ring.limits import allow_files

if TYPE_CHECKING:
    from ttcrawl.engine.recrawl.recrawls import Recrawl
    from ttcrawl.engine.run.changes import Changes
    from ttcrawl.engine.run.seed_files import Seeds
    from ttcrawl.report.summary import Summary

#: How to continue a stopped crawl: the necessary option, and a remark.
GO_ON = {
    "max_pages": (" --max-pages N", " (N pages in all; 0: no limit)"),
    "max_bytes": (" --set crawl.max_bytes=N", " (0: no limit)"),
    "max_time": ("", " for the same time"),
    "target_recall": (" --set topic.target_recall=R", " (0: no target)"),
    "min_disk": ("", " when there is room on the disk"),
}

#: What to type after a crawl.
NEXT = """Next: ttcrawl report {0}    the complete report, with the laws of growth (--format html)
      ttcrawl plot {0}      its figures
      ttcrawl why {0} URL   why a URL was fetched, or not (--summary: all URLs by reason)"""


def crawl(options: argparse.Namespace) -> int:
    config = configuration(options, of_requests(options))
    from ttcrawl.engine.run.session import begin, job_of

    job = job_of(seeds_of(options), options.directory, config, options.progress, inline=options.inline)
    status = begin(job)
    _print_report(job.directory, options.progress)
    return status


def of_requests(options: argparse.Namespace) -> list[Override]:
    """Keys of options that `crawl` and `check` have."""
    resolve = " ".join(options.resolve)
    return [*_switches(options), *([("fetch.resolve", resolve, "--resolve")] if resolve else [])]


def resume(options: argparse.Namespace) -> int:
    return _resume(options, None)


def recrawl(options: argparse.Namespace) -> int:
    from ttcrawl.engine.recrawl.recrawls import Recrawl

    return _resume(options, Recrawl(wall=time.time, once=options.once, known=options.known))


def changes_of(options: argparse.Namespace) -> Changes:
    """What the options of `resume` change."""
    from ttcrawl.engine.run.changes import Changes

    return Changes(
        overrides=[*overrides(options), *_switches(options)],
        rules=Lines(options.rules),
        blacklist=blacklist(options),
        resolve=" ".join(options.resolve),
        seeds=seeds_of(options),
    )


def _resume(options: argparse.Namespace, recrawl: Recrawl | None) -> int:
    changes = changes_of(options)
    from ttcrawl.engine.run.session import resume

    status = resume(options.directory, changes, options.progress, inline=options.inline, recrawl=recrawl)
    _print_report(options.directory, options.progress, "resume" if recrawl is None else "recrawl")
    return status


def read_pages(options: argparse.Namespace) -> int:
    from ttcrawl.engine.run.reading import read

    with ReadProgress() as progress:
        status = read(options.directory, options.parsers, progress, tell)
    _write_report(options.directory)
    return status


def check(options: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.check import Options, check, interrupted

    check_options = Options(
        only=options.only,
        skip=options.skip,
        external=options.external,
        baseline=options.baseline,
        write_baseline=options.write_baseline,
        format=options.format,
        progress=options.progress,
        settings=[*overrides(options), *of_requests(options)],
    )
    check_options.must_be_possible()
    if (directory := _directory(options)) is not None:
        return check(directory, check_options)
    directory = _crawled(options)
    if not interrupted(directory):
        return check(directory, check_options)
    return check(directory, replace(check_options, external=False)) or STOPPED  # who stops a crawl wants no other one


def _directory(options: argparse.Namespace) -> Path | None:
    """The crawl directory to check; None if there are seeds."""
    if not (options.seeds or options.seed_files):
        raise UsageError("name a URL, a file with seeds (--seeds FILE) or the directory of a crawl to check")
    named = Path(options.seeds[0]) if options.seeds else None
    if named is None or len(options.seeds) > 1 or not named.is_dir():
        return None
    crawl_only = {"-d": options.directory, "-c": options.config, "--max-pages": vars(options)["crawl.max_pages"]}
    crawl_only["--seeds"] = options.seed_files or None
    for name in (each for each, value in crawl_only.items() if value is not None):
        raise UsageError(f"{name} is for a new crawl, and {named} is a directory: leave it out, or name seeds")
    return named


def _crawled(options: argparse.Namespace) -> Path:
    """The directory of a new crawl of the seeds."""
    from ttcrawl.ring import fork_server

    config = read(file_of(options), [*overrides(options), *of_requests(options)])
    allow_files()
    fork_server.prepare()  # its imports take as long as ours, so they run in parallel
    from ttcrawl.engine.run.session import begin, job_of

    job = job_of(seeds_of(options), options.directory, config, options.progress)
    begin(replace(job, temporary=getattr(options, "temporary", False)))
    return job.directory


def _print_report(directory: Path, progress: str, command: str = "resume") -> None:
    from ttcrawl.report.render import render
    from ttcrawl.snapshot.unread import unread_line

    summary = _write_report(directory)
    if progress != "json":
        text = render([summary], [str(directory)], "text", terminal_width())
        print(f"{text}\n\n{NEXT.format(shlex.quote(str(directory)))}", flush=True)
    if summary.unread:
        tell(unread_line(summary.unread, shlex.quote(str(directory))))
    if summary.finished == "visited":
        left = counted(summary.queued, "URL", "stays", "stay")
        then = f"ttcrawl resume {shlex.quote(str(directory))} requests them, as far as the limits in [crawl] allow"
        tell(f"all URLs that were due are visited; {left} queued: {then}")
    elif summary.finished != "done":
        option, more = GO_ON.get(summary.finished, ("", ""))
        command = f"ttcrawl {command} {shlex.quote(str(directory))}{option}"
        tell(f"stopped ({summary.finished}) with {summary.queued:,} queued; {command} continues{more}")


def _write_report(directory: Path) -> Summary:
    from ttcrawl.report.read import summarize
    from ttcrawl.report.render import render
    from ttcrawl.store.regular import replace_file

    summary = summarize(directory)
    text = render([summary], [str(directory)], "text")
    try:
        replace_file(directory / "report.txt", text.encode())
    except OSError as error:  # the outcome of the crawl does not depend on this file
        tell(f"cannot write {directory / 'report.txt'}: {error.strerror}")
    return summary


def _switches(options: argparse.Namespace) -> list[Override]:
    """The keys of options that are yes or no."""
    # check has not all of these options
    names = {"politeness.obey_delay": "obey_delay", "files.save": "files", "links.page_requisites": "page_requisites"}
    names |= {"files.download": "files"}
    switches = {key: getattr(options, name, None) for key, name in names.items()}
    return [(key, "yes" if value else "no") for key, value in switches.items() if value is not None]


def seeds_of(options: argparse.Namespace) -> Seeds:
    """The seeds of the command line, and of files. Raises UsageError."""
    from ttcrawl.engine.run.seed_files import Seeds

    files, column = tuple(getattr(options, "seed_files", ())), getattr(options, "column", "")
    if column and not files:
        raise UsageError("--column names a column of a file with seeds: name the file with --seeds")
    return Seeds(texts=tuple(options.seeds), files=files, column=column)


def topic(options: argparse.Namespace) -> int:
    check_options(options)
    if options.action == "score":
        return score_topic(options, _crawled)
    actions = {"train": train_topic, "label": label_topic, "recall": recall_of_topic}
    return actions[options.action](options)
