"""A command that sends itself a signal at one step.

    python -m tests.support.faults.killed_at SIGKILL STEP DIRECTORY COMMAND ...

Steps are what it does to the crawl directory: files opened, made, renamed, locked or removed, and SQL statements. A
STEP is the number of one, or that of one of a kind: "os.rename:2". So a kill is the same each time, however fast the
machine is.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from tests.support.crawls.preforked import command, run

EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "fcntl.flock", "sqlite3.connect"}

CONNECT = sqlite3.connect


class Killer:
    def __init__(self, number: signal.Signals, step: str, place: str) -> None:
        self._signal = number
        self._kind, _, number = step.rpartition(":")
        self._left = int(number)
        self._place = place

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "fcntl.flock" or (event in EVENTS and self._place in str(arguments[0])):
            self._count(event)

    def connect(self, *arguments: Any, **more: Any) -> sqlite3.Connection:
        opened = CONNECT(*arguments, **more)
        opened.set_trace_callback(lambda statement: self._count("sql"))
        return opened

    def _count(self, kind: str) -> None:
        self._left -= self._kind in ("", kind)
        if self._left == 0:
            os.kill(os.getpid(), self._signal)


def killed_at(step: str, place: object, *words: object, cwd: Path | None = None, name: str = "SIGKILL") -> int:
    """The exit status of a command whose imports are done; not for crawls, whose processes would count as well."""
    return run(name, step, place, *words, cwd=cwd, start=begin).returncode


def begin(arguments: list[str]) -> None:
    name, step, place, *words = arguments
    killer = Killer(signal.Signals[name], step, place)
    sqlite3.connect = killer.connect
    sys.addaudithook(killer.hear)
    command(words)


if __name__ == "__main__":
    begin(sys.argv[1:])
