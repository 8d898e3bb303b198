"""A crawl as a function, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ttcrawl.config import Config, Line, overrides_of
from ttcrawl.engine import session
from ttcrawl.engine.counters import Snapshot
from ttcrawl.ring import pool
from ttcrawl.ring.limits import allow_files


def crawl(
    seeds: str | Iterable[str],
    directory: str | os.PathLike[str] | None,
    config: Config | None,
    settings: Mapping[str, object],
    on_progress: Callable[[Snapshot], None] | None,
) -> Path:
    """Crawl until the end; return the directory. Arguments and errors are the ones of `ttcrawl.crawl`."""
    config = (config or Config()).changed(settings)
    lines = [Line(text=seed) for seed in ([seeds] if isinstance(seeds, str) else seeds)]
    job = session.job_of(lines, None if directory is None else Path(directory), config, on_progress or "none")
    allow_files()
    pool.prepare()
    session.begin(job)
    return job.directory


def resume(
    directory: str | os.PathLike[str],
    settings: Mapping[str, object],
    on_progress: Callable[[Snapshot], None] | None,
) -> None:
    """Continue a crawl until the end. Arguments and errors are the ones of `ttcrawl.resume`."""
    allow_files()
    pool.prepare()
    session.resume(
        Path(directory), session.Changes(overrides=overrides_of(settings)), on_progress or "none", inline=False
    )
