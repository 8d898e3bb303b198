"""A cluster that continues: the rings of an earlier run have ended, and have the present configuration."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ttcrawl.cluster.plan import Plan, ring_directory
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import config_file, write_config
from ttcrawl.engine.topic.copies import changed_copies, own_copies
from ttcrawl.errors import UsageError
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mending import mending
from ttcrawl.store.regular import is_there
from ttcrawl.store.staged import NOTE, step
from ttcrawl.store.stopped import stopped

#: Seconds that rings of an earlier run may take to notice that their conductor has ended.
EARLIER = 30.0


def wait_for_earlier(directory: Path, plan: Plan) -> None:
    """Wait for the rings of a conductor that was killed: they end by themselves."""
    end = time.monotonic() + EARLIER
    for ring in plan.rings:
        while (process := crawled_by(ring_directory(directory, ring))) and time.monotonic() < end:
            time.sleep(0.1)
        if process:
            raise UsageError(f"ring {ring} is still being crawled by process {process}; wait for it, or stop it")


def give(directory: Path, plan: Plan, config: Config, topic_keys: Sequence[str]) -> None:
    """Give all rings that are here a configuration, and new copies of the files that these keys of [topic] name."""
    for ring in plan.rings:
        own = ring_directory(directory, ring)
        if not is_there(own / "crawl.db"):
            continue
        if not topic_keys:
            write_config(own, config)
            continue
        files = own_copies(own, changed_copies(config.topic, topic_keys, own))
        files["config.ini"] = config_file(own, config)
        with stopped(own, ring=True), step(own, files) as row, mending(own / "crawl.db") as db:
            db.execute(NOTE, (row,))


def must_be_here(directory: Path, plan: Plan, topic_keys: Sequence[str]) -> None:
    """Raises UsageError for keys of [topic] that cannot change: rings on other machines have copies of their files."""
    for ring in plan.rings if plan.ray else ():
        if topic_keys and not is_there(ring_directory(directory, ring) / "crawl.db"):
            raise UsageError(
                f"{topic_keys[0]} cannot change: ring {ring} is on another machine, with a copy of its file"
            )
