"""A crawl on the machines of a Ray cluster: its rings and its conductor are named actors that outlive the command.

Ray finds the machine of an actor, starts it again, and carries letters from one to another; nothing of a crawl is in it
but the names. The actor of a ring is tied to the machine with its disk by a custom resource, `disk1` for ring 1, the
conductor to the machine where the crawl was begun. This is the only module that knows Ray.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from ttcrawl.cluster.detached import Conductor
from ttcrawl.cluster.distant import Answer, Distant, LateError, LostError, UnreachableError
from ttcrawl.cluster.machine import Machine
from ttcrawl.cluster.messages import Letter, Renewed, letters_of, posted
from ttcrawl.cluster.plan import handed_over
from ttcrawl.cluster.post import CONDUCTOR
from ttcrawl.cluster.presence import Disks
from ttcrawl.errors import CrawlFailedError, UsageError

# Ray reads these when it is imported: it is to print nothing about machines that come and go, and to report to nobody.
os.environ |= {"RAY_DEDUP_LOGS": "1", "RAY_DEDUP_LOGS_SKIP_REGEX": ".*", "RAY_USAGE_STATS_ENABLED": "0"}

import ray
from ray.exceptions import ActorUnavailableError, GetTimeoutError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

#: Where the names of actors are valid.
NAMESPACE = "ttcrawl"

#: Seconds from one look at the machines that live to the next: of a ring, of the conductor.
RENEWAL, LOOK = 5.0, 1.0

#: Seconds that a ring may take to end that is told to.
END = 30.0

#: Seconds until an actor notices that the process was killed that has started it.
ORPHANED = 0.5

#: Calls of an actor at the same time: each other ring may send one, and some wait for the end of a process.
CALLS = 64

#: Calls to an actor that wait for it: what comes then is lost.
WAITING = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of one crawl: two crawls never meet."""

    id: str
    directory: str

    def of(self, who: int) -> str:
        """Return the name of the actor of a ring, or of the conductor."""
        return f"{'conductor' if who == CONDUCTOR else f'ring {who}'} {self.id} {self.directory}"


def names_of(directory: Path) -> Names | None:
    """Return the names of the crawl whose conductor conducts a directory, wherever it is; None if there is none."""
    for name in _all_names():
        who, id, path = (*name.split(" ", 2), "", "")[:3]
        if who == "conductor" and path == str(directory):
            return Names(id=id, directory=path)
    return None


def _all_names() -> list[str]:
    return [str(name) for name in ray.util.list_named_actors()]


def _machines() -> list[dict[str, Any]]:
    """Return the machines of the cluster that live. Waits while the head is out of reach."""
    nodes = cast(Callable[[], list[dict[str, Any]]], ray.nodes)
    return [node for node in nodes() if node["Alive"]]


# -- actors -----------------------------------------------------------------------------------------------------------


def _is_restarted() -> bool:
    """Whether Ray has started this actor before."""
    return bool(ray.get_runtime_context().was_current_actor_reconstructed)


class _Mail:
    """Sends letters to the actors of a crawl, or loses them."""

    def __init__(self, names: Names, sender: int) -> None:
        self._names, self._sender = names, sender
        self._actors: dict[int, Any] = {}

    def post(self, to: int, letters: Sequence[Letter]) -> None:
        with contextlib.suppress(RayError, ValueError):  # it is away, or not there yet
            if to not in self._actors:
                self._actors[to] = ray.get_actor(self._names.of(to), NAMESPACE)
            self._actors[to].take.options(num_returns=0).remote(posted(letters), self._sender)

    def forget(self) -> None:
        """Look actors up again: another conductor has come."""
        self._actors.clear()


class RingActor(Machine):
    """The actor of a ring."""

    def __init__(self, names: Names, ring: int) -> None:
        self._mail = _Mail(names, ring)
        super().__init__(names.directory, ring, self._mail.post)
        threading.Thread(target=_end_with_parent, daemon=True).start()
        threading.Thread(target=self._renew, daemon=True).start()
        if _is_restarted():
            self.go_on()

    def begin(self, files: Mapping[str, bytes]) -> tuple[str, str]:
        self._mail.forget()
        return super().begin(files)

    def take(self, data: bytes, sender: int) -> None:
        """Take letters of others."""
        self.send(letters_of(data))

    def _renew(self) -> None:
        """Tell the ring when Ray's head names its machine: then it goes on, also without a conductor."""
        own = ray.get_runtime_context().get_node_id()
        while True:
            asked = time.monotonic()
            with contextlib.suppress(Exception):  # the head is out of reach
                if any(machine["NodeID"] == own for machine in _machines()):
                    self.send([Letter(to=self._ring, message=Renewed(asked=asked))])
            time.sleep(RENEWAL)


def _end_with_parent() -> None:
    """End this process with the raylet that has started it: Ray leaves the actors of a raylet that was killed."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    os._exit(1)


class ConductorActor(Conductor):
    """The actor of the conductor."""

    def __init__(self, names: Names, address: str, current: str, *, fresh: bool) -> None:
        """`current`: the directory of the command, from which paths of the configuration begin."""
        os.chdir(current)
        self._names, self._address = names, address
        self._actors: dict[int, _Actor] = {}
        self._mail = _Mail(names, CONDUCTOR)
        new = fresh and not _is_restarted()
        self._disks = Disks()
        threading.Thread(target=self._look, daemon=True).start()
        super().__init__(names.directory, self._launch_ring, self._disks.absence, self._end, fresh=new)

    def take(self, data: bytes, sender: int) -> None:
        """Take letters of a ring."""
        self.send(letters_of(data), sender)

    def _launch_ring(self, ring: int) -> Distant:
        actor = self._actors[ring] = _Actor(self._names, ring, self._address, self._mail)
        return Distant(actor, lambda: handed_over(Path(self._names.directory)))

    def _look(self) -> None:
        while True:
            asked = time.monotonic()
            with contextlib.suppress(Exception):  # the head is out of reach
                there = {name for machine in _machines() for name in machine["Resources"]}
                rings = {int(name[4:]) for name in there if re.fullmatch(r"disk\d+", name)}
                self._disks.answered(rings, asked, time.monotonic())
            time.sleep(LOOK)

    def _end(self) -> None:
        for actor in self._actors.values():
            actor.end()
        ray.kill(ray.get_runtime_context().current_actor, no_restart=True)


class _Actor:
    """The actor of a ring, as the conductor calls it: the one that is there, or a new one."""

    def __init__(self, names: Names, ring: int, address: str, mail: _Mail) -> None:
        self._ring, self._resource = ring, f"disk{ring}"
        self._address, self._mail = address, mail
        self._actor = _created(RingActor, names.of(ring), {self._resource: 1}, names, ring)

    def submit(self, method: str, *arguments: Any) -> Answer:
        return _submitted(self._actor, method, *arguments)

    def send(self, letters: Sequence[Letter]) -> None:
        self._mail.post(self._ring, letters)

    def awaited(self) -> str:
        resources = cast(Callable[[], dict[str, float]], ray.cluster_resources)
        if self._resource in resources():
            return ""
        return _start_line(self._address, self._resource)

    def kill(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self._actor, no_restart=False)

    def end(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self._actor, no_restart=True)


def _created(kind: type, name: str, resources: dict[str, float], *arguments: Any, **more: Any) -> Any:
    """Return the actor with a name, which Ray starts again for ever; a new one if there is none."""
    options: dict[str, Any] = {
        "name": name,
        "namespace": NAMESPACE,
        "lifetime": "detached",
        "get_if_exists": True,
        "max_restarts": -1,
        "max_task_retries": 0,
        "num_cpus": 0,
        "max_concurrency": CALLS,
        "max_pending_calls": WAITING,
        "resources": resources,
    }
    return ray.remote(kind).options(**options).remote(*arguments, **more)


def _submitted(actor: Any, method: str, *arguments: Any, **named: Any) -> Answer:
    try:
        answer = getattr(actor, method).remote(*arguments, **named)
    except RayError as error:
        raise LostError(_first_line(error)) from error
    return lambda seconds: _got(answer, seconds)


def _got(answer: Any, seconds: float | None) -> Any:
    try:
        return ray.get(answer, timeout=seconds)
    except GetTimeoutError as error:
        raise LateError(_first_line(error)) from error
    except ActorUnavailableError as error:
        raise UnreachableError(_first_line(error)) from error
    except RayError as error:
        if isinstance(cause := getattr(error, "cause", None), UsageError):
            raise cause from None
        raise LostError(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _start_line(address: str, resource: str) -> str:
    """Return the command that starts the machine with a disk."""
    return f"ray start --address={address} --resources='{{\"{resource}\": 1}}'"


# -- commands ---------------------------------------------------------------------------------------------------------


def connect(address: str) -> None:
    """Join the Ray cluster whose head is at HOST:PORT. Raises UsageError if that is not possible."""
    host, _, port = address.rpartition(":")
    signals = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    quiet: Any = {"log_to_driver": False, "configure_logging": False, "logging_level": "CRITICAL"}
    try:
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            own = connection.getsockname()[0]
        ray.init(address=address, namespace=NAMESPACE, _node_ip_address=own, **quiet)
    except (OSError, ValueError, RuntimeError, RayError) as error:
        reason = " ".join(str(error).split())  # versions that differ take several lines
        raise UsageError(
            f"this machine belongs to no cluster of Ray at {address} ({reason}): begin one"
            " with ray start --head, and join it with ray start --address"
        ) from error
    finally:
        for number, handler in signals.items():
            signal.signal(number, handler)


class Call:
    """The conductor of a crawl, as a command calls it."""

    def __init__(self, names: Names, actor: Any) -> None:
        self._names, self._actor = names, actor

    def __call__(self, method: str, *arguments: Any, seconds: float = 10.0, **named: Any) -> Any:
        """Return the answer of a method. Raises LostError, UsageError."""
        return _submitted(self._actor, method, *arguments, **named)(seconds)

    def is_there(self) -> bool:
        """Whether the conductor is there, or begins again; True if that is not known."""
        try:
            return self._names.of(CONDUCTOR) in _all_names()
        except RayError:
            return True

    def end(self, *, rings: bool) -> None:
        """End a conductor that does not answer; `rings`: also its rings, which may commit what they have."""
        with contextlib.suppress(RayError):
            ray.kill(self._actor, no_restart=True)
        own = self._names.of(1).split(" ", 2)[2]
        for name in _all_names() if rings else ():
            if name.endswith(f" {own}") and name.startswith("ring "):
                with contextlib.suppress(RayError, ValueError):
                    actor = ray.get_actor(name, NAMESPACE)
                    with contextlib.suppress(RayError):
                        ray.get(actor.hang_up.remote(), timeout=END)
                    ray.kill(actor, no_restart=True)


def submitted(names: Names, address: str, *, fresh: bool) -> Call:
    """Start the conductor on this machine."""
    own = ray.get_runtime_context().get_node_id()
    machine = next(each["NodeManagerAddress"] for each in _machines() if each["NodeID"] == own)
    resources = {f"node:{machine}": 0.001}
    actor = _created(ConductorActor, names.of(CONDUCTOR), resources, names, address, os.getcwd(), fresh=fresh)
    return Call(names, actor)


def conductor_of(names: Names) -> Call | None:
    """Return the conductor, None if there is none."""
    try:
        return Call(names, ray.get_actor(names.of(CONDUCTOR), NAMESPACE))
    except ValueError:
        return None


def called(
    address: str, directories: Mapping[int, Path], function: Callable[[Path, bytes], bytes], argument: bytes
) -> Iterator[tuple[int, bytes]]:
    """Call a function of a module on the machine of each ring; yield rings and answers as they come.

    Raises what the function raises, and UsageError if a machine is not there.
    """
    if not ray.is_initialized():  # a command calls often: it reads an archive record by record
        connect(address)
    nodes = {name: machine["NodeID"] for machine in _machines() for name in machine["Resources"]}
    for ring in directories:
        if f"disk{ring}" not in nodes:
            raise UsageError(f"the machine of ring {ring} is not there: {_start_line(address, f'disk{ring}')}")
    task = _task(function)
    asked = {}
    for ring, directory in directories.items():
        there = NodeAffinitySchedulingStrategy(nodes[f"disk{ring}"], soft=False)
        asked[task.options(scheduling_strategy=there).remote(directory, argument)] = ring
    while asked:
        [answer], _ = ray.wait(list(asked))
        try:
            yield asked.pop(answer), ray.get(answer)
        except RayTaskError as error:
            raise error.cause from None
        except RayError as error:
            raise CrawlFailedError(f"the machine of a ring was lost: {_first_line(error)}") from error


@cache
def _task(function: Callable[[Path, bytes], bytes]) -> Any:
    # the actor of a ring that runs holds its disk, so a task must name the machine instead
    return ray.remote(num_cpus=0, max_retries=0)(function)
