"""DNS look-ups in separate threads, each with a deadline.

A look-up by the system cannot be cancelled: with a dead name server it takes 20 s or more. At the deadline all waiting
callbacks get an error, and the thread continues alone. A second look-up of the same name waits for the same thread. The
crawl process limits how many look-ups wait, and `THREADS` limits how many continue.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct, field

Result = TypeVar("Result")

#: Threads per process: half for look-ups that are awaited, half for those that are past their deadline.
THREADS = 256

#: Stack size of each thread in bytes; the system's name services need some 64 KB.
STACK = 512 << 10


class TooLate(Exception):
    """The look-up did not finish before its deadline."""


#: Receives the result of the look-up, or its error.
Callback: TypeAlias = Callable[[Result | Exception], None]


class _LookUp(Struct, Generic[Result], kw_only=True):
    name: str
    waiting: list[tuple[float, Callback[Result]]] = field(default_factory=list)  # deadline, callback


class LookUps(Generic[Result]):
    """`look_up(name)` for many names concurrently, whatever it raises; shared by all threads of a process."""

    def __init__(
        self,
        look_up: Callable[[str], Result],
        timeout: float,
        clock: Callable[[], float] = time.monotonic,
        threads: int = THREADS,
    ) -> None:
        self._most = threads
        self._look_up = look_up
        self._timeout = timeout
        self._clock = clock
        self._changed = threading.Condition()
        self._queue: deque[_LookUp[Result]] = deque()
        self._by_name: dict[str, _LookUp[Result]] = {}  # queued or in progress
        self._threads = self._idle = 0
        self._closed = False

    def begin(self, name: str, callback: Callback[Result]) -> None:
        """Look up a name; `callback` is called once, from another thread."""
        with self._changed:
            look_up = self._by_name.get(name)
            if look_up is None:
                look_up = self._by_name[name] = _LookUp(name=name)
                self._queue.append(look_up)
                self._changed.notify()
            look_up.waiting.append((self._clock() + self._timeout, callback))
            wanted = self._idle < len(self._queue) and self._threads < self._most
            self._threads += wanted
        if wanted:
            self._start()

    def enforce(self) -> None:
        """Report TooLate to all that are past their deadline. To be called often."""
        late: list[Callback[Result]] = []
        with self._changed:
            now = self._clock()
            for each in list(self._by_name.values()):
                late += [callback for until, callback in each.waiting if until <= now]
                each.waiting = [(until, callback) for until, callback in each.waiting if until > now]
            for each in [each for each in self._queue if not each.waiting]:
                self._queue.remove(each)
                del self._by_name[each.name]
        for callback in late:
            callback(TooLate(f"no answer within {self._timeout:g} s"))

    def close(self) -> None:
        """End the threads, each after its look-up: the process may be a program that crawls again and again."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _start(self) -> None:
        size = threading.stack_size(STACK)
        try:
            threading.Thread(target=self._work, daemon=True).start()
        finally:
            threading.stack_size(size)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while not self._queue:
                    if self._closed:
                        return
                    self._changed.wait()
                self._idle -= 1
                look_up = self._queue.popleft()
            result: Result | Exception
            try:
                result = self._look_up(look_up.name)
            except Exception as error:
                result = error
            with self._changed:
                del self._by_name[look_up.name]
                waiting, look_up.waiting = look_up.waiting, []
            for _, callback in waiting:
                callback(result)


def all_of(
    names: list[str], look_up: Callable[[str], Result], timeout: float, pause: float = 0.02
) -> dict[str, Result | Exception]:
    """Each name with its result or its error; takes about `timeout` seconds at most for every 128 names."""
    lookups, results = LookUps(look_up, timeout), dict[str, Result | Exception]()
    answered = SimpleQueue[tuple[str, Result | Exception]]()
    queue = deque(dict.fromkeys(names))
    begun = 0
    while len(results) < begun or queue:
        while queue and begun - len(results) < THREADS // 2:
            name = queue.popleft()
            begun += 1
            lookups.begin(name, lambda answer, name=name: answered.put((name, answer)))  # type: ignore[misc]
        with suppress(Empty):
            results.update([answered.get(timeout=pause)])
            while True:
                results.update([answered.get_nowait()])
        lookups.enforce()
    lookups.close()
    return results
