"""What is checked before several rings begin or continue: a crawl that they cannot make fails before it begins."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.engine.reporting.beside import connect_once
from ttcrawl.engine.run.checks import checked, scope_of
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.topic.copies import held_back_list
from ttcrawl.engine.topic.recall import held_back
from ttcrawl.errors import UsageError
from ttcrawl.output.shell import command_line


def check_new(job: Job) -> None:
    """Raises UsageError if a crawl cannot begin."""
    _must_fit(job.config)
    topic_files = checked(job)
    scope = scope_of(job.config, job.seeds)
    held_back(job.config, job.seeds, scope, held_back_list(job.config.topic, topic_files, job.directory))
    connect_once(job.config)


def check_continued(config: Config, *, visits: bool) -> None:
    """Raises UsageError if a crawl cannot continue. `visits`: URLs are visited again."""
    _must_fit(config)
    if visits and not config.revisit.on:
        raise UsageError("no page is visited again with [revisit] policy = none: --set revisit.policy=fixed")
    connect_once(config)


def _must_fit(config: Config) -> None:
    if config.hooks.zebra:
        raise UsageError(
            "hooks.zebra does not work with several rings: one process alone changes an index of Zebra: name it to"
            " ttcrawl index, also while they crawl"
        )


def running(directory: Path) -> UsageError:
    """The error for a change of a crawl that runs."""
    stop = command_line("cluster", "stop", directory)
    return UsageError(f"{directory} is being crawled: nothing can change now; {stop}")
