"""What asks a crawl to stop: Ctrl-C, SIGTERM, and a terminal that is closed."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

STOPPING = "ending what is under way, then stopping; Ctrl-C again stops at once"


class StopNow(BaseException):
    """Nothing more is to be waited for."""


class Interrupts:
    """While it is entered nothing is interrupted anywhere: the first signal is told and led on, another one ends what
    stands under `at_once`. A crawl that starts or ends processes of its own, or closes its tables, is never torn.

    Handlers are there in the main thread alone, and those from before come back at the end. A SIGHUP that was ignored
    before (nohup) stays so.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say  # tells the user of the first signal
        self._stop: Callable[[str], None] | None = None
        self._came = 0
        self._may_raise = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is not threading.main_thread():
            return self  # a program that crawls in another thread hears its signals itself
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before = signal.getsignal(number)  # None: what is no Python, and could not be put back
            if before is not None and (number != signal.SIGHUP or before != signal.SIG_IGN):
                self._before[number] = signal.signal(number, self._came_in)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def lead_to(self, stop: Callable[[str], None]) -> None:
        """What the first signal calls, or has called for."""
        self._stop = stop
        if self._came:
            stop("interrupted")

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """From the second signal on StopNow is raised in here."""
        self._may_raise = True
        try:
            if self._came > 1:
                raise StopNow
            yield
        finally:
            self._may_raise = False

    def _came_in(self, number: int, frame: object) -> None:
        self._came += 1
        if self._came > 1:
            if self._may_raise:
                raise StopNow
            return
        if self._stop is not None:
            self._stop("interrupted")
        with contextlib.suppress(RuntimeError):  # it came while a line was being written
            self.say(STOPPING)
