"""`zebraidx`, run so that a kill of it, at any moment, leaves an index that the next run mends.

An update goes into the shadow register; a commit copies that into the register and then deletes it, file by file. A
kill among the deletions leaves half of the shadow, which the next commit of zebraidx copies again: it fails at the
first file that is not there, and so does every search from then on. So each step is noted before it begins. The state
that Zebra notes tells whether the commit had copied everything, and then the rest of the shadow is deleted here.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from ttcrawl.engine.reporting.indexing import PROGRAM
from ttcrawl.errors import CrawlFailedError
from ttcrawl.store.regular import is_regular, open_regular, replace_file

#: The file in the directory of the index that says which step is under way.
STEP = "ttcrawl.step"

#: Files of Zebra in `lockDir`: its state, and the lock of the shadow register.
STATE, SHADOW_LOCK = "state..LCK", "shadow..LCK"

#: How often a step is begun again whose zebraidx was killed.
TRIES = 3


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What zebraidx does. `commits`: how many the index had before."""

    phase: Literal["update", "commit"]
    commits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Files:
    """Zebra's state, the lock of its shadow register, and the directories of that: as zebra.cfg names them."""

    state: Path
    shadow_lock: Path
    shadows: tuple[Path, ...]


class KilledError(CrawlFailedError):
    """A signal has ended zebraidx."""


class Zebraidx:
    """Changes one index. `lock`: the descriptor of the lock that zebraidx holds, too, if it outlives this process."""

    def __init__(self, directory: Path, lock: int) -> None:
        self._directory, self._lock = directory, lock
        self._files = _files(directory)
        self._mend()

    def take(self, file: str) -> None:
        """Bring the documents in a file into the index. Raises CrawlFailedError."""
        for left in reversed(range(TRIES)):
            try:
                self._take(file)
                return
            except KilledError:
                if not left:
                    raise
                self._mend()

    def _take(self, file: str) -> None:
        _, commits = self._read_state()
        self._note(Step(phase="update", commits=commits))
        self._run("update", file)
        self._note(Step(phase="commit", commits=commits))
        self._run("commit")
        self._noted().unlink()

    def _mend(self) -> None:
        """End a commit that was interrupted, and forget an update that was: its step is repeated."""
        step = self._read_step()
        if step is not None:
            state, commits = self._read_state()
            if step.phase == "update" or (state == "o" and commits > step.commits):
                self._delete_shadow()
            if not state or step.phase == "update":  # Zebra writes its state in place, so a kill may leave none
                self._write_state(step.commits)
        self._run("commit")
        self._noted().unlink(missing_ok=True)

    def _noted(self) -> Path:
        return self._directory / STEP

    def _note(self, step: Step) -> None:
        replace_file(self._noted(), msgspec.json.encode(step) + b"\n")

    def _read_step(self) -> Step | None:
        try:
            return msgspec.json.decode(self._noted().read_bytes(), type=Step) if is_regular(self._noted()) else None
        except (OSError, msgspec.DecodeError):
            return None

    def _read_state(self) -> tuple[str, int]:
        """Return what Zebra notes: c (committing), d (updating), o (neither) or nothing; and the number of commits."""
        try:
            found = re.match(r"([a-z]) (\d+)", self._files.state.read_text("ascii", "replace"))
        except OSError:
            found = None
        return (found[1], int(found[2])) if found else ("", 0)

    def _write_state(self, commits: int) -> None:
        if self._files.shadows and is_regular(self._files.state):
            self._files.state.write_text(f"o {commits} {os.getpid()}\n", "ascii")

    def _delete_shadow(self) -> None:
        """Delete the files of the shadow register, while no search reads them."""
        with open(open_regular(self._files.shadow_lock, os.O_RDWR | os.O_CREAT), "rb+") as lock:
            fcntl.lockf(lock, fcntl.LOCK_EX)  # the kind of lock that Zebra takes
            for directory in self._files.shadows:
                for file in (directory / "cache", *directory.glob("*.mf")):
                    with contextlib.suppress(FileNotFoundError):
                        file.unlink()

    def _run(self, *words: str) -> None:
        """Raises CrawlFailedError."""
        done = subprocess.run(
            [PROGRAM, "-v", "none,fatal,warn", *words],
            cwd=self._directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(self._lock,),
            check=False,
        )
        message = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode or "[fatal]" in message:
            last = message.rpartition("\n")[2] or f"exit status {done.returncode}"
            error = KilledError if done.returncode < 0 else CrawlFailedError
            raise error(f"{PROGRAM} {words[0]} in {self._directory} failed: {last}")


def _files(directory: Path) -> _Files:
    text = (directory / "zebra.cfg").read_text("utf-8", "replace")
    values = dict(re.findall(r"^([A-Za-z]+):[ \t]*(.*?)[ \t]*$", text, re.MULTILINE))
    locks = directory / values.get("lockDir", "")
    return _Files(
        state=locks / STATE,
        shadow_lock=locks / SHADOW_LOCK,
        shadows=tuple(directory / area.rpartition(":")[0] for area in values.get("shadow", "").split()),
    )
