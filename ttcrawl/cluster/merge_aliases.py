"""`ttcrawl aliases --merge` for all rings: found in the pages of all, merged in each.

First each ring receives what was on its way to it, so every queued URL is at its owner. Then all rings are open at
once, because what one ring knows of a URL decides what another one does. They are committed one after the other. A
canonical URL whose host belongs to another ring is sent there, as one that a page links to.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.cluster.delivery import Outgoing, deliver
from ttcrawl.cluster.plan import CONFIG
from ttcrawl.cluster.results.joined import joined
from ttcrawl.cluster.route import Table
from ttcrawl.cluster.stopped_rings import stopped_rings
from ttcrawl.config import read
from ttcrawl.engine.run.directory import config_file, existing, write_config
from ttcrawl.inspect.aliases.find import Aliases, find
from ttcrawl.maintain.merge_aliases import Merged, Merging, Part, with_aliases
from ttcrawl.output.steps import Progress
from ttcrawl.store.sqlite import Store
from ttcrawl.store.staged import ROW, step


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A ring whose changes are not committed. `row`: the note of its new config.ini."""

    store: Store
    outgoing: Outgoing
    part: Part
    row: str

    def commit(self) -> None:
        self.outgoing.before_commit()
        self.store.set(**{ROW: self.row})
        self.store.close()


def merge_in_rings(directory: Path, progress: Progress) -> tuple[Aliases, Merged]:
    """Find the aliases of all rings, and merge them. Raises UsageError while the crawl runs. A second merge changes
    nothing."""
    with stopped_rings(directory) as rings:
        result = find(joined(directory, progress), progress)
        deliver(rings)
        with contextlib.ExitStack() as stack:
            opened = {
                ring: stack.enter_context(_opened(path, ring, rings.table, result.aliases))
                for ring, path in rings.paths.items()
            }
            parts = {ring: each.part for ring, each in opened.items()}
            merging = Merging([*parts.values()], lambda name: parts[rings.table.ring_of(name)])
            merging.run()
            for each in opened.values():
                each.commit()
        merged = merging.merged

        def count(url: str) -> None:
            if url in merging.retried:
                merged.again += 1
            else:
                merged.queued += 1

        deliver(rings, count)
        write_config(directory, with_aliases(read(directory / CONFIG), result.aliases))
    return result, merged


@contextlib.contextmanager
def _opened(path: Path, ring: int, table: Table, aliases: str) -> Iterator[_Opened]:
    """Open a ring, and have its new config.ini ready."""
    with existing(path, ring=True) as (store, config):
        config = with_aliases(config, aliases)
        with step(path, {"config.ini": config_file(path, config)}) as row:
            outgoing = Outgoing(store, ring, table)
            part = Part(store, config, outgoing.foreign)
            yield _Opened(store=store, outgoing=outgoing, part=part, row=row)
