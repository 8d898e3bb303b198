"""The part of an import that has processes: after results that cannot be stored, it begins again without them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from ttcrawl.archives.answers import Answers
from ttcrawl.archives.bounds import archive_bounds
from ttcrawl.archives.replay import Replay, Waiting
from ttcrawl.archives.settle import ArchiveSettler, Tally
from ttcrawl.config import Config
from ttcrawl.config.compiled import canon_of, compile_scope
from ttcrawl.engine.companion import Companion, overriding
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.engine.step_progress import StepProgress
from ttcrawl.engine.wiring import wired
from ttcrawl.errors import CrawlFailedError
from ttcrawl.output.steps import Progress
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.pools import Ring, WorkerArguments
from ttcrawl.ring.slots import Slots
from ttcrawl.store.archive_index import ArchiveIndex
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.store.imports import ImportedFile
from ttcrawl.store.sqlite import Store

Say = Callable[[str], None]


class Import:
    """`index`: what stands in the files, which have these numbers there."""

    def __init__(
        self,
        path: Path,
        config: Config,
        store: Store,
        index: ArchiveIndex,
        files: Mapping[int, ImportedFile],
        tally: Tally,
        progress: Progress,
        say: Say,
    ) -> None:
        self._path, self._config = path, config
        self._store, self._index = store, index
        self._files, self._tally = files, tally
        self._progress, self._say = progress, say
        self._time = 0.0  # of the record that is processed
        self._total = index.count()
        tally.other_methods = index.count_other_methods()

    def lives(self, interrupts: Interrupts) -> str:
        """Import; after results that cannot be stored, return to the last commit and continue without them.

        Returns how it ended: "done", "interrupted", "min_disk" or "failed: why".
        """
        self._note_files()
        unstorable: dict[str, str] = {}
        clock = SteadyClock.start()
        with contextlib.closing(Slots(1, 1)) as slots:  # archived responses need none
            while True:
                scope = compile_scope(replace(self._config.scope, scope="any"), (), self._config.hosts).widest()
                warc = self._path / "warc"
                arguments = WorkerArguments(config=self._config, scope=scope, archive=warc, clock=clock, slots=slots)
                try:
                    with contextlib.closing(Ring[Waiting](arguments, [], fetch=False)) as ring:
                        return self._life(ring, clock, interrupts, unstorable)
                except UnstorableError as error:
                    if not error.urls.keys() - unstorable.keys():
                        return f"failed: {error}"
                    unstorable |= error.urls
                    self._say(f"{error}; continuing from the last commit without it")
                    self._store.rollback()

    def _note_files(self) -> None:
        """Note the files, and the damage that was found in them."""
        information = self._index.information()
        for number, file in self._files.items():
            self._store.answers.imports.add(structs.replace(file, information=information.get(number, "")))
        for number, offset, what in self._index.damages():
            self._tally.wrong[what] += 1
            self._store.answers.imports.add_damage([(self._files[number].file, offset, what)])
        self._store.commit()

    def _life(
        self, ring: Ring[Waiting], clock: SteadyClock, interrupts: Interrupts, unstorable: Mapping[str, str]
    ) -> str:
        environment = Environment(
            config=self._config,
            store=self._store,
            ring=ring,  # type: ignore[arg-type]  # no request is launched
            clock=lambda: self._time,
            bounds=archive_bounds(self._config),
            say=self._say,
        )
        parts = wired(environment)
        settler = ArchiveSettler(parts, self._set_time, self._tally)
        before_commit = overriding(parts.companions, Companion.before_commit)

        def step(name: str) -> StepProgress:
            return StepProgress(name, self._say, clock)

        replay = Replay(parts.shared, ring, settler, self._tally, before_commit, self._show, self._say)
        canonical = canon_of(self._config).canonical
        file_names = {number: file.file for number, file in self._files.items()}
        chosen = Answers(
            self._index, self._store.answers.imports, file_names, canonical, unstorable, self._tally, settler.known
        )
        try:
            with interrupts.interruptible():
                interrupts.lead_to(replay.stop)
                for each in overriding(parts.companions, Companion.prepare):
                    each(step)
                replay.run(iter(chosen))
                for each in overriding(parts.companions, Companion.finish):
                    each(step)
                replay.commit()
            return replay.stopped_by or "done"
        except StopNow:
            return "interrupted"
        except (CrawlFailedError, StoreError, OSError) as error:
            return f"failed: {directory.trouble(self._path, error)}"

    def _set_time(self, moment: float) -> None:
        self._time = moment

    def _show(self, done: int) -> None:
        self._progress("records", done + self._tally.known, self._total)
