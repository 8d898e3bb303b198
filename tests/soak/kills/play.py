"""Trials of all kinds in turn until so many processes were killed."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path

from tests.soak.kills.disturbed import Hangs, Killer
from tests.soak.kills.kinds import Kind
from tests.soak.kills.state import State, differences

#: Runs of a command in one trial, at most: all but some of them undisturbed.
RUNS = 15

#: Trials of each group until it is killed at its work, at most.
TRIALS = 8


@dataclass(slots=True)
class Record:
    """What became of the trials of a group of kinds; `at_work`: kills after the first write of a command."""

    trials: int = 0
    seconds: float = 0.0
    killed: Counter[str] = field(default_factory=Counter)
    at_work: int = 0
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

    def play(self, kills: int, *, alone: bool = False) -> None:
        """Trials of all groups in turn, until so many kills and one at the work of each group.

        A group has the kinds with the same first word; `alone`: each kind is one.
        """
        groups: dict[str, list[Kind]] = {}
        for kind in self.kinds:
            groups.setdefault(kind.name if alone else kind.name.split()[0], []).append(kind)
        turns = {name: cycle(members) for name, members in groups.items()}
        self.records = {name: Record() for name in groups}
        left = list(groups)
        for trial in count():
            for name in left:
                self._trial(self.records[name], next(turns[name]), trial)
            if self.killed >= kills:
                left = [name for name in left if kills and _lacks(self.records[name])]
            if not left:
                return

    def _trial(self, record: Record, kind: Kind, trial: int) -> None:
        try:
            expected, seconds = self._reference(kind)
        except AssertionError as error:
            record.trials += 1
            record.failures.append(f"{kind.name}, undisturbed: {error!s:.300}")
            self.say(f"wrong: {record.failures[-1]}")
            return
        path = self.directory / f"{kind.name.replace(' ', '-')}-{trial}"
        began = time.monotonic()
        kind.prepare(path)
        rng = random.Random(f"{self.seed} {kind.name} {trial}")
        killer = Killer(path.with_suffix(".log"), rng, lambda: kind.written(path))
        found = list(_wrong(kind, path, killer, expected, seconds, at_work=_lacks(record)))
        record.trials, record.seconds = record.trials + 1, record.seconds + time.monotonic() - began
        record.killed += killer.killed
        record.at_work += killer.at_work
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


def _lacks(record: Record) -> bool:
    """Whether a group was not killed at its work, and is tried again."""
    return 0 < record.trials < TRIALS and not record.at_work


def _wrong(kind: Kind, path: Path, killer: Killer, expected: State, seconds: float, *, at_work: bool) -> Iterator[str]:
    """A line for each thing that does not hold. `at_work`: its first kill waits for a write."""
    status = None
    for number in range(RUNS):
        try:
            span = kind.span * seconds if number < kind.kills else 0.0
            status = killer.run(kind.words(path), span, at_work=at_work and number == 0)
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
