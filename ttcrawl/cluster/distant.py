"""The process of a ring on another machine, as the conductor sees it. Two threads carry its bytes by any actor."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.machine import PIECE
from ttcrawl.cluster.member import FENCE
from ttcrawl.cluster.plan import handed_over

#: Seconds until a call without an answer is repeated; seconds until the user reads what a ring waits for.
AGAIN, SILENCE = 10.0, 10.0


class LostError(Exception):
    """An actor answers no more."""


class UnreachableError(LostError):
    """It does not answer now."""


class LateError(UnreachableError):
    """It has not answered in time; the same answer may still come."""


#: Waits for the answer to a call for some seconds. Raises LostError.
Answer: TypeAlias = Callable[[float], Any]


class Actor(Protocol):
    """A Machine somewhere. Calls have numbers there: a repeated one changes nothing."""

    def submit(self, method: str, *arguments: Any) -> Answer:
        """Call a method. Raises LostError."""

    def awaited(self) -> str:
        """Return the command that starts its machine, if that is not there; else ""."""

    def kill(self) -> None: ...


class Distant:
    """The process of a ring on another machine: see `Running`. Two threads carry its bytes."""

    def __init__(self, directory: Path, ring: int, secret: bytes, actor: Actor) -> None:
        self._ring = ring
        self._actor = actor
        self._end = ""
        ours, self._theirs = socket.socketpair()
        self.courier = Courier(ours, secret, first=True)
        self.errors, self._lines = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.name = "not begun"
        self.waits = True
        self.trouble = ""
        self._life = threading.Thread(target=self._live, args=(str(directory), handed_over(directory)), daemon=True)
        self._life.start()

    def ended(self) -> str | None:
        return self._end or None

    def kill(self) -> None:
        self._actor.kill()
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
            self.name, self.trouble = self._begun(self._actor.submit("begin", directory, self._ring, files))
            self.waits = False
            if self.trouble:
                self._over("has not begun")
                return
            sender.start()
            self._receive()
        except LostError as error:
            self._over(f"was lost with its machine ({error})")
        finally:
            if sender.ident is not None:
                sender.join()
            self._theirs.close()
            os.close(self._lines)

    def _begun(self, answer: Answer) -> tuple[str, str]:
        named = False
        while not self._end:
            try:
                name, trouble = answer(SILENCE)
                return name, trouble
            except LateError:
                if not named and (start := self._actor.awaited()):
                    named = True
                    self._say(f"waits for its machine: start it there with {start}\n".encode())
        return "", self._end

    def _receive(self) -> None:
        number, end = 0, ""
        while not end and not self._end:
            number += 1
            _, data, lines, end = self._called("take", number)
            self._say(lines)
            with contextlib.suppress(OSError):  # the conductor has closed it
                self._theirs.sendall(data)
        self._over(end)

    def _send(self) -> None:
        number = 0
        with contextlib.suppress(OSError, LostError):  # `_receive` ends with the same error
            while data := self._theirs.recv(PIECE):
                number += 1
                self._called("put", number, data)
            self._called("hang_up")

    def _called(self, method: str, *arguments: Any) -> Any:
        """Return the answer to a call, which is repeated while the actor is out of reach."""
        end = time.monotonic() + FENCE
        while True:
            try:
                return self._actor.submit(method, *arguments)(AGAIN)
            except UnreachableError:
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
