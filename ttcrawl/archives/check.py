"""`ttcrawl import --check`: what is in archives, and what is damaged. Nothing is imported."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from ttcrawl.archives.indexing import Task, fill
from ttcrawl.archives.sources import Kind, Source, archives
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress
from ttcrawl.ring.sizes import processors
from ttcrawl.store.archive_index import NAME, ArchiveIndex

#: Damages of a file that are named; the others are counted.
NAMED = 20


class Found(Struct, frozen=True, kw_only=True):
    lines: Sequence[str]
    damaged: bool


def check(texts: Sequence[str], workers: int, progress: Progress, say: Callable[[str], None]) -> Found:
    """Read all records. Raises UsageError if there is no archive."""
    sources = list(archives(texts, say))
    with TemporaryDirectory(prefix="ttcrawl-") as name:
        directory = Path(name)
        tasks = [_task(number, source, directory) for number, source in enumerate(sources, 1)]
        with contextlib.closing(ArchiveIndex(directory / NAME)) as index:
            fill(index, tasks, workers or processors(), progress)
            return _found(index, sources)


def _task(number: int, source: Source, directory: Path) -> Task:
    members = source.kind is Kind.MEMBERS
    path = source.path if members else directory / f"{number}.warc.gz"
    return Task(file=number, path=path, size=source.size, source=None if members else source)


def _found(index: ArchiveIndex, sources: Sequence[Source]) -> Found:
    lines = list[str]()
    by_file = index.types()
    damages = defaultdict[int, list[tuple[int, str]]](list)
    for number, offset, what in index.damages():
        damages[number].append((offset, what))
    for number, source in enumerate(sources, 1):
        types = by_file.get(number, {})
        records = ", ".join(f"{count:,} {name or 'unknown'}" for name, count in types.items()) or "no record"
        lines.append(f"{source.path} ({source.kind.value}): {counted(sum(types.values()), 'record')}: {records}")
        lines += [f"  at {offset:,}: {what}" for offset, what in damages[number][:NAMED]]
        if more := Counter(what for _, what in damages[number][NAMED:]):
            lines += [f"  and {count:,} more: {what}" for what, count in more.most_common()]
    return Found(lines=lines, damaged=any(damages.values()))
