"""Rings on the machines of a Ray cluster: Ray finds the machine of a ring, starts its process there, carries bytes.

Nothing of a crawl is in Ray. An actor has a ring's process as its child and passes on the bytes of its connection,
whose frames only the conductor and the ring can write. It is tied to the machine with the disk of the ring by a custom
resource, `disk1` for ring 1. If it dies, so does the ring, and the conductor starts another one. This is the only
module that knows Ray.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.member import FENCE
from ttcrawl.cluster.plan import handed_over, receive_files
from ttcrawl.cluster.process import how, spawn
from ttcrawl.errors import UsageError, plain

# Ray reads these when it is imported: it is to print nothing about machines that come and go, and to report to nobody.
os.environ |= {"RAY_DEDUP_LOGS": "1", "RAY_DEDUP_LOGS_SKIP_REGEX": ".*", "RAY_USAGE_STATS_ENABLED": "0"}

import ray
from ray.exceptions import ActorUnavailableError, GetTimeoutError, RayError

#: Seconds that an actor waits for bytes of its ring before it answers that there are none.
WAIT = 1.0

#: Seconds until a call without an answer is repeated; seconds until the user reads what a ring waits for.
AGAIN, SILENCE = 10.0, 10.0

#: Seconds until an actor notices that its raylet was killed.
ORPHANED = 0.5

#: Most bytes that are carried at once.
PIECE = 1 << 20

#: Seconds that the process of a ring may take to end after its connection.
END = 20.0


class Machine:
    """An actor: the machine of a ring, with the ring's process. Calls have numbers: a repeated one changes nothing."""

    def __init__(self) -> None:
        self._put, self._taken = 0, (0, b"", b"", "")
        self._putting, self._taking = threading.Lock(), threading.Lock()
        threading.Thread(target=_end_with_parent, daemon=True).start()

    def begin(self, directory: str, ring: int, files: Mapping[str, bytes]) -> tuple[str, str]:
        """Start the process of a ring; return its name and "", or "" and why it cannot be started."""
        try:
            receive_files(Path(directory), ring, files)
            self._process, self._connection = spawn(Path(directory), ring)
        except (OSError, UsageError) as error:
            return "", plain(error)
        self._connection.settimeout(FENCE)
        return f"process {self._process.pid} on {socket.gethostname()}", ""

    def put(self, number: int, data: bytes) -> None:
        """Pass bytes on to the ring."""
        with self._putting, contextlib.suppress(OSError):  # it has ended, which `take` tells
            if number > self._put:
                self._put = number
                self._connection.sendall(data)

    def hang_up(self) -> None:
        """End the connection of the ring, which ends with it."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def take(self, number: int) -> tuple[int, bytes, bytes, str]:
        """Return the number, bytes of the ring, what it writes for the user, and how it has ended, "" while it runs."""
        with self._taking:
            if number > self._taken[0]:
                self._taken = (number, *self._received())
            return self._taken

    def _received(self) -> tuple[bytes, bytes, str]:
        errors = self._process.stderr
        assert errors is not None
        files = self._connection.fileno(), errors.fileno()
        come, _, _ = select.select(files, (), (), WAIT)
        lines, data = errors.read(PIECE) or b"", b""
        if files[0] not in come:
            return data, lines, ""
        with contextlib.suppress(OSError):
            data = self._connection.recv(PIECE)
        if data:
            return data, lines, ""
        status = self._last_status()
        return data, lines + (errors.read() or b""), how(status)

    def _last_status(self) -> int:
        try:
            return self._process.wait(END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _end_with_parent() -> None:
    """End this process with the raylet that has started it: Ray leaves the actors of a raylet that was killed."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    os._exit(1)


class _Distant:
    """The process of a ring on another machine: see `Running`. Two threads carry its bytes."""

    def __init__(self, directory: Path, ring: int, secret: bytes, address: str) -> None:
        self._ring, self._address, self._end = ring, address, ""
        ours, self._theirs = socket.socketpair()
        self.courier = Courier(ours, secret, first=True)
        self.errors, self._lines = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.name, self.waits, self.trouble = "not begun", True, ""
        actor: Any = ray.remote(Machine)
        self._actor = actor.options(num_cpus=0, max_concurrency=4, resources={f"disk{ring}": 1}).remote()
        self._life = threading.Thread(target=self._live, args=(str(directory), handed_over(directory)), daemon=True)
        self._life.start()

    def ended(self) -> str | None:
        return self._end or None

    def kill(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self._actor)
        self._over("was killed")

    def close(self, end: float) -> None:
        self.courier.close()
        self._life.join(max(0.0, end - time.monotonic()))
        self.kill()
        os.close(self.errors)  # the rest is closed by the threads, which may wait for a machine that is out of reach

    # -- in its threads -------------------------------------------------------------------------------------------

    def _live(self, directory: str, files: Mapping[str, bytes]) -> None:
        sender = threading.Thread(target=self._send, daemon=True)
        try:
            self.name, self.trouble = self._begun(self._actor.begin.remote(directory, self._ring, files))
            self.waits = False
            if self.trouble:
                self._over("has not begun")
                return
            sender.start()
            self._receive()
        except RayError as error:
            self._over(f"was lost with its machine ({_first_line(error)})")
        finally:
            if sender.ident is not None:
                sender.join()
            self._theirs.close()
            os.close(self._lines)

    def _begun(self, started: Any) -> tuple[str, str]:
        named, resources = False, cast(Callable[[], dict[str, float]], ray.cluster_resources)
        while not self._end:
            try:
                name, trouble = ray.get(started, timeout=SILENCE)
                return name, trouble
            except GetTimeoutError:
                if not named and (resource := f"disk{self._ring}") not in resources():
                    named = True
                    start = f"ray start --address={self._address} --resources='{{\"{resource}\": 1}}'"
                    self._say(f"waits for its machine: start it there with {start}\n".encode())
        return "", self._end

    def _receive(self) -> None:
        number, end = 0, ""
        while not end and not self._end:
            number += 1
            _, data, lines, end = self._called(self._actor.take, number)
            self._say(lines)
            with contextlib.suppress(OSError):  # the conductor has closed it
                self._theirs.sendall(data)
        self._over(end)

    def _send(self) -> None:
        number = 0
        with contextlib.suppress(OSError, RayError):  # `_receive` ends with the same error
            while data := self._theirs.recv(PIECE):
                number += 1
                self._called(self._actor.put, number, data)
            self._called(self._actor.hang_up)

    def _called(self, method: Any, *arguments: Any) -> Any:
        """Return the answer to a call, which is repeated while the actor is out of reach."""
        end = time.monotonic() + FENCE
        while True:
            try:
                return ray.get(method.remote(*arguments), timeout=AGAIN)
            except (ActorUnavailableError, GetTimeoutError):
                if time.monotonic() > end or self._end:
                    raise
                time.sleep(0.2)

    def _say(self, lines: bytes) -> None:
        with contextlib.suppress(OSError):  # the conductor has closed it, or does not read for some time
            os.write(self._lines, lines)

    def _over(self, end: str) -> None:
        self._end = self._end or end
        with contextlib.suppress(OSError):
            self._theirs.shutdown(socket.SHUT_RDWR)


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
            f"there is no cluster of Ray at {address} that this machine belongs to ({reason}): begin one"
            " with ray start --head, and join it with ray start --address"
        ) from error
    finally:
        for number, handler in signals.items():
            signal.signal(number, handler)


def launcher(directory: Path, secret: bytes, address: str) -> Callable[[int], _Distant]:
    """Return what starts the process of a ring on its machine."""
    return lambda ring: _Distant(directory, ring, secret, address)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
