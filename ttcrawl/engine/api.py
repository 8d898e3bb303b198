"""A crawl as a function, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ttcrawl.config import Config, Line
from ttcrawl.engine.counters import Snapshot
from ttcrawl.engine.session import begin, job_of
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
    job = job_of(lines, None if directory is None else Path(directory), config, on_progress or "none")
    allow_files()
    pool.prepare()
    begin(job)
    return job.directory
