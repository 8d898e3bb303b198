"""Virtual machines made of Linux namespaces, for a function that runs `inside`.

    def scenario(directory):
        with Lab(Path(directory)) as lab:
            web, one = lab.machine("web", "198.18.1.1"), lab.machine("one", "198.18.0.1")
            lab.name("198.18.1.1", "a.test", "b.test")
            server = web.popen(sys.executable, "-m", "http.server", "--bind", "198.18.1.1", "80")
            one.unplug()
            one.power_cut()
            one.start()

A machine has its own network, mounts, processes, host name and shared memory; the network is a bridge in the outer
namespace. Addresses are from 198.18.0.0/15, which is reserved for such tests (RFC 2544).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from types import TracebackType
from typing import Any, Self

#: Where each machine has its own disk.
DISK = Path("/srv/disk")

#: The network of all machines.
NETWORK = "198.18.0.0/15"

#: The address of the outer namespace, where the scenario runs.
OUTER = "198.18.255.254"

_BRIDGE, _PREFIX = "lab0", NETWORK.rpartition("/")[2]

_UNSHARE = (
    *("unshare", "--net", "--mount", "--pid", "--uts", "--ipc"),
    *("--fork", "--kill-child", "--mount-proc"),
)

#: The life of the first process of a machine. A tmpfs covers /srv: only root could make a directory there.
_INIT = """
mount -t tmpfs tmpfs /srv; mkdir "$4"; mount --bind "$1" "$4"; mount -t tmpfs tmpfs /dev/shm
mount --bind "$2/hosts" /etc/hosts; mount --bind "$2/resolv.conf" /etc/resolv.conf; hostname "$3"
echo up; exec sleep infinity >/dev/null
"""


class Machine:
    """`disk`: what a power cut leaves, as the scenario sees it; processes of the machine see it as `DISK`."""

    def __init__(self, root: Path, name: str, number: int, addresses: tuple[str, ...]) -> None:
        self._root, self.name, self.addresses = root, name, addresses
        self.disk = root / "disks" / name
        self.disk.mkdir(parents=True)
        self._cable = f"cable{number}"
        self._mac = f"02:00:00:00:{number // 256:02x}:{number % 256:02x}"
        self.start()

    def start(self) -> None:
        """Switch it on; with the hardware address of before, for the others remember it for half a minute."""
        arguments = (str(self.disk), str(self._root), self.name, str(DISK))
        self._power = subprocess.Popen(
            [*_UNSHARE, "sh", "-ec", _INIT, "init", *arguments], stdout=subprocess.PIPE, text=True
        )
        assert self._power.stdout is not None
        assert self._power.stdout.readline() == "up\n", f"{self.name} did not start"
        self._power.stdout.close()
        self.init = children(self._power.pid)[0]
        command("ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.init))
        command("ip", "link", "set", self._cable, "master", _BRIDGE, "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "set", "eth0", "address", self._mac, "up")
        for address in self.addresses:
            self.run("ip", "address", "add", f"{address}/{_PREFIX}", "dev", "eth0")

    # -- processes ----------------------------------------------------------------------------------------------------

    @property
    def enter(self) -> tuple[str, ...]:
        """What precedes a command that runs on this machine."""
        return ("nsenter", "-t", str(self.init), "-n", "-m", "-u", "-i", "-p", "--")

    def run(self, *arguments: str, seconds: float = 60, env: Mapping[str, str] | None = None) -> str:
        """Return what a command writes to stdout. Raises AssertionError if it fails."""
        return command(*self.enter, *arguments, seconds=seconds, env=env)

    def popen(
        self, *arguments: str, log: str = "", env: Mapping[str, str] | None = None, **options: Any
    ) -> subprocess.Popen[Any]:
        """Start a command; `log`: the file on the disk for what it writes, `env`: variables in addition.

        Its exit status is the command's. It is the process that waits for the command, not the command: see `send`.
        """
        if log:
            with open(self.disk / log, "ab") as file:
                return self.popen(*arguments, env=env, stdout=file, stderr=subprocess.STDOUT, **options)
        return subprocess.Popen([*self.enter, *arguments], env=_with(env), **options)

    def processes(self, text: str = "") -> list[int]:
        """Ids of its processes whose command line has this text, as the scenario sees them, the oldest first."""
        namespace = os.readlink(f"/proc/{self.init}/ns/pid")
        found = []
        for each in sorted(int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
            with suppress(OSError):
                line = Path(f"/proc/{each}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if each != self.init and line and text in line and os.readlink(f"/proc/{each}/ns/pid") == namespace:
                    found.append(each)
        return found

    # -- failures -----------------------------------------------------------------------------------------------------

    @property
    def on(self) -> bool:
        return self._power.poll() is None

    def power_cut(self) -> None:
        """End all of its processes at once; nobody sends or resets anything."""
        os.kill(self.init, signal.SIGKILL)
        self._power.wait()
        subprocess.run(["ip", "link", "delete", self._cable], capture_output=True)  # often gone with the machine

    def wipe(self) -> None:
        """Replace the disk by an empty one; the machine is off."""
        assert not self.on
        shutil.rmtree(self.disk)
        self.disk.mkdir()

    def unplug(self) -> None:
        """Take the cable out."""
        command("ip", "link", "set", self._cable, "down")

    def plug(self) -> None:
        command("ip", "link", "set", self._cable, "up")


class Lab:
    """`machines`: all of them, those that are off too. `directory`: must be empty, holds the disks."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.machines = directory, list[Machine]()
        self._split: list[tuple[Machine, str]] = []
        (directory / "hosts").write_text("127.0.0.1 localhost\n")
        (directory / "resolv.conf").write_text("")

    def __enter__(self) -> Self:
        command("ip", "link", "set", "lo", "up")
        command("ip", "link", "add", _BRIDGE, "type", "bridge")
        command("ip", "link", "set", _BRIDGE, "up")
        command("ip", "address", "add", f"{OUTER}/{_PREFIX}", "dev", _BRIDGE)
        command("mount", "--bind", str(self.directory / "hosts"), "/etc/hosts")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self.machines:
            if each.on:
                each.power_cut()

    def machine(self, name: str, *addresses: str) -> Machine:
        """Return a new machine that is on."""
        machine = Machine(self.directory, name, len(self.machines) + 1, addresses)
        self.machines.append(machine)
        return machine

    def name(self, address: str, *names: str) -> None:
        """Give an address names, on all machines and for the scenario."""
        with open(self.directory / "hosts", "a") as file:
            file.write(f"{address} {' '.join(names)}\n")

    def split(self, side: Iterable[Machine], other: Iterable[Machine]) -> None:
        """Let every packet between two groups of machines be lost, without an error; third ones reach both."""
        for one, two in product(side, other):
            for here, there in ((one, two), (two, one)):
                for address in there.addresses:
                    # A neighbour with a hardware address that nobody has.
                    neighbour = (address, "lladdr", "02:ff:ff:ff:ff:ff", "dev", "eth0", "nud", "permanent")
                    here.run("ip", "neighbour", "replace", *neighbour)
                    self._split.append((here, address))

    def heal(self) -> None:
        """Undo all splits; a machine that was switched on in between has none."""
        for machine, address in self._split:
            with suppress(AssertionError):
                machine.run("ip", "neighbour", "delete", address, "dev", "eth0")
        self._split.clear()


def command(*arguments: str, seconds: float = 60, env: Mapping[str, str] | None = None) -> str:
    """Return what a command writes to stdout. Raises AssertionError if it fails."""
    ended = subprocess.run(arguments, capture_output=True, text=True, timeout=seconds, env=_with(env))
    assert ended.returncode == 0, f"{' '.join(arguments)}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
    return ended.stdout


def children(pid: int) -> list[int]:
    """Return the ids of a process's children."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def send(process: subprocess.Popen[Any], number: int = signal.SIGKILL) -> None:
    """Send a signal to a command that `Machine.popen` has started; nothing if it has ended."""
    with suppress(OSError):
        for child in children(process.pid):
            os.kill(child, number)


def until(condition: Callable[[], Any], seconds: float = 60, what: str = "") -> Any:
    """Return the first true result of a condition. Raises AssertionError if there is none in time."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < end, f"not within {seconds:.0f} s: {what or condition}"
        time.sleep(0.02)
    return result


def _with(env: Mapping[str, str] | None) -> dict[str, str]:
    return {**os.environ, **(env or {})}
