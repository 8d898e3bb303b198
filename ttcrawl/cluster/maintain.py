"""What is deleted and scored in all rings of a cluster that is not running."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from ttcrawl.cluster.plan import CONFIG
from ttcrawl.cluster.results.joined import forget_pages
from ttcrawl.cluster.stopped_rings import ring_paths, stopped_rings
from ttcrawl.config import read
from ttcrawl.engine.run.directory import write_config
from ttcrawl.errors import CrawlFailedError, plain
from ttcrawl.maintain.delete.deleted_rows import Counts
from ttcrawl.maintain.delete.deletion import Deleted, delete, is_unfinished, preview
from ttcrawl.maintain.delete.selection import Which
from ttcrawl.maintain.save_topics import Saved, save, with_changes
from ttcrawl.output.steps import Progress
from ttcrawl.store.mailbox import JOINED, is_cluster

C = TypeVar("C", Counts, Saved)


def preview_in_rings(directory: Path, which: Which) -> Counts:
    """Count what a deletion would delete; change nothing."""
    return _sum(Counts, [preview(path, which) for path in ring_paths(directory).values()])


def delete_in_rings(directory: Path, which: Which, progress: Progress, *, purge_too: bool) -> Deleted:
    """Delete in each ring, after completing an earlier deletion. Raises UsageError while the crawl runs."""
    with stopped_rings(directory) as rings:
        done = [delete(path, which, progress, purge_too=purge_too) for path in rings.paths.values()]
        _forget_joined(directory)
    return Deleted(
        counts=_sum(Counts, [each.counts for each in done]),
        purged=sum(each.purged for each in done),
        remaining=sum(each.remaining for each in done),
    )


def delete_in_one(directory: Path, which: Which, progress: Progress, *, purge_too: bool) -> Deleted:
    """Delete in a crawl, or in one ring of a cluster. Raises UsageError while it runs."""
    deleted = delete(directory, which, progress, purge_too=purge_too)
    if is_cluster(cluster := directory.absolute().parent):
        _forget_joined(cluster)
    return deleted


def _forget_joined(directory: Path) -> None:
    """Delete the pages in the crawl that was made of all rings, too."""
    try:
        forget_pages(directory)
    except OSError as error:
        raise CrawlFailedError(f"{plain(error)}; delete {directory / JOINED}: it has the pages, too") from error


def is_unfinished_in_rings(directory: Path) -> bool:
    """Whether a deletion was interrupted in a ring."""
    return any(map(is_unfinished, ring_paths(directory).values()))


def save_in_rings(directory: Path, changes: Mapping[str, Any], progress: Progress) -> Saved:
    """Store the scores of all pages by the crawl's own settings with other keys of [topic]. Raises UsageError."""
    with stopped_rings(directory) as rings:
        saved = [save(path, changes, progress, ring=True) for path in rings.paths.values()]
        write_config(directory, with_changes(directory, read(directory / CONFIG), changes))
    return _sum(Saved, saved)


def _sum(kind: type[C], all_: Sequence[C]) -> C:
    return kind(**{field.name: sum(getattr(each, field.name) for each in all_) for field in fields(kind)})
