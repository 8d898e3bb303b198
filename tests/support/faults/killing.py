"""Crawls that are killed: who runs, SIGKILL to some or all of them, and resuming until the crawl has ended."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

from tests.support.crawls.crawling import command, options_for

GROUP = 20  # outcomes that are committed together at most
FAST = tuple(
    part
    for key in ("fetch.retry_wait=0.05", "fetch.retries=50", "store.commit_seconds=0.05", f"store.commit_pages={GROUP}")
    for part in ("--set", key)
)


def start(directory, *options):
    return subprocess.Popen(
        command(*options, "--progress", "none"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=directory,
        start_new_session=True,
    )


def processes(leader: int) -> dict[str, list[int]]:
    """The processes of a running crawl that leads its session, by role: crawl, fetch, parse, server (of forks).

    Fetch and parse processes are children of the fork server, and have names of their own once they run. A server that
    was forked from the command has the command line of it.
    """
    roles: dict[str, list[int]] = {"crawl": [], "fetch": [], "parse": [], "server": []}
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or os.getsid(int(entry.name)) != leader:
                continue
            status = (entry / "status").read_text()
        except OSError:
            continue  # it has just ended
        facts = dict(row.split(":\t", 1) for row in status.splitlines() if ":\t" in row)
        if facts["State"].startswith("Z"):
            continue
        if int(entry.name) == leader:
            roles["crawl"].append(leader)
        elif int(facts["PPid"]) == leader:
            roles["server"].append(int(entry.name))
        else:
            roles["fetch" if facts["Name"] == "ttcrawl-fetch" else "parse"].append(int(entry.name))
    return roles


def descendants(leader: int) -> set[tuple[int, str]]:
    """(PID, start time) of all processes that this one has started, however deep, itself included."""
    parents: dict[int, int] = {}
    starts: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents[int(entry.name)], starts[int(entry.name)] = int(fields[1]), fields[19]
    found = {leader}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {(pid, starts[pid]) for pid in found if pid in starts}


def running(process: tuple[int, str]) -> bool:
    """Whether a process, by PID and start time, has not ended."""
    pid, began = process
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == began and fields[0] not in "ZX"


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has had so far; 0 when there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settled(directory: Path) -> int:
    """URLs of a crawl that are through; 0 where there are no tables yet."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as db:
        found: int = db.execute("SELECT count(*) FROM url WHERE state IN ('fetched', 'failed')").fetchone()[0]
        return found
    return 0


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait for it; a busy machine takes its time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def kill(pids: Iterable[int]) -> None:
    """SIGKILL to each. A process may have ended with the one killed before it: that is no error."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_all(leader: int) -> None:
    """SIGKILL to every process of a running crawl that leads its session, one after the other."""
    kill(pid for role in processes(leader).values() for pid in role)


def kill_some(process, what, rng):
    """SIGKILL to one process of a role, or to the whole session; whether somebody was there to be killed."""
    victims = processes(process.pid)
    if what == "all":
        chosen = [pid for role in victims.values() for pid in role]
    else:
        chosen = rng.sample(victims[what], 1) if victims[what] else []
    kill(chosen)
    return bool(chosen)


ANY = ("fetch", "parse", "crawl", "all")


def wait(web, process, *, requests, seconds):
    """Until the web has had so many requests, for `seconds` at most, while the process runs."""
    end = time.monotonic() + seconds
    while len(web.log()) < requests and time.monotonic() < end and process.poll() is None:
        time.sleep(0.005)


def killed_crawl(web, seeds, directory, kills, rng, *options, victims=ANY, requests=0):
    """Crawl to the end, killed `kills` times on the way: how often each role was, `all` being one.

    The moments are counted in requests, so that they are spread over the crawl however fast the machine is; it takes
    one for each page of the web, or `requests`.
    """
    most = (requests or len(web.pages)) // (kills + 1)
    begin = ("crawl", *seeds, "-d", directory / "c", *options_for(web), *options, *FAST)
    process, killed = start(directory, *begin), Counter()
    while True:
        if killed.total() < kills:
            # a directory is made before a crawl can be killed
            while not (directory / "c" / "crawl.db").exists() and process.poll() is None:
                time.sleep(0.01)
            asked = len(web.log())
            wait(web, process, requests=asked + rng.randint(0, most // 2), seconds=60)
            wait(web, process, requests=asked + most, seconds=rng.uniform(0, 0.3))
            what = rng.choice(victims)
            while process.poll() is None:
                if kill_some(process, what, rng):
                    killed[what] += 1
                    break
                time.sleep(0.01)  # it has not begun yet
            time.sleep(0.05)
        if killed.total() >= kills or process.poll() is not None:
            try:
                _, err = process.communicate(timeout=120 if killed.total() >= kills else 10)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            assert "Traceback" not in err, err
            if process.returncode == 0:
                return killed
            assert process.returncode == -signal.SIGKILL, err
            process = start(directory, "resume", directory / "c")
