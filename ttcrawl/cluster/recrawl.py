"""`ttcrawl cluster recrawl`: what holds for the visits of all rings together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ttcrawl.cluster.plan import Plan, Revisits, ring_directory
from ttcrawl.cluster.remote_rings import read_remote_rings
from ttcrawl.config import Config
from ttcrawl.engine.counter_rows import counters_of
from ttcrawl.output.counters import Counters
from ttcrawl.store.gather import database
from ttcrawl.store.regular import is_there


def revisits_of(directory: Path, plan: Plan, config: Config, *, once: bool, known: bool) -> Revisits:
    """Return how the rings visit URLs again. A crawl with as many pages as [crawl] permits makes only visits."""
    counters = _counters(directory, plan)
    pages = {ring: each.pages for ring, each in counters.items()}
    pages |= {ring: each.pages for ring, each in read_remote_rings(directory).items() if ring not in pages}
    weights = {ring: max(1, pages.get(ring, 0)) for ring in plan.rings}
    total = sum(weights.values())
    complete = 0 < config.crawl.max_pages <= sum(each.fetched for each in counters.values())
    return Revisits(
        once=once, known=known or complete, shares={ring: weight / total for ring, weight in weights.items()}
    )


def limits_of(directory: Path, plan: Plan, config: Config) -> Config:
    """Return the configuration with the limits at which the conductor stops. Of visits, pages limit only what is new,
    and bytes those of this run."""
    if plan.revisits is None:
        return config
    crawl, before = config.crawl, sum(each.bytes for each in _counters(directory, plan).values())
    most = crawl.max_bytes + before if crawl.max_bytes and not plan.ray else 0
    return replace(config, crawl=replace(crawl, max_pages=0, max_bytes=most))


def _counters(directory: Path, plan: Plan) -> Mapping[int, Counters]:
    """Return the counts of the rings whose directories are here."""
    paths = {ring: ring_directory(directory, ring) for ring in plan.rings}
    return {ring: counters_of(database.about(path)[0]) for ring, path in paths.items() if is_there(path / "crawl.db")}
