"""A cluster in the lab: a conductor, rings with a machine each, and the web; judged by the web's log and by SQL."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cluster.clusters import Done
from tests.cluster.machines.machines import DISK, Lab, until
from tests.cluster.machines.pages import WebMachine, addresses, quiet, requests, robots, short_gaps
from tests.cluster.machines.wire import ADDRESS
from tests.support.crawls.crawling import query, verified
from ttcrawl.cluster.route import table

#: The directory of the cluster on each machine.
DIRECTORY = DISK / "c"

#: Seconds between two requests to a host, and to an address.
DELAY, ADDRESS_DELAY = 0.4, 0.05

SETTINGS = {
    "scope.scope": "any",
    "safety.allow": "198.18.0.0/15",
    "politeness.delay": DELAY,
    "politeness.address_delay": ADDRESS_DELAY,
    "fetch.retries": 50,
    "fetch.retry_wait": 0.3,
    "politeness.backoff": 0.5,
    "crawl.fetchers": 1,
    "crawl.parsers": 1,
    "store.commit_seconds": 0.2,
}


class RingMachine:
    """The machine of a ring: `agent` starts it on request of the conductor."""

    def __init__(self, lab: Lab, ring: int, name: str = "") -> None:
        self.ring = ring
        self.machine = lab.machine(name or f"ring-{ring}", f"{ADDRESS}.{ring}")
        self.switch_on()

    def switch_on(self) -> None:
        """Start the agent, and the machine if it is off."""
        if not self.machine.on:
            self.machine.start()
        agent = self.machine.popen(
            sys.executable, "-m", "tests.cluster.machines.agent", stdout=subprocess.PIPE, text=True
        )
        assert agent.stdout is not None
        assert agent.stdout.readline() == "up\n"

    def process(self) -> int:
        """The crawl process, 0 if there is none that crawls."""
        text = ""
        with suppress(OSError):
            text = (self.directory / "lock").read_text()
        processes = self.members()
        return processes[0] if text and processes else 0

    def members(self) -> list[int]:
        """All processes that live for the ring, also one that begins."""
        return self.machine.processes(f"ttcrawl.cluster.member {DIRECTORY}")

    def queued(self) -> int:
        """Its queued URLs; 1 as long as it has no tables."""
        with suppress(sqlite3.Error):
            return int(query(self.directory, "SELECT count(*) FROM url WHERE state = 'queued'")[0][0])
        return 1

    def holder(self) -> int:
        """The process that has locked the directory, 0 if none has; the kernel tells it, so the lock is not touched."""
        with suppress(OSError):
            inode = (self.directory / "lock").stat().st_ino
            for words in map(str.split, Path("/proc/locks").read_text().splitlines()):
                if words[1] == "FLOCK" and words[3] == "WRITE" and words[5].endswith(f":{inode}"):
                    return int(words[4])
        return 0

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal to the crawl process."""
        os.kill(until(self.process), number)

    def workers(self, role: str) -> list[int]:
        """Its fetch processes ("ttcrawl-fetch"), or those that parse ("ttcrawl-parse")."""
        return [each for each in self.machine.processes() if _name(each) == role]

    @property
    def directory(self) -> Path:
        return self.machine.disk / DIRECTORY.name / f"ring-{self.ring}"


class Cluster:
    """`rings`: all that may take part, by number; `shares`: of letters that are lost, doubled and delayed.

    `away`: rings whose machines are off when the crawl begins.
    """

    address_delay: float = ADDRESS_DELAY

    def __init__(
        self,
        lab: Lab,
        *,
        rings: int = 3,
        more: int = 0,
        shares: Sequence[float] = (0, 0, 0),
        settings: dict[str, Any] | None = None,
        away: Iterable[int] = (),
    ) -> None:
        self.lab, self.web = lab, WebMachine(lab)
        self.rings = {ring: RingMachine(lab, ring) for ring in range(1, rings + more + 1)}
        self.machine = lab.machine("conductor", f"{ADDRESS}.100")
        self.specification = {
            "seed": self.web.seed,
            "settings": SETTINGS | (settings or {}),
            "rings": rings,
            "shares": list(shares),
        }
        for ring in away:
            self.rings[ring].machine.power_cut()
        self.begin()

    def begin(self) -> None:
        """Begin or continue the crawl."""
        self._conductor: subprocess.Popen[str] = self.machine.popen(
            *(sys.executable, "-m", "tests.cluster.machines.conductor", str(DIRECTORY), json.dumps(self.specification)),
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def pages(self) -> int:
        """Pages that were requested, each once."""
        return len(requests(self.web.log()))

    def until_pages(self, pages: int) -> None:
        """Wait until so many pages were requested."""

        def enough() -> bool:
            assert self._conductor.poll() is None, "the crawl has ended"
            return self.pages >= pages

        until(enough, 90, f"{pages} pages")

    def ended(self, seconds: float = 90) -> str:
        """Wait until the crawl has ended; return how."""
        out, _ = self._conductor.communicate(timeout=seconds)
        return out.strip()

    def conductors(self) -> list[int]:
        return self.machine.processes("tests.cluster.machines.conductor")

    def kill_conductor(self) -> None:
        for process in self.conductors():
            os.kill(process, signal.SIGKILL)
        self._conductor.wait(60)

    def stop(self) -> str:
        """As `ttcrawl cluster stop`; return how the crawl has ended."""
        self.command("stop")
        return self.ended()

    def command(self, action: str, *options: str) -> str:
        """`ttcrawl cluster ACTION DIR` on the machine of the conductor."""
        return self.machine.run(sys.executable, "-m", "ttcrawl", "cluster", action, str(DIRECTORY), *options)

    def commanded(self, action: str, *options: str) -> subprocess.Popen[str]:
        """The same, running."""
        command = (sys.executable, "-m", "ttcrawl", "cluster", action, str(DIRECTORY), *options)
        return self.machine.popen(*command, stdout=subprocess.PIPE, text=True)

    def members(self) -> dict[str, Any]:
        members: dict[str, Any] = self._plan().get("members", {})
        return members

    def _plan(self) -> dict[str, Any]:
        with suppress(OSError):
            plan: dict[str, Any] = json.loads((self.machine.disk / DIRECTORY.name / "cluster.json").read_text())
            return plan
        return {}

    def owner(self, name: str) -> int:
        """The ring that owns a host at the end."""
        members = self.members()
        return table(members["rings"], buckets=members["buckets"]).ring_of(name)

    # -- judges -------------------------------------------------------------------------------------------------------

    def judged(self) -> dict[str, Any]:
        """What the web's log and the tables of the rings say of a crawl that has ended; JSON.

        `missing`, `other`: URLs without their state, or with another one; `unrequested`: pages that the web has not
        delivered; `again`, `robots again`: requests beyond the first for a page, for a robots.txt; `again by`: the
        owners of such pages; `short`: gaps below a delay; `quiet`: see `pages.quiet`; `damaged`: what `ttcrawl verify`
        says of the rings.
        """
        log, expected, found = self.web.log(), self.web.truth(), self._states()
        pages = requests(log)
        fetched = {url for url, (state, _) in expected.items() if state != "refused"}
        hosts = short_gaps(log, DELAY, lambda hit: hit.host)
        shared = short_gaps(log, self.address_delay, lambda hit: addresses()[hit.host])
        return {
            "missing": sorted(expected.keys() - found.keys()),
            "other": sorted((url, *found[url]) for url in found if found[url] != expected.get(url)),
            "unrequested": sorted(fetched - {self.web.url(*each) for each in pages}),
            "again": pages.total() - len(pages),
            "again by": sorted({self.owner(host) for (host, _), times in pages.items() if times > 1}),
            "robots again": robots(log).total() - len(robots(log)),
            "short": hosts | shared,
            "quiet": quiet(log, self.owner),
            "damaged": [each for each in map(verified, self._directories()) if each],
        }

    def _directories(self) -> Iterable[Path]:
        return (ring.directory for ring in self.rings.values() if ring.directory.exists())

    def _states(self) -> dict[str, tuple[str, str]]:
        """URL -> state and reason, by the ring that owns it."""
        whole = self.lab.directory / "rings"
        whole.mkdir()
        (whole / "cluster.json").symlink_to(self.machine.disk / DIRECTORY.name / "cluster.json")
        for each in self._directories():
            (whole / each.name).symlink_to(each)
        return Done(0, "", "", whole).states()


def _name(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text().strip()
    return ""
