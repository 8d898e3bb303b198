"""A cluster in the lab on Ray: one machine has the head, the conductor and ring 1, each other ring has its own.

The web's log judges the crawls, as it does where no Ray is.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from tests.cluster.machines.cluster import DIRECTORY, SETTINGS, Cluster, RingMachine
from tests.cluster.machines.inside import missing as no_machines
from tests.cluster.machines.machines import DISK, Lab, Machine, send, until
from tests.cluster.machines.pages import WebMachine
from tests.cluster.machines.secured import Secured
from tests.cluster.machines.wire import ADDRESS

#: The head.
HOST, PORT = f"{ADDRESS}.1", 6379

#: What makes Ray small, and lets it notice within 4 s that a machine is gone.
ENVIRONMENT = {
    **{f"RAY_{name}": "0" for name in ("USAGE_STATS_ENABLED", "enable_metrics_collection", "event_stats")},
    **{f"RAY_{name}": "0" for name in ("memory_monitor_refresh_ms", "enable_worker_prestart")},
    **{f"RAY_health_check_{name}_ms": "1000" for name in ("initial_delay", "period", "timeout")},
    "RAY_prestart_worker_first_driver": "0",
    "RAY_health_check_failure_threshold": "3",
    "RAY_worker_niceness": "0",
    "RAY_TMPDIR": str(DISK / "ray"),
    "OMP_NUM_THREADS": "1",
}

#: The command that starts Ray, on each machine.
START = (
    *(sys.executable, "-m", "ray.scripts.scripts", "start", "--disable-usage-stats", "--include-log-monitor=false"),
    *("--object-store-memory=80000000", "--num-cpus=1"),
)

#: Start Ray again whenever it ends, as a service of the system does.
AGAIN = 'while :; do "$@" --block; sleep 0.5; done'


def missing() -> str:
    """Return why there can be no such cluster here, "" if there can be."""
    return no_machines() or ("" if find_spec("ray") else "Ray is not installed")


#: Where the store of the head is, if there is one.
STORE, STORE_PORT = f"{ADDRESS}.50", 6390


def start_store(lab: Lab) -> None:
    """Start Redis on a machine of its own, with its data on its disk."""
    machine = lab.machine("store", STORE)
    options = {"bind": STORE, "port": STORE_PORT, "protected-mode": "no", "appendonly": "yes", "dir": DISK}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    machine.popen(str(shutil.which("redis-server")), *words, log="redis.log")
    until(lambda: machine.processes("redis-server"), 30, "Redis")


class RayMachine(RingMachine):
    """The machine with the disk of a ring. That of ring 1 has the head too; `store`: its state is in Redis."""

    def __init__(self, lab: Lab, ring: int, *, store: bool = False, secured: Secured | None = None) -> None:
        self.environment = ENVIRONMENT | (secured.environment if secured else {})
        self._store = {"RAY_REDIS_ADDRESS": f"{STORE}:{STORE_PORT}"} if store else {}
        self._secured = secured
        super().__init__(lab, ring)

    def switch_on(self) -> None:
        """Start Ray, and the machine if it is off. It may come up later."""
        if not self.machine.on:
            self.machine.start()
        address = f"{ADDRESS}.{self.ring}"
        if self._secured:
            self._secured.equip(self.machine, address)
        own = (*START, f"--resources={json.dumps({f'disk{self.ring}': 1})}", f"--node-ip-address={address}")
        if self.ring == 1:
            head = ("--head", "--no-monitor", f"--port={PORT}", f"--temp-dir={DISK}/ray", "--include-dashboard=false")
            self.machine.run(*own, *head, env=self.environment | self._store, seconds=120)
            return
        again = ("sh", "-c", AGAIN, "ray", *own, f"--address={HOST}:{PORT}")
        self.machine.popen(*again, log="ray.log", env=self.environment)

    def actor(self) -> int:
        """The actor that holds the ring, 0 if there is none."""
        return next(iter(self.machine.processes("ray::RingActor")), 0)

    def raylet(self) -> int:
        """Ray's process for the machine, 0 if there is none."""
        return next(iter(self.machine.processes("raylet/raylet")), 0)


class RayCluster(Cluster):
    """`rings`: their machines are there from the beginning; `store`: that of the head survives the head.

    `away`: rings whose machines are not there yet. `conductor`: the ring on whose machine the crawl is begun. `web`:
    what they crawl; `settings` in addition.
    """

    def __init__(
        self,
        lab: Lab,
        *,
        rings: int = 3,
        away: int = 0,
        store: bool = False,
        conductor: int = 1,
        secured: Secured | None = None,
        web: WebMachine | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.lab, self.web = lab, web or WebMachine(lab)
        self._settings = SETTINGS | {"politeness.address_delay": self.address_delay} | dict(settings or {})
        if store:
            start_store(lab)
        self.rings = {ring: RayMachine(lab, ring, store=store, secured=secured) for ring in range(1, rings + 1)}
        self.machine = self.rings[conductor].machine
        self.environment = self.rings[conductor].environment
        self._founders = rings + away
        self.begin()

    def begin(self, *options: str) -> None:
        """Begin, continue or follow the crawl."""
        if self.members():
            action = ("resume", str(DIRECTORY))
        else:
            settings = [word for name, value in self._settings.items() for word in ("--set", f"{name}={value}")]
            rings = ("--rings", str(self._founders), "--ray", f"{HOST}:{PORT}")
            action = ("crawl", self.web.seed, "-d", str(DIRECTORY), *rings, *settings)
        command = (sys.executable, "-m", "ttcrawl", "cluster", *action, *options, "--progress", "none")
        self._conductor = self.machine.popen(*command, stdout=subprocess.PIPE, text=True, env=self.environment)

    def ended(self, seconds: float = 120) -> str:
        out = super().ended(seconds)
        if out:
            return out.partition(":")[0]
        return str(until(lambda: self._plan().get("finished"), seconds, "the end of the crawl without its command"))

    def conductors(self) -> list[int]:
        return self.machine.processes("ray::ConductorActor")

    def kill_conductor(self) -> int:
        """Kill its process, which Ray starts again; return it."""
        (process,) = until(self.conductors)
        os.kill(process, signal.SIGKILL)
        return int(process)

    def kill_command(self) -> None:
        """Kill the command that looks on."""
        for process in self.machine.processes("-m ttcrawl cluster"):
            os.kill(process, signal.SIGKILL)
        self._conductor.wait(60)

    def interrupted(self) -> str:
        """Press Ctrl-C at the command that looks on; return how the crawl has ended."""
        send(self._conductor, signal.SIGINT)
        return self.ended()

    def elsewhere(self, machine: Machine, action: str, *options: str) -> str:
        """`ttcrawl cluster ACTION DIR` on another machine of the Ray cluster."""
        command = (sys.executable, "-m", "ttcrawl", "cluster", action, str(DIRECTORY), *options)
        return machine.run(*command, seconds=120, env=self.environment)

    def join(self) -> str:
        """Let one more ring join, whose machine is switched on after that; return what the command prints."""
        ring = len(self.rings) + 1
        command = self.commanded("join")
        until(lambda: ring in self.members()["processes"], 60, "the conductor knows of the ring")
        self.rings[ring] = RayMachine(self.lab, ring)
        out, _ = command.communicate(timeout=120)
        return str(out).strip()

    def status(self, machine: Machine | None = None, *options: str) -> Any:
        """What `ttcrawl cluster status` says, on the machine of the conductor or on another one."""
        return json.loads(self.elsewhere(machine or self.machine, "status", "--format", "json", *options))
