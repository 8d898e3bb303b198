"""A crawl for programs with an event loop (asyncio): it runs in a thread of its own, and hands out its events.

The events come from the database, which is the queue: whoever takes them slowly neither delays the crawl nor fills the
memory, and each event is handed out after it was committed.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ttcrawl.engine.run.interrupts import Interrupts
from ttcrawl.output.display import tell
from ttcrawl.store.events import events_after, last_event

#: Seconds between two looks for new events, and events that are in memory at a time.
PAUSE, BATCH = 0.1, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What became of a URL that was requested, or refused when it was due. Times are seconds since the epoch.

    `depth` is None for what is only a page requisite, `found_on` for seeds. `status`, `type`, `title`, `length` (bytes)
    and `location` are of the answer, None if there is none. `fields` and `score` are from the hook for pages.
    """

    id: int
    time: float
    url: str
    state: str
    reason: str
    depth: int | None
    found_on: str | None
    status: int | None
    type: str | None
    title: str | None
    length: int | None
    location: str | None
    fields: dict[str, Any] | None = field(hash=False)
    score: float | None


class AsyncCrawl:
    """A crawl in `directory`, as an asynchronous iterator of `Event`. It begins with the first event that is awaited.

    If the loop over it is left by `break`, an error or a cancelled task, the crawl finishes the requests in flight and
    commits, as after Ctrl-C: `ttcrawl.resume` continues it. `aclose` waits for that. It can be iterated once.
    """

    def __init__(self, directory: Path, run: Callable[[Interrupts], object]) -> None:
        """`run` crawls until the end, or until it is interrupted."""
        self.directory = directory
        self._events = _events(directory / "crawl.db", run)

    def __aiter__(self) -> AsyncGenerator[Event, None]:
        return self._events

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def aclose(self) -> None:
        """End the crawl in order, and wait for it."""
        await self._events.aclose()


async def _events(database: Path, run: Callable[[Interrupts], object]) -> AsyncGenerator[Event, None]:
    last = await asyncio.to_thread(last_event, database)
    running = _Running(run)
    running.start()
    try:
        ended = False
        while not ended:
            ended = await running.ended(PAUSE)
            while events := await asyncio.to_thread(_committed, database, last):
                for row in events:
                    last = row["id"]
                    yield Event(**row | {"fields": json.loads(row["fields"] or "null")})
        if error := running.taken_error():
            raise error
    finally:
        running.interrupts.interrupt()
        await running.ended()
        if error := running.taken_error():
            tell(str(error))


def _committed(database: Path, last: int) -> list[dict[str, Any]]:
    """The next events; none while the crawl is still beginning."""
    return events_after(database, last, BATCH) if database.exists() else []


class _Running(threading.Thread):
    """A crawl that runs."""

    def __init__(self, run: Callable[[Interrupts], object]) -> None:
        super().__init__(name="ttcrawl")
        self._run = run
        self._error: BaseException | None = None
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self.interrupts = Interrupts(lambda line: None)

    def run(self) -> None:
        try:
            self._run(self.interrupts)
        except BaseException as error:
            self._error = error
        with suppress(RuntimeError):  # the loop was closed
            self._loop.call_soon_threadsafe(self._over.set)

    async def ended(self, seconds: float | None = None) -> bool:
        """Wait until the crawl has ended, or so many seconds. Return whether it has."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)
        if self._over.is_set():
            self.join()  # it does nothing any more
        return self._over.is_set()

    def taken_error(self) -> BaseException | None:
        """Return the error that ended the crawl, once."""
        error, self._error = self._error, None
        return error
