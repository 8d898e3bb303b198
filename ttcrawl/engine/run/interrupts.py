"""Signals that stop a crawl: Ctrl-C, SIGTERM, and SIGHUP of a terminal that is closed."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

STOPPING = "finishing the requests in flight, then stopping; Ctrl-C again stops at once"

#: Seconds from a StopNow that was lost to the next one.
AGAIN = 0.01


class StopNow(BaseException):
    """Raised to end at once, without waiting for requests in flight."""


class Interrupts:
    """While this context is active, signals interrupt only the blocks under `interruptible`.

    The first signal is reported and passed to the `stop` callback. Another one ends the block under `interruptible`. So
    starting or ending processes and closing tables are never interrupted.

    Handlers are installed in the main thread only, and the earlier ones are restored at the end. A SIGHUP that was
    ignored before (nohup) stays ignored.
    """

    def __init__(self, say: Callable[[str], None], stopping: str = STOPPING) -> None:
        self._stopping = stopping
        self.say = say  # reports the first signal to the user
        self._stop: Callable[[str], None] | None = None
        self._signals = 0
        self._may_raise = False
        self._before: dict[int, Any] = {}
        self._unraisable = sys.unraisablehook

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is not threading.main_thread():
            return self  # a program that crawls in another thread handles its signals itself
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before = signal.getsignal(number)  # None: a handler outside Python, which could not be restored
            if before is not None and (number != signal.SIGHUP or before != signal.SIG_IGN):
                self._before[number] = signal.signal(number, self._on_signal)
        if self._before:
            self._unraisable, sys.unraisablehook = sys.unraisablehook, self._on_unraisable
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before:
            sys.unraisablehook = self._unraisable
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def interrupt(self) -> None:
        """Stop in order, as the first signal does. For any thread, before or while the crawl runs."""
        self._signals = max(self._signals, 1)
        if self._stop is not None:
            self._stop("interrupted")

    def lead_to(self, stop: Callable[[str], None]) -> None:
        """Set the function that the first signal calls; call it now if that signal has arrived already."""
        self._stop = stop
        if self._signals:
            stop("interrupted")

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Raise StopNow in this block from the second signal on."""
        self._may_raise = True
        try:
            if self._signals > 1:
                raise StopNow
            yield
        finally:
            self._may_raise = False

    def _on_signal(self, number: int, frame: object) -> None:
        self._signals += 1
        if self._signals > 1:
            if self._may_raise:
                raise StopNow
            return
        if self._stop is not None:
            self._stop("interrupted")
        with contextlib.suppress(RuntimeError):  # the signal arrived while a line was being written
            self.say(self._stopping)

    def _on_unraisable(self, unraisable: Any) -> None:
        """Where Python finalizes an object or calls a weak reference back, an exception ends nothing, and Python
        complains of it: the signal is sent once more."""
        if isinstance(unraisable.exc_value, StopNow):
            threading.Timer(AGAIN, self._send_again).start()
        else:
            self._unraisable(unraisable)

    def _send_again(self) -> None:
        main = threading.main_thread().ident
        if self._may_raise and main is not None:
            signal.pthread_kill(main, signal.SIGINT)
