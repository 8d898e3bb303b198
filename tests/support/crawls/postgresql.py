"""A real PostgreSQL on loopback, which can be killed and started again, and what its tables have."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

ADDRESS = "127.0.0.1"
FOLDERS = os.pathsep.join(["/usr/lib/postgresql/15/bin", os.environ.get("PATH", "")])
INITDB, POSTGRES = (shutil.which(name, path=FOLDERS) for name in ("initdb", "postgres"))
USER, PASSWORD = "crawler", "p%s/wörd:@"
URL_PASSWORD = "p%25s%2Fw%C3%B6rd%3A%40"

#: What is committed outlives the processes, though not the machine, and no query is compiled that runs once.
FAST = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "jit=off")

#: PostgreSQL refuses to run as root.
UNPRIVILEGED: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}


def cpu_seconds(pid: int, *, ended: bool = False) -> float:
    """Seconds of processor time of a process, 0 if it has gone; `ended`: also of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


class Postgresql:
    """A server with a new database `crawls`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind((ADDRESS, 0))
            self.port = probe.getsockname()[1]
        password = folder / "password"
        password.write_text(PASSWORD)
        if UNPRIVILEGED:
            for path in (folder, password):
                shutil.chown(path, "nobody", "nogroup")
        command = [
            str(INITDB),
            "-D",
            str(folder / "data"),
            "-U",
            USER,
            "-A",
            "scram-sha-256",
            "--pwfile",
            str(password),
        ]
        subprocess.run(
            [*command, "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=folder, check=True, stdout=subprocess.DEVNULL, **UNPRIVILEGED,
        )  # fmt: skip
        self.start()
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE crawls")

    def url_of(self, database: str) -> str:
        return f"postgresql://{USER}:{URL_PASSWORD}@{ADDRESS}:{self.port}/{database}"

    @property
    def url(self) -> str:
        return self.url_of("crawls")

    def start(self) -> None:
        options = ("-h", ADDRESS, "-p", str(self.port), "-k", str(self.folder), "-c", "max_wal_size=256MB", *FAST)
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [str(POSTGRES), "-D", str(self.folder / "data"), *options], cwd=self.folder, stderr=log, **UNPRIVILEGED
            )
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url_of("postgres")).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("PostgreSQL does not start:\n" + (self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def kill(self) -> None:
        """Kill its processes at once. When this returns none of them holds the memory that they share."""
        self._process.send_signal(signal.SIGSTOP)  # it would start others for those that are killed
        children = self._children()
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        end = time.monotonic() + 60
        while any(map(_is_alive, children)):
            assert time.monotonic() < end
            time.sleep(0.01)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)  # a fast shutdown
        self._process.wait(60)

    def _children(self) -> list[int]:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    def cpu(self) -> float:
        """Seconds of processor time of all its processes, also of those that have ended."""
        return cpu_seconds(self._process.pid, ended=True) + sum(map(cpu_seconds, self._children()))

    def query(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(query.encode(), values or None).fetchall()

    def clear(self) -> None:
        self.execute("DROP SCHEMA IF EXISTS ttcrawl, crawldb CASCADE")

    def execute(self, statement: str) -> None:
        """If it and a copy that goes on wait for each other, PostgreSQL ends one of them: it is begun again."""
        while True:
            with contextlib.suppress(psycopg.errors.DeadlockDetected), psycopg.connect(self.url) as connection:
                connection.execute(statement.encode())
                return


@contextlib.contextmanager
def postgresql() -> Iterator[Postgresql]:
    with tempfile.TemporaryDirectory(prefix="postgresql-") as name:
        os.chmod(name, 0o755)
        server = Postgresql(Path(name))
        try:
            yield server
        finally:
            server.stop()
