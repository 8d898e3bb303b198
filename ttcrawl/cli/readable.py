"""Which directory a command reads: a crawl, or all rings of a cluster as one crawl."""

from __future__ import annotations

from pathlib import Path


def crawl_to_read(directory: Path) -> Path:
    """Return the directory of a crawl; of a cluster, the one that is made of its rings. Raises UsageError."""
    from ttcrawl.store.mailbox import is_cluster

    if not is_cluster(directory):
        return directory
    from ttcrawl.cluster.results.joined import joined
    from ttcrawl.output.display import ReadProgress

    with ReadProgress() as progress:
        return joined(directory, progress)
