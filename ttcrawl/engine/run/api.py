"""A crawl as a function, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from multiprocessing import current_process
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from ttcrawl.config import Config, Line, overrides_of
from ttcrawl.engine.reporting.hooks import must_not_be_a_hook, settings_of
from ttcrawl.engine.run import session
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.interrupts import Interrupts
from ttcrawl.engine.run.job import Job
from ttcrawl.errors import UsageError
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.shell import command_line
from ttcrawl.ring import fork_server

if TYPE_CHECKING:
    from ttcrawl.parse.hooks.page import HookPage, HookResult


class HookFunctions(TypedDict, total=False):
    """Functions in a file that other processes import."""

    page: Callable[[HookPage], HookResult | Mapping[str, object] | None] | None
    url: Callable[[str], str | None] | None
    outcome: Callable[[dict[str, object]], object] | None


def job_of(
    seeds: str | Iterable[str],
    directory: str | os.PathLike[str] | None,
    config: Config | None,
    settings: Mapping[str, object],
    on_progress: Callable[[Snapshot], None] | None,
    hooks: Mapping[str, Any],
) -> Job:
    """Return the job of a crawl. Arguments and errors are the ones of `ttcrawl.crawl`."""
    _must_be_able_to_crawl(on_progress)
    if unknown := hooks.keys() - HookFunctions.__annotations__.keys():
        raise TypeError(f"crawl() got an unexpected keyword argument {min(unknown)!r}")
    if not isinstance(config, Config | None):
        raise UsageError(f"{config!r} is not a configuration: write config=ttcrawl.Config.read(FILE)")
    config = (config or Config()).changed({**settings, **settings_of(hooks)})
    lines = [Line(text=seed) for seed in _texts(seeds)]
    return session.job_of(lines, None if directory is None else Path(directory), config, on_progress or "none")


def crawl(job: Job, followed: Interrupts | None = None) -> None:
    """Crawl until the end, or until a program that follows the crawl stops it."""
    fork_server.prepare(fetch_first=True)
    session.begin(job, followed)


def interrupted(directory: Path) -> KeyboardInterrupt:
    return KeyboardInterrupt(f"{command_line('resume', directory)} continues")


def resume(
    directory: str | os.PathLike[str],
    settings: Mapping[str, object],
    on_progress: Callable[[Snapshot], None] | None,
    followed: Interrupts | None = None,
) -> None:
    """Continue a crawl until the end. Arguments and errors are the ones of `ttcrawl.resume`."""
    _must_be_able_to_crawl(on_progress)
    fork_server.prepare(fetch_first=True)
    changes = Changes(overrides=overrides_of(settings))
    session.resume(Path(directory), changes, on_progress or "none", inline=False, followed=followed)


def _must_be_able_to_crawl(on_progress: object) -> None:
    """Raises UsageError for a process that cannot start the processes of a crawl, and for a wrong callback."""
    must_not_be_a_hook(current_process().name)
    if current_process().daemon:
        raise UsageError(
            "a daemonic process, such as one of multiprocessing.Pool, can start no processes: crawl in one of"
            " concurrent.futures.ProcessPoolExecutor"
        )
    if on_progress is not None and not callable(on_progress):
        raise UsageError(f"on_progress = {on_progress!r} is not a function: write one that takes a ttcrawl.Snapshot")


def _texts(seeds: Any) -> list[str]:
    """The seeds, one or several. Raises UsageError for seeds that are not texts."""
    several = isinstance(seeds, Iterable) and not isinstance(seeds, str | bytes)
    texts: list[str] = list(seeds) if several else [seeds]
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(f"the seed {text!r} is not an http or https URL: write a text")
    return texts
