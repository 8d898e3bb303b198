"""What is checked before several rings begin or continue: a crawl that they cannot make fails before it begins."""

from __future__ import annotations

from ttcrawl.config import Config
from ttcrawl.engine.reporting.beside import connect_once
from ttcrawl.engine.run.checks import checked, scope_of
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.topic.copies import held_back_list
from ttcrawl.engine.topic.recall import held_back
from ttcrawl.errors import UsageError

#: What rings cannot do, and why: a key, whether the rings must be on several machines, the reason.
UNFIT = (
    (
        "hooks.zebra",
        False,
        "one process alone changes an index of Zebra: name it to ttcrawl index, also while they crawl",
    ),
    (
        "browser.use",
        True,
        "what scripts request from other hosts has delays on one machine only: crawl without --ray",
    ),
)


def check_new(job: Job, ray: str) -> None:
    """Raises UsageError if a crawl cannot begin."""
    _must_fit(job.config, ray)
    topic_files = checked(job)
    scope = scope_of(job.config, job.seeds)
    held_back(job.config, job.seeds, scope, held_back_list(job.config.topic, topic_files, job.directory))
    connect_once(job.config)


def check_continued(config: Config, ray: str, *, visits: bool) -> None:
    """Raises UsageError if a crawl cannot continue. `visits`: URLs are visited again."""
    _must_fit(config, ray)
    if visits and not config.revisit.on:
        raise UsageError("no page is visited again with [revisit] policy = none: --set revisit.policy=fixed")
    connect_once(config)


def _must_fit(config: Config, ray: str) -> None:
    for name, of_machines, why in UNFIT:
        section, key = name.split(".")
        if getattr(getattr(config, section), key) not in ("", "no") and (ray or not of_machines):
            raise UsageError(f"{name} does not work with several rings: {why}")
