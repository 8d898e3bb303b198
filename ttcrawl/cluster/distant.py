"""The process of a ring on another machine, as the conductor sees it: letters by calls of an actor, no connection."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ttcrawl.cluster.messages import AnyMessage, Letter, Said
from ttcrawl.cluster.post import CONDUCTOR

#: Seconds until the user reads what a ring waits for; seconds from a call that was not possible to the next one.
SILENCE, AGAIN = 10.0, 0.5


class LostError(Exception):
    """An actor answers no more."""


class UnreachableError(LostError):
    """It does not answer now: its machine is out of reach, or begins again."""


class LateError(UnreachableError):
    """It has not answered in time; the same answer may still come."""


#: Waits for the answer to a call for some seconds, None: for ever. Raises LostError.
Answer: TypeAlias = Callable[[float | None], Any]


class Actor(Protocol):
    """A Machine somewhere."""

    def submit(self, method: str, *arguments: Any) -> Answer:
        """Call a method. Raises LostError."""

    def send(self, letters: Sequence[Letter]) -> None:
        """Send letters to its ring, or lose them."""

    def awaited(self) -> str:
        """Return the command that starts its machine, if that is not there; else ""."""

    def kill(self) -> None:
        """End it with its ring. The engine starts both again."""


class Wire:
    """The letters of a ring, as a courier has them: threads put in what has come."""

    def __init__(self, post: Callable[[Sequence[Letter]], None]) -> None:
        self._post = post
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._open = threading.Lock()  # who has it may use the event
        self._come: deque[Letter] = deque()
        self._outgoing: list[Letter] = []
        self._over = self.closed = False

    def fileno(self) -> int:
        return self._event

    def put(self, letters: Sequence[Letter]) -> None:
        """Take letters of the ring."""
        self._come.extend(letters)
        self._wake()

    def end(self) -> None:
        """Take note that no more will come."""
        self._over = True
        self._wake()

    def _wake(self) -> None:
        with self._open:
            if self._event >= 0:
                os.eventfd_write(self._event, 1)

    def send(self, to: int, message: AnyMessage) -> None:
        self._outgoing.append(Letter(to=to, message=message))

    def flush(self) -> None:
        if self._outgoing:
            self._post(self._outgoing)
            self._outgoing = []

    def receive(self) -> list[Letter]:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._event)
        over = self._over
        letters = [self._come.popleft() for _ in range(len(self._come))]
        self.closed = over
        return letters

    def close(self) -> None:
        if not self.closed:
            self.flush()
        self.closed = True
        with self._open:
            if self._event >= 0:
                os.close(self._event)
            self._event = -1


class Distant:
    """The process of a ring on another machine: see `Running`. A thread begins it and waits for its end."""

    def __init__(self, actor: Actor, files: Callable[[], Mapping[str, bytes]]) -> None:
        """`files`: what its machine needs."""
        self._actor = actor
        self._end = ""
        self.courier = Wire(actor.send)
        self.errors = None
        self.name = "not begun"
        self.waits = True
        self.trouble = ""
        self._life = threading.Thread(target=self._live, args=(files(),), daemon=True)
        self._life.start()

    def ended(self) -> str | None:
        return self._end or None

    def kill(self) -> None:
        if not self.waits:
            self._actor.kill()
        self._over("was killed")

    def close(self, end: float) -> None:
        """Let the ring end if it has not: its connection ends, nothing else. The actor stays."""
        self.courier.close()
        if not self._end:
            with contextlib.suppress(LostError):
                self._actor.submit("hang_up")
            self._life.join(max(0.0, end - time.monotonic()))
            self._over("was left")

    def deliver(self, letters: Sequence[Letter]) -> None:
        """Take letters of the ring for the conductor."""
        self.courier.put(letters)

    # -- in its thread --------------------------------------------------------------------------------------------

    def _live(self, files: Mapping[str, bytes]) -> None:
        try:
            while not self._end:
                try:
                    self._watch(files)
                except UnreachableError:
                    self.waits = True
                    time.sleep(AGAIN)
        except LostError as error:
            self._over(f"was lost with its machine ({error})")

    def _watch(self, files: Mapping[str, bytes]) -> None:
        """Begin the ring, or find it, and wait for its end."""
        name, self.trouble = self._begun(files)
        if self.trouble:
            self._over("has not begun")
        elif not self._end and self.name not in ("not begun", name):
            self._over("was lost with its machine")
        self.name, self.waits = name, False
        while not self._end:
            how, last = self._actor.submit("ended", name)(None)
            if last is not None:
                self.courier.put([Letter(to=CONDUCTOR, message=last)])
            if how:
                self._over(how)

    def _begun(self, files: Mapping[str, bytes]) -> tuple[str, str]:
        answer, named = self._actor.submit("begin", files), False
        while not self._end:
            try:
                name, trouble = answer(SILENCE)
                return name, trouble
            except LateError:
                if not named and (start := self._actor.awaited()):
                    named = True
                    text = f"waits for its machine: start it there with {start}\n".encode()
                    self.courier.put([Letter(to=CONDUCTOR, message=Said(text=text))])
        return "", self._end

    def _over(self, end: str) -> None:
        self._end = self._end or end
        self.courier.end()
