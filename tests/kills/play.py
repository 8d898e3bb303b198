"""Trials of all kinds in turn until so many processes were killed."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from tests.kills.disturbed import Hangs, Killer
from tests.kills.kinds import Kind
from tests.kills.state import State, differences

#: Runs of a command in one trial, at most: all but some of them undisturbed.
RUNS = 15


@dataclass(slots=True)
class Record:
    """What became of the trials of a group of kinds."""

    trials: int = 0
    seconds: float = 0.0
    killed: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Play:
    """`say` gets each failure when it is found."""

    directory: Path
    kinds: list[Kind]
    seed: int
    say: Callable[[str], None] = print
    records: dict[str, Record] = field(default_factory=dict)
    _undisturbed: dict[str, tuple[State, float]] = field(default_factory=dict)

    @property
    def killed(self) -> int:
        return sum(each.killed.total() for each in self.records.values())

    @property
    def failures(self) -> list[str]:
        return [line for each in self.records.values() for line in each.failures]

    def play(self, kills: int) -> None:
        """Trials until so many kills, one of each group at least."""
        groups: dict[str, list[Kind]] = {}
        for kind in self.kinds:
            groups.setdefault(kind.name.split()[0], []).append(kind)
        turns = {name: cycle(members) for name, members in groups.items()}
        trial = 0
        while self.killed < kills or not trial:
            for name, members in turns.items():
                self.records.setdefault(name, Record())
                self._trial(self.records[name], next(members), trial)
            trial += 1

    def _trial(self, record: Record, kind: Kind, trial: int) -> None:
        expected, seconds = self._reference(kind)
        path = self.directory / f"{kind.name.replace(' ', '-')}-{trial}"
        began = time.monotonic()
        kind.prepare(path)
        killer = Killer(path.with_suffix(".log"), random.Random(f"{self.seed} {kind.name} {trial}"))
        found = list(_wrong(kind, path, killer, expected, seconds))
        record.trials, record.seconds = record.trials + 1, record.seconds + time.monotonic() - began
        record.killed += killer.killed
        for line in found:
            text = f"{kind.name}, trial {trial}: {line}; it is in {path}"
            record.failures.append(text)
            self.say(f"wrong: {text}")
        if not found:
            shutil.rmtree(path)
            killer.output.unlink()

    def _reference(self, kind: Kind) -> tuple[State, float]:
        """What the command leaves behind if nothing disturbs it, and how long it takes."""
        if kind.name not in self._undisturbed:
            path = self.directory / f"{kind.name.replace(' ', '-')}-undisturbed"
            kind.prepare(path)
            words = kind.words(path)  # may make what the command reads
            killer = Killer(path.with_suffix(".log"), random.Random(0))
            began = time.monotonic()
            status = killer.run(words)
            seconds = time.monotonic() - began
            assert status in kind.done, killer.output.read_text()[-2000:]
            state = kind.state(path)
            assert not state.get("verify"), state["verify"]
            self._undisturbed[kind.name] = state, seconds
        return self._undisturbed[kind.name]


def _wrong(kind: Kind, path: Path, killer: Killer, expected: State, seconds: float) -> Iterator[str]:
    """A line for each thing that does not hold."""
    status = None
    for number in range(RUNS):
        try:
            status = killer.run(kind.words(path), kind.span * seconds if number < kind.kills else 0.0)
        except Hangs as error:
            yield f"hangs: {error}"
            return
        if status in kind.done:
            break
        yield from _half_written(kind, path, expected)
    if status not in kind.done:
        yield f"status {status} after {RUNS} runs: {killer.output.read_text()[-300:]!r}"
        return
    if "Traceback" in killer.output.read_text():
        yield f"a traceback is in {killer.output}"
    yield from (f"left behind: {name}" for name in killer.left())
    try:
        yield from differences(expected, kind.state(path))
    except AssertionError as error:
        yield f"{error}"[:500]


def _half_written(kind: Kind, path: Path, expected: State) -> Iterator[str]:
    """What is there after a kill of a command whose files are complete whenever they are there."""
    if kind.whole:
        more = kind.state(path)["files"] - expected["files"]
        yield from (f"incomplete after a kill: {name}" for name in more)
