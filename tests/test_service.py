"""The unit of the manual under a supervisor that starts, signals and restarts it as systemd.service(5) says."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.support.crawls.crawling import crawl, query, verified
from tests.support.faults.killing import kill_all, processes, settled, until
from tests.support.web.mesh import mesh
from tests.support.web.site import Web

UNIT = (Path(__file__).parent.parent / "docs" / "deploy" / "one-crawl" / "ttcrawl@.service").read_text()

#: Signals that systemd counts as a clean end.
CLEAN = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE}


class Service:
    """A unit with its main process, which leads a session in the place of a control group."""

    def __init__(self, text: str, directory: Path) -> None:
        unit = configparser.ConfigParser(interpolation=None, strict=False)
        unit.optionxform = str
        unit.read_string(text)
        self._keys, self._directory = unit["Service"], directory
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        assert self._keys["Type"] == "exec"  # so it need not notify
        line = self._keys["ExecStart"].replace("\\\n", " ").replace("%i", self._directory.name)
        command = shlex.split(line.replace("/opt/ttcrawl/bin/ttcrawl", f"{sys.executable} -m ttcrawl"))
        self.process = subprocess.Popen(command, cwd=self._directory.parent, start_new_session=True)

    def stop(self, *, hangs: bool = False) -> int:
        """KillMode=mixed: the signal to the main process, SIGKILL to what remains. `hangs`: until the time is over."""
        assert self._keys["KillMode"] == "mixed"
        if hangs:
            os.kill(self.process.pid, signal.SIGSTOP)
        os.kill(self.process.pid, signal.Signals[self._keys["KillSignal"]])
        if not hangs:
            self.process.wait(float(self._keys["TimeoutStopSec"]))
        return self.ended()

    def ended(self) -> int:
        """What remains is killed with the main process."""
        kill_all(self.process.pid)
        return self.process.wait()

    def restarts(self, status: int) -> bool:
        """Whether it is started again after its main process has ended by itself."""
        assert self._keys["Restart"] == "on-failure"
        clean = {0, *map(int, self._keys["SuccessExitStatus"].split())} | {-each for each in CLEAN}
        return status not in clean and status not in map(int, self._keys["RestartPreventExitStatus"].split())


@pytest.mark.slow
@pytest.mark.parametrize("command", ["resume", "recrawl"])
def test_the_unit_goes_on_after_every_end(tmp_path: Path, command: str) -> None:
    directory = tmp_path / "c"
    service = Service(UNIT.replace("ttcrawl resume", f"ttcrawl {command}"), directory)
    keys = ("politeness.delay=0.05", "store.commit_seconds=0.05", "revisit.policy=fixed", "revisit.interval=1000000")
    with Web(mesh(("a.test",), 150, seed=5, crawl_delay=0.0)) as web:
        options = ("--max-pages", 1, *(part for key in keys for part in ("--set", key)))
        assert crawl(web, web.url("a.test", "/"), directory, *options).status == 3
        config = directory / "config.ini"
        config.write_text(re.sub(r"(?m)^max_pages = 1$", "max_pages = 0", config.read_text()))
        for end in ("power", "main", "hangs", "stop", "SIGTERM", "SIGHUP"):
            before = settled(directory)
            service.start()
            until(lambda: settled(directory) > before + 5)  # noqa: B023
            status = end_of(service, end)
            killed = end in ("power", "main", "hangs")
            assert status == (-signal.SIGKILL if killed else 3), end
            assert service.restarts(status) is killed
            until(lambda: not any(processes(service.process.pid).values()))
        service.start()
        until(lambda: query(directory, "SELECT count(*) FROM url WHERE state = 'queued'") == [(0,)], 300)
        status = service.process.wait(120) if command == "resume" else service.stop()
        assert status == (0 if command == "resume" else 3) and not service.restarts(status)
        requests = Counter(hit.path for hit in web.log() if hit.path != "/robots.txt")
    assert verified(directory) == ""
    assert sum(requests.values()) - len(requests) <= 3 * 20  # a kill undoes what was in flight or not committed


def end_of(service: Service, how: str) -> int:
    """Let the main process end in a way, and return its status."""
    if how in ("stop", "hangs"):
        return service.stop(hangs=how == "hangs")
    if how == "power":
        return service.ended()
    os.kill(service.process.pid, signal.SIGKILL if how == "main" else signal.Signals[how])
    service.process.wait(120)
    return service.ended()
