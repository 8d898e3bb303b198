"""A crawl as a function, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from multiprocessing import current_process
from pathlib import Path
from typing import Any

from ttcrawl.config import Config, Line, overrides_of
from ttcrawl.engine import session
from ttcrawl.engine.changes import Changes
from ttcrawl.engine.counters import Snapshot
from ttcrawl.engine.hooks import must_not_be_a_hook, settings_of
from ttcrawl.ring import fork_server
from ttcrawl.ring.limits import allow_files


def crawl(
    seeds: str | Iterable[str],
    directory: str | os.PathLike[str] | None,
    config: Config | None,
    settings: Mapping[str, object],
    on_progress: Callable[[Snapshot], None] | None,
    hooks: Mapping[str, Callable[..., Any] | None],
) -> Path:
    """Crawl until the end; return the directory. Arguments and errors are the ones of `ttcrawl.crawl`."""
    must_not_be_a_hook(current_process().name)
    config = (config or Config()).changed({**settings, **settings_of(hooks)})
    lines = [Line(text=seed) for seed in ([seeds] if isinstance(seeds, str) else seeds)]
    job = session.job_of(lines, None if directory is None else Path(directory), config, on_progress or "none")
    allow_files()
    fork_server.prepare()
    session.begin(job)
    return job.directory


def resume(
    directory: str | os.PathLike[str],
    settings: Mapping[str, object],
    on_progress: Callable[[Snapshot], None] | None,
) -> None:
    """Continue a crawl until the end. Arguments and errors are the ones of `ttcrawl.resume`."""
    must_not_be_a_hook(current_process().name)
    allow_files()
    fork_server.prepare()
    session.resume(Path(directory), Changes(overrides=overrides_of(settings)), on_progress or "none", inline=False)
