"""What a cluster has found, read where it is: at each ring, or as one crawl."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ttcrawl.output.steps import silent
from ttcrawl.store.mailbox import CLUSTER


def crawl_to_read(
    directory: str | os.PathLike[str], progress: Callable[[str, int, int], None] = silent
) -> str | os.PathLike[str]:
    """Return the directory of a crawl; of a cluster, the one that is made of its rings. Raises as `joined`."""
    if isinstance(directory, list | tuple) or not (Path(directory) / CLUSTER).exists():
        return directory
    from ttcrawl.cluster.results.joined import joined  # most crawls are none of a cluster

    return joined(Path(directory), progress)
