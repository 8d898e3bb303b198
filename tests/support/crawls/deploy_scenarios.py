"""What the units of docs/deploy/ do on virtual machines: run `inside` (tests/cluster/machines)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from itertools import starmap
from pathlib import Path
from typing import Any

from tests.cluster.machines.cluster import SETTINGS
from tests.cluster.machines.machines import DISK, Lab, Machine, send, until
from tests.cluster.machines.pages import WebMachine, requests
from tests.support.crawls.deployed import DEPLOY, PROGRAMS, UNITS, command, settings

#: Seconds in which a busy machine starts Ray.
START = 120.0

#: Address -> rings whose disks are there; the first is the head's.
ADDRESSES = {"198.18.0.1": 1, "198.18.0.2": 2, "198.18.0.3": 3}
HEAD, *_ = ADDRESSES

#: A machine of another owner in the same network.
STRANGER = "198.18.9.9"

#: Prints the disks of the cluster in one line.
_PROCESS = """
import json, ray
try:
    ray.init("{head}", log_to_driver=False, logging_level="ERROR")
    print(json.dumps(sorted(int(name[4:]) for name in ray.cluster_resources() if name.startswith("disk"))))
except ConnectionError:
    pass  # Ray has said why
"""

#: Has an actor on each disk until it is killed.
_ACTORS = """
import ray, time
ray.init("{head}", log_to_driver=False, logging_level="ERROR")
@ray.remote(num_cpus=0)
class Actor:
    def up(self): return "up"
actors = [Actor.options(resources={{f"disk{{ring}}": 1}}).remote() for ring in (1, 2, 3)]
print(*ray.get([each.up.remote() for each in actors]), flush=True)
time.sleep(1000)
"""

_TOKEN = "0123456789abcdef" * 4


class Service:
    """A unit on a machine: `start` runs its ExecStart, and again whenever it has ended, as Restart=always says."""

    def __init__(self, machine: Machine, name: str) -> None:
        (path,) = (each for each in UNITS if each.name == f"{name}.service")
        address = machine.addresses[0]
        own = {"NODE_ADDRESS": address, "HEAD": f"{HEAD}:6379", "RESOURCES": f'{{"disk{ADDRESSES[address]}":1}}'}
        self.machine, self.env = machine, _with_token(machine, _TOKEN)
        words = command(path, settings("ray.env") | own)
        self._words = [word.replace(PROGRAMS, f"{Path(sys.executable).parent}/") for word in words]
        self._words = [word.replace("/run/", f"{DISK}/") for word in self._words]
        self.start()

    def start(self) -> None:
        self.process: subprocess.Popen[Any] = self.machine.popen(*self._words, log="log", env=self.env)

    def ended(self) -> int:
        """Wait for the end of the main process; end what it leaves, as KillMode=mixed says. Return the status."""
        status = self.process.wait(START)
        for each in self.machine.processes():
            os.kill(each, 9)
        return status


def _with_token(machine: Machine, token: str) -> dict[str, str]:
    (machine.disk / "token").write_text(token)
    return {**settings("ray.env"), "RAY_AUTH_TOKEN_PATH": str(DISK / "token")}


def started(lab: Lab) -> list[Service]:
    """The head and the machines, which have found each other."""
    machines = [lab.machine(f"machine{ring}", address) for address, ring in ADDRESSES.items()]
    services = [Service(machines[0], "ttcrawl-head")]
    services += [Service(each, "ttcrawl-machine") for each in machines[1:]]
    until(lambda: _disks(services[0]) == [1, 2, 3], START)
    return services


def _disks(service: Service) -> list[int]:
    """The disks that the cluster has now, as a process of a machine sees them; none if it cannot connect."""
    lines = re.findall(r"^\[[\d, ]*\]$", _connect(service.machine, service.env), re.MULTILINE)
    return json.loads(lines[-1]) if lines else []


def _connect(machine: Machine, env: Mapping[str, str]) -> str:
    """What a process says that connects to the cluster."""
    words = (sys.executable, "-c", _PROCESS.format(head=f"{HEAD}:6379"))
    process = machine.popen(*words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return process.communicate(timeout=START)[0]


def _ports(machine: Machine) -> list[int]:
    """Ports on which a machine listens at an address that others reach."""
    lines = machine.run("cat", "/proc/net/tcp", "/proc/net/tcp6").splitlines()
    sockets = [line.split()[1].split(":") for line in lines if " 0A " in line]
    return sorted({int(port, 16) for address, port in sockets if address != "0100007F"})


def machines(directory: str) -> dict[str, Any]:
    """The ports of each machine, what a stranger hears, and what is there after a raylet was killed."""
    with Lab(Path(directory)) as lab:
        head, one, two = services = started(lab)
        stranger = lab.machine("stranger", STRANGER)
        words = (sys.executable, "-c", _ACTORS.format(head=f"{HEAD}:6379"))
        actors = head.machine.popen(*words, env=head.env, stdout=subprocess.PIPE, text=True)
        assert actors.stdout is not None
        assert actors.stdout.readline() == "up up up\n"
        ports = [_ports(each.machine) for each in services]
        send(actors)
        without, wrong = _connect(stranger, {"HOME": str(DISK)}), _connect(stranger, _with_token(stranger, "0" * 64))
        (raylet,) = one.machine.processes("raylet/raylet")
        os.kill(raylet, 9)
        status = one.ended()
        gone = until(lambda: _disks(head) == [1, 3], START)
        one.start()
        new = until(lambda: one.machine.processes("raylet/raylet"), START)
        back = until(lambda: _disks(head) == [1, 2, 3], START)
        return {
            "ports": ports,
            "strangers": ["Unauthenticated" in each for each in (without, wrong)],
            "status": status,
            "gone": gone,
            "another": raylet not in new,
            "back": back,
            "two": two.process.poll(),
        }


def head_lost(directory: str) -> dict[str, Any]:
    """Without Redis: how the services end when the head dies, and what is there after each was started again."""
    with Lab(Path(directory)) as lab:
        services = started(lab)
        (directory_of_machines,) = services[0].machine.processes("gcs/gcs_server")
        os.kill(directory_of_machines, 9)
        ends = []
        for each in services:  # the head first
            ends.append(each.ended() != 0)
            each.start()
        return {"ends": ends, "back": until(lambda: _disks(services[0]) == [1, 2, 3], START)}


def crawled(directory: str) -> dict[str, Any]:
    """A crawl that a user begins and stops, and the unit continues, whose main process is killed once."""
    with Lab(Path(directory)) as lab:
        web = WebMachine(lab)
        services = started(lab)
        keys = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
        begin = ("--ray", f"{HEAD}:6379", "--rings", "3", "-d", "news", web.seed, "--progress", "none", *keys)
        user = _ttcrawl(services[0], ["cluster", "crawl", *begin])
        until(lambda: len(requests(web.log())) > 20, START)
        send(user, signal.SIGINT)
        ends = [user.wait(START)]
        (unit,) = (each for each in UNITS if each.name.startswith("ttcrawl-conductor"))
        words = command(unit, {})[1:]
        conductor = _ttcrawl(services[0], words)
        until(lambda: len(requests(web.log())) > 100, START)
        ports = [_ports(each.machine) for each in services]
        send(conductor)
        ends += [conductor.wait(START), _ttcrawl(services[0], words).wait(START)]
        found = requests(web.log())
        wanted = {url for url, (state, _) in web.truth().items() if state in ("fetched", "moved")}
        return {
            "ports": ports,
            "ends": ends,
            "missing": sorted(wanted - {web.url(*key) for key in found}),
            "repeated": sum(found.values()) - len(found),
        }


def _ttcrawl(service: Service, words: list[str]) -> subprocess.Popen[Any]:
    python = ("env", "-C", str(DISK), sys.executable, "-m", "ttcrawl")
    return service.machine.popen(*python, *words, log="conductor", env=service.env)


def containers(directory: str) -> dict[str, Any]:
    """A crawl by the commands of containers, all of which are stopped once."""
    with Lab(Path(directory)) as lab:
        web = WebMachine(lab)
        names = {"head": HEAD, "ring-1": "198.18.0.2", "ring-2": "198.18.0.3"}
        head, *rings = machines = list(starmap(lab.machine, names.items()))
        for each in machines:
            for name in ("conduct", "machine"):
                (each.disk / name).write_text((DEPLOY / name).read_text().replace("/tmp/", f"{DISK}/"))
        keys = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
        conductor = _container(head, "conduct", "news", "2", web.seed, *keys)
        others = [_container(each, "machine") for each in rings]
        until(lambda: len(requests(web.log())) > 20, START)
        send(conductor, signal.SIGTERM)
        ends = [conductor.wait(START)]
        for each in others:
            send(each, signal.SIGTERM)
            each.wait(START)
        for process in (process for each in machines for process in each.processes()):
            os.kill(process, 9)  # all end with the first process of a container
        conductor = _container(head, "conduct", "news", "2", web.seed, *keys)
        others = [_container(each, "machine") for each in rings]
        ends.append(conductor.wait(START))
        found = {web.url(*key) for key in requests(web.log())}
        wanted = {url for url, (state, _) in web.truth().items() if state in ("fetched", "moved")}
        return {"ends": ends, "missing": sorted(wanted - found)}


def _container(machine: Machine, name: str, *arguments: str) -> subprocess.Popen[Any]:
    address = {"NODE_ADDRESS": machine.addresses[0], "HEAD": f"{HEAD}:6379"}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    env = {**_with_token(machine, _TOKEN), **address, "PATH": path}
    return machine.popen("env", "-C", str(DISK), "sh", str(DISK / name), *arguments, log=f"log-{name}", env=env)


def firewall(directory: str, program: str) -> dict[str, bool]:
    """Who reaches a port of Ray, and another one, on a machine with the firewall of the manual."""
    rules = (DEPLOY / "nftables.conf").read_text().replace("10.77.0.", "198.18.0.").replace('"wg0"', '"eth0"')
    with Lab(Path(directory)) as lab:
        head, one, stranger = starmap(lab.machine, (("head", HEAD), ("one", "198.18.0.2"), ("stranger", STRANGER)))
        (head.disk / "rules").write_text(rules)
        head.run(program, "-f", str(DISK / "rules"))
        for port in ("6379", "6499", "80"):
            head.popen(sys.executable, "-m", "http.server", "--bind", HEAD, port, log="log")
            until(lambda port=port: _reaches(head, port))  # type: ignore[misc]
        return {
            f"{machine.name} {port}": _reaches(machine, port)
            for machine in (one, stranger)
            for port in ("6379", "6499", "80")
        }


def _reaches(machine: Machine, port: str) -> bool:
    connect = f"import socket; socket.create_connection(({HEAD!r}, {port}), 3)"
    process = machine.popen(sys.executable, "-c", connect, stderr=subprocess.DEVNULL)
    return process.wait() == 0
