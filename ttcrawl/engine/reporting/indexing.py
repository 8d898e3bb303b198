"""The index of Zebra into which a running crawl is brought: [hooks] zebra."""

from __future__ import annotations

import shutil
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.errors import UsageError

PROGRAM = "zebraidx"


def check_indexing(config: Config) -> None:
    """Raises UsageError if a crawl cannot be indexed."""
    if config.hooks.zebra:
        check_index(Path(config.hooks.zebra))


def check_index(directory: Path) -> None:
    """Raises UsageError if there is no index that can be changed."""
    if shutil.which(PROGRAM) is None:
        raise UsageError(f"{PROGRAM} is not installed: apt-get install idzebra-2.0")
    if not (directory / "zebra.cfg").is_file():
        raise UsageError(f"{directory} has no zebra.cfg: make an index as in docs/guides/zebra.md")
