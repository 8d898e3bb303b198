"""What an operator does to a crawl, and what happens to it: runs, stops, kills, a full disk, a wrong clock."""

from __future__ import annotations

import math
import os
import random
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.soak.hosts import Hosts
from tests.soak.kept import Disk, WrongClock
from tests.support.crawls.crawling import command
from tests.support.crawls.postgresql import Postgresql
from tests.support.faults.killing import descendants, kill, processes, running, until
from ttcrawl.store.lock import crawled_by

CONFIG = """
[agent]
contact = mailto:operator@example.org
[politeness]
delay = {delay:g}
backoff = {delay:g}
robots_patience = {patience:g}
[revisit]
policy = fixed
interval = {interval:g}
[fetch]
resolve = {resolve}
"""

#: Seconds that a run may take to begin on a busy machine, and to end after a stop: it completes its copy in PostgreSQL.
BEGIN, END = 1800, 3600

#: What a run says that has ended because of a full disk.
FULL = ("No space left", "disk is full", "room on the disk")


@dataclass(slots=True, kw_only=True)
class Run:
    """Moments in seconds since the epoch by the right clock; `ahead`: of it, in seconds, was the clock of the run."""

    begun: float
    first_visit: int  # the lowest id of its visits
    ahead: float
    ended: float = math.inf
    killed: bool = False
    committed: float = math.inf  # the last commit of a run that was killed


@dataclass(slots=True)
class Operator:
    """`disturbances`: (moment, what was done). `killed`: (command, role) -> how often. `wrong`: what went wrong."""

    directory: Path
    hosts: Hosts
    disk: Disk
    clock: WrongClock
    server: Postgresql | None  # None: not installed
    rng: random.Random
    runs: list[Run] = field(default_factory=list)
    disturbances: list[tuple[float, str]] = field(default_factory=list)
    killed: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _process: subprocess.Popen[bytes] | None = None
    _command: str = "crawl"

    @property
    def crawl(self) -> Path:
        return self.disk.place / "crawl"

    @property
    def output(self) -> Path:
        return self.directory / "output.txt"

    @property
    def leader(self) -> int:
        assert self._process is not None
        return self._process.pid

    def take_over(self) -> None:
        """End what a soak has left that was ended itself."""
        with suppress(ValueError):
            leader = int(crawled_by(self.crawl))
            kill(pid for pid, _ in descendants(leader))
            until(lambda: not crawled_by(self.crawl), BEGIN)
        self.disk.empty()

    # -- runs ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._command = "recrawl" if (self.crawl / "crawl.db").exists() else "crawl"
        mirror = ["--set", f"postgresql.url={self.server.url}"] if self.server else []
        words = [self._command, *self._begin(), *mirror, "--progress", "none"]
        run = Run(begun=time.time(), first_visit=self._visits() + 1, ahead=self.clock.ahead)
        with open(self.output, "ab") as output:
            self._process = subprocess.Popen(
                command(*words),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self.clock.environment,
                cwd=self.directory,
                start_new_session=True,
            )
        self.runs.append(run)
        until(lambda: self._ended() or processes(self.leader)["fetch"], BEGIN)

    def _begin(self) -> list[object]:
        if self._command == "recrawl":
            return [self.crawl]
        settings = self.hosts.settings
        seeds = [f"http://{host}:{settings.port}/" for host in self.hosts.addresses]
        (self.directory / "seeds.txt").write_text("\n".join(sorted(seeds, key=lambda url: url[::-1])))
        resolve = " ".join(f"{host}:{settings.port}:{address}" for host, address in self.hosts.addresses.items())
        config = CONFIG.format(
            delay=settings.delay, patience=10 * settings.delay, interval=settings.interval, resolve=resolve
        )
        (self.directory / "config.ini").write_text(config)
        return ["--seeds", "seeds.txt", "-c", "config.ini", "-d", self.crawl]

    def look(self) -> None:
        """A run that has ended is continued; one that must not end by itself is wrong."""
        if self._ended():
            assert self._process is not None
            if self._command != "crawl" or self._process.returncode:
                self.wrong.append(f"{self._command} ended with status {self._process.returncode}: {self._said()}")
            self._over("end", killed=bool(self._process.returncode))
            self.start()

    def stop(self, *, twice: bool = False) -> None:
        """Ctrl-C; twice: at once, without the outcomes of what is in flight."""
        assert self._process is not None
        moment = time.time()
        for _ in range(1 + twice):
            with suppress(ProcessLookupError):
                os.kill(self.leader, signal.SIGINT)
            time.sleep(0.5 if twice else 0)
        status = self._process.wait(END)
        if status not in (0, 3, 130):
            self.wrong.append(f"status {status} after a stop: {self._said()}")
        self._over("stop at once" if twice else "stop", killed=twice, moment=moment)

    def _ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _over(self, what: str, *, killed: bool, moment: float = 0.0) -> None:
        run = self.runs[-1]
        run.ended, run.killed = moment or time.time(), killed
        if killed:
            run.committed = float(self._value("clock") or run.begun + run.ahead) - run.ahead
        self.disturbances.append((run.ended, what))

    def _said(self) -> str:
        return self.output.read_text(errors="replace")[-300:]

    def _visits(self) -> int:
        return int(self._query("SELECT coalesce(max(id), 0) FROM visit") or 0)

    def _value(self, name: str) -> object:
        return self._query("SELECT value FROM crawl WHERE name = ?", name)

    def _query(self, sql: str, *values: object) -> object:
        """The first value of the first row, None if there is none, or no table yet."""
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{self.crawl}/crawl.db?mode=ro", uri=True)) as db:
            row = db.execute(sql, values).fetchone()
            return row[0] if row else None
        return None

    # -- what happens to them -----------------------------------------------------------------------------------------

    def events(self) -> dict[str, Callable[[], None]]:
        """Name -> kill or stop, of which a piece has many."""
        kills = {role: lambda role=role: self._kill(role) for role in ("fetch", "parse", "server", "crawl", "all")}
        if self.server:
            kills["mirror"] = lambda: self._kill("mirror")
        return {
            **kills,
            "stop": lambda: self._stop_and_start(twice=False),
            "stop at once": lambda: self._stop_and_start(twice=True),
        }

    def _stop_and_start(self, *, twice: bool) -> None:
        self.stop(twice=twice)
        self.start()

    def special(self) -> dict[str, Callable[[], None]]:
        """Name -> what a piece has a few of."""
        found: dict[str, Callable[[], None]] = {
            "clock ahead": lambda: self._set_clock(self.rng.uniform(600, 90_000)),
            "clock back": lambda: self._set_clock(-self.rng.uniform(600, 90_000)),
            "clock right": lambda: self._set_clock(-self.clock.ahead),
        }
        if self.disk.mounted:
            found["full disk"] = self._fill_disk
        if self.server:
            found["database away"] = self.server.kill
        return found

    def _kill(self, what: str) -> None:
        """SIGKILL: to one process of a role, to the crawl process, or to all."""
        everyone = descendants(self.leader)
        victims = self._victims(what, everyone)
        if self._ended() or not victims:
            return
        moment = time.time()
        kill(victims)
        self.killed[self._command, what] += 1
        self.disturbances.append((moment, f"kill {what}"))
        if what in ("crawl", "all"):
            assert self._process is not None
            self._process.wait(END)
            stays = {each for each in everyone if not _follows(each[0])}
            until(lambda: not any(map(running, stays)), BEGIN)
            self._over(f"killed {what}", killed=True, moment=moment)
            self.start()
        elif what == "server":
            with suppress(subprocess.TimeoutExpired):  # it starts another one, or ends
                self._process.wait(10)
                self._over("killed server", killed=True, moment=time.time())
                self.start()

    def _victims(self, what: str, everyone: set[tuple[int, str]]) -> list[int]:
        if what == "all":
            return [pid for pid, _ in everyone]
        if what == "mirror":
            return [pid for pid, _ in everyone if _follows(pid)]
        found = processes(self.leader)[what]
        return self.rng.sample(found, min(1, len(found)))

    def _set_clock(self, seconds: float) -> None:
        self.clock.ahead += seconds
        self.disturbances.append((time.time(), "clock"))

    def _fill_disk(self) -> None:
        assert self._process is not None
        self.disk.fill()
        try:
            status = self._process.wait(BEGIN)
        finally:
            self.disk.empty()
        if status not in (1, 3) or not any(text in self._said() for text in FULL):
            self.wrong.append(f"status {status} on a full disk: {self._said()}")
        self._over("full disk", killed=True)
        self.start()


def _follows(pid: int) -> bool:
    """Whether a process copies the crawl into PostgreSQL."""
    with suppress(OSError):
        return b"\0mirror\0" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False
