"""Run the command as a user does, and read what it left behind with SQL."""

from __future__ import annotations

import io
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from tests.site import Web
from ttcrawl.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    status: int
    out: str
    err: str
    directory: Path

    def query(self, sql: str) -> list[tuple]:
        with closing(sqlite3.connect(f"file:{self.directory}/crawl.db?mode=ro", uri=True)) as database:
            return database.execute(sql).fetchall()

    def states(self) -> dict[str, tuple[str, str]]:
        """URL -> state, reason."""
        return {url: (state, reason) for url, state, reason in self.query("SELECT url, state, reason FROM url")}


def command(*options: object) -> list[str]:
    return [sys.executable, "-m", "ttcrawl", *map(str, options)]


def options_for(web: Web) -> list[str]:
    return [part for entry in web.resolve for part in ("--resolve", entry)]


def crawl(web: Web, seeds: str | list[str], directory: Path, *options: object, timeout: float = 120) -> Crawled:
    """`ttcrawl crawl SEED... -d DIRECTORY`, to its end."""
    seeds = [seeds] if isinstance(seeds, str) else seeds
    done = subprocess.run(
        command("crawl", *seeds, "-d", directory, *options_for(web), "--progress", "none", *options),
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=directory.parent,
    )
    return Crawled(status=done.returncode, out=done.stdout, err=done.stderr, directory=directory)


def verified(directory: Path) -> str:
    """ "" where `ttcrawl verify` finds nothing wrong, else what it says. In this process, where it is done sooner."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        status = main(["verify", str(directory)])
    return said.getvalue() if status else ""


def processes(leader: int) -> dict[str, list[int]]:
    """The processes of a running crawl that leads its session, by role: crawl, fetch, parse, server (of forks).

    Fetch processes have many threads, parse processes one; both are children of the fork server.
    """
    roles: dict[str, list[int]] = {"crawl": [], "fetch": [], "parse": [], "server": []}
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or os.getsid(int(entry.name)) != leader:
                continue
            status, line = ((entry / name).read_text() for name in ("status", "cmdline"))
        except OSError:
            continue  # it has just ended
        facts = dict(row.split(":\t", 1) for row in status.splitlines() if ":\t" in row)
        if facts["State"].startswith("Z"):
            continue
        if int(entry.name) == leader:
            roles["crawl"].append(leader)
        elif int(facts["PPid"]) == leader or "forkserver" not in line:
            roles["server"].append(int(entry.name))
        else:
            roles["fetch" if int(facts["Threads"]) > 2 else "parse"].append(int(entry.name))
    return roles
