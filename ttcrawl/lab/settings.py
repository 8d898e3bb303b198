"""The configuration of a trial: the one of the record, without what needs the outside world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ttcrawl.config import Config, Override, read

#: What a trial neither does nor needs. Limits of the recorded crawl do not hold.
WITHOUT = {
    **dict.fromkeys(("crawl.max_pages", "crawl.max_time", "crawl.max_bytes"), "0"),
    "crawl.min_disk": "0",
    "crawl.metrics": "",
    "browser.use": "no",
    "login.form": "",
    "login.cookies": "",
    **dict.fromkeys(("hooks.page", "hooks.url", "hooks.events", "hooks.outcome"), ""),
    "links.page_requisites": "no",
    "links.new": "follow",
    "revisit.policy": "none",
    "topic.target_recall": "0",
    "archive.dns": "no",
}

#: The laboratory has the whole queue in memory, and commits seldom: nothing of it is resumed.
IN_MEMORY = {"frontier.urls_per_host": "1000000000", "store.commit_pages": "1000000", "store.commit_seconds": "1000000"}

#: What `traps=off` stands for.
NO_TRAPS = dict.fromkeys(
    (
        "traps.repeats",
        "traps.max_segments",
        "traps.max_parameters",
        "traps.permutations",
        "traps.same_content",
        "traps.same_bytes",
        "traps.pages_per_host",
        "traps.urls_per_page",
    ),
    "0",
) | {"traps.years_ahead": "10000"}


def config_of(path: Path | None, *settings: Mapping[str, str] | Iterable[Override]) -> Config:
    """Return the configuration of a trial; later settings win. Raises ConfigError."""
    overrides: list[Override] = [*WITHOUT.items(), *IN_MEMORY.items()]
    for each in settings:
        overrides += each.items() if isinstance(each, Mapping) else each
    return read(path, overrides)
