"""One run of a command that is killed on its way: all of it, its main process, or one process, at a random moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.crawls.crawling import command
from tests.support.faults.killing import descendants, kill, running

ALL, MAIN, ONE = "all", "main", "one"
VICTIMS = (ALL, ALL, MAIN, ONE, ONE)

#: Before a command that is watched: on a busy machine it waits for who watches, and not the other way round.
POLITE = ("nice", "-n", "19")

#: Seconds after which a command hangs.
PATIENCE = 240


class Hangs(Exception):
    """A command does not end."""


@dataclass(slots=True)
class Killer:
    """Runs commands; `killed` counts whom it has killed. Their output is in a file.

    `written` is a value that changes when a command writes: `at_work` counts the kills after its first change.
    """

    output: Path
    rng: random.Random
    written: Callable[[], object] = lambda: None
    killed: Counter[str] = field(default_factory=Counter)
    at_work: int = 0
    _before: object = None  # `written` when the command began
    _started: set[tuple[int, str]] = field(default_factory=set)  # all processes, with their start times

    def run(self, words: list[object], seconds: float = 0.0, *, at_work: bool = False) -> int:
        """The exit status of `ttcrawl WORD...`, which is killed within about so many seconds; 0: it is not.

        `at_work`: soon after its first write. Raises Hangs.
        """
        self._before = self.written()
        with open(self.output, "ab") as output:
            output.write(f"$ ttcrawl {' '.join(map(str, words))}\n".encode())
            output.flush()
            started = [*(POLITE if at_work else ()), *command(*words)]
            process = subprocess.Popen(
                started, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        if seconds:
            moment = self._stopped_at_work(process) if at_work else self._moment(seconds)
            self._disturb(process, moment, seconds)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            kill(pid for pid, _ in descendants(process.pid))
            process.wait()
            raise Hangs(" ".join(map(str, words))) from None

    def _moment(self, seconds: float) -> float:
        """Seconds from the start of a command to its kill."""
        rng = self.rng
        return rng.choice((rng.uniform(0.02, seconds), rng.uniform(0.3 * seconds, 1.05 * seconds)))

    def _stopped_at_work(self, process: subprocess.Popen[bytes]) -> float:
        """Stop a command at its first write; few write for long. Return the seconds until it is killed: none."""
        while process.poll() is None and self.written() == self._before:
            time.sleep(0.0005)  # a small file is complete within some milliseconds
        _send(process, signal.SIGSTOP)  # to find all that it has started takes longer than many a write
        return 0.0

    def _disturb(self, process: subprocess.Popen[bytes], moment: float, seconds: float) -> None:
        rng = self.rng
        victim, again = rng.choice(VICTIMS), rng.random() < 0.5
        if not _runs_for(process, moment):
            return
        if victim == ONE and self._kill_one(process.pid):
            _send(process, signal.SIGCONT)
            if not (again and _runs_for(process, rng.uniform(0, 0.6 * seconds))):
                return
            victim = ALL
        self._started |= descendants(process.pid)
        # the last ones first: what is left sees its children end, and starts others for a moment
        group = [process.pid] if victim == MAIN else [pid for pid, _ in descendants(process.pid)]
        if process.poll() is None:
            self._note(MAIN if victim == MAIN else ALL)
            kill(group)
        _send(process, signal.SIGCONT)

    def _kill_one(self, leader: int) -> bool:
        """Kill a random process that the command has started; whether there is one."""
        others = sorted(descendants(leader) - {each for each in descendants(leader) if each[0] == leader})
        if not others:
            return False
        self._started |= set(others)
        pid, _ = self.rng.choice(others)
        self._note(role(pid))
        kill([pid])
        return True

    def _note(self, name: str) -> None:
        """To be called just before a kill."""
        self.killed[name] += 1
        self.at_work += self.written() != self._before
        with open(self.output, "a") as output:
            output.write(f"-- to be killed: {name}\n")

    def left(self, seconds: float = 30.0) -> list[str]:
        """The processes of killed commands that do not end within so many seconds."""
        end = time.monotonic() + seconds
        while (alive := list(filter(running, self._started))) and time.monotonic() < end:
            time.sleep(0.05)
        return [role(pid) for pid, _ in alive]


def role(pid: int) -> str:
    """What a process does, in the words of its name or its command."""
    try:
        name, words = ((Path("/proc") / str(pid) / each).read_text() for each in ("comm", "cmdline"))
    except OSError:
        return "ended"
    special = {"forkserver": "fork server", "resource_tracker": "tracker"}
    if name.startswith("python"):
        return next((role for text, role in special.items() if text in words), "python")
    return name.strip().removeprefix("ttcrawl-")


def _send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To all of a command that is left."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _runs_for(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait so long; whether it still runs."""
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    return process.poll() is None
