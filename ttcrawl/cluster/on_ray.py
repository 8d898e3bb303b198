"""Rings on the machines of a Ray cluster: Ray finds the machine of a ring, starts its process there, carries bytes.

Nothing of a crawl is in Ray. An actor is tied to the machine with the disk of a ring by a custom resource, `disk1` for
ring 1. If it dies, so does the ring, and the conductor starts another one. This is the only module that knows Ray.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from ttcrawl.cluster.distant import Answer, Distant, LateError, LostError, UnreachableError
from ttcrawl.cluster.machine import Machine
from ttcrawl.errors import CrawlFailedError, UsageError

# Ray reads these when it is imported: it is to print nothing about machines that come and go, and to report to nobody.
os.environ |= {"RAY_DEDUP_LOGS": "1", "RAY_DEDUP_LOGS_SKIP_REGEX": ".*", "RAY_USAGE_STATS_ENABLED": "0"}

import ray
from ray.exceptions import ActorUnavailableError, GetTimeoutError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy


class _Actor:
    """The actor of a ring; `address` of the cluster."""

    def __init__(self, ring: int, address: str) -> None:
        self._resource, self._address = f"disk{ring}", address
        actor: Any = ray.remote(Machine)
        self._actor = actor.options(num_cpus=0, max_concurrency=4, resources={self._resource: 1}).remote()

    def submit(self, method: str, *arguments: Any) -> Answer:
        try:
            answer = getattr(self._actor, method).remote(*arguments)
        except RayError as error:
            raise LostError(_first_line(error)) from error
        return lambda seconds: _got(answer, seconds)

    def awaited(self) -> str:
        resources = cast(Callable[[], dict[str, float]], ray.cluster_resources)
        if self._resource in resources():
            return ""
        return _start_line(self._address, self._resource)

    def kill(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self._actor)


def _got(answer: Any, seconds: float) -> Any:
    try:
        return ray.get(answer, timeout=seconds)
    except GetTimeoutError as error:
        raise LateError(_first_line(error)) from error
    except ActorUnavailableError as error:
        raise UnreachableError(_first_line(error)) from error
    except RayError as error:
        raise LostError(_first_line(error)) from error


def connect(address: str) -> None:
    """Join the Ray cluster whose head is at HOST:PORT. Raises UsageError if that is not possible."""
    host, _, port = address.rpartition(":")
    signals = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    quiet: Any = {"log_to_driver": False, "configure_logging": False, "logging_level": "CRITICAL"}
    try:
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            own = connection.getsockname()[0]
        ray.init(address=address, _node_ip_address=own, **quiet)
    except (OSError, ValueError, RuntimeError, RayError) as error:
        reason = " ".join(str(error).split())  # versions that differ take several lines
        raise UsageError(
            f"this machine belongs to no cluster of Ray at {address} ({reason}): begin one"
            " with ray start --head, and join it with ray start --address"
        ) from error
    finally:
        for number, handler in signals.items():
            signal.signal(number, handler)


def launcher(directory: Path, secret: bytes, address: str) -> Callable[[int], Distant]:
    """Return what starts the process of a ring on its machine."""
    return lambda ring: Distant(directory, ring, secret, _Actor(ring, address))


def called(
    address: str, directories: Mapping[int, Path], function: Callable[[Path, bytes], bytes], argument: bytes
) -> Iterator[tuple[int, bytes]]:
    """Call a function of a module on the machine of each ring; yield rings and answers as they come.

    Raises what the function raises, and UsageError if a machine is not there.
    """
    connect(address)
    known = cast(Callable[[], list[dict[str, Any]]], ray.nodes)
    nodes = {name: node["NodeID"] for node in known() if node["Alive"] for name in node["Resources"]}
    for ring in directories:
        if f"disk{ring}" not in nodes:
            raise UsageError(f"the machine of ring {ring} is not there: {_start_line(address, f'disk{ring}')}")
    # the actor of a ring that runs holds its disk, so a task must name the machine instead
    task = ray.remote(num_cpus=0, max_retries=0)(function)
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


def _start_line(address: str, resource: str) -> str:
    """Return the command that starts the machine with a disk."""
    return f"ray start --address={address} --resources='{{\"{resource}\": 1}}'"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
