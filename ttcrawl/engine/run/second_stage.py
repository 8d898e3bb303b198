"""The second stage of pages whose reading was put off: unread pages -> parse processes -> tables, in small commits."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ttcrawl.config import Config
from ttcrawl.engine import worker_trouble
from ttcrawl.engine.counter_rows import readers_of
from ttcrawl.output.readers import by_reader, read_by
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import PAGE, Failed, Fetched, Read, Request
from ttcrawl.ring.pools import Ring
from ttcrawl.store.sqlite import Store
from ttcrawl.store.unread import UnreadPage
from ttcrawl.vocabulary.reason import NONE, STORE_ERROR, filled

#: Longest sleep, seconds: how soon it sees a Ctrl-C.
TICK = 0.2

#: Unread pages that are looked up at once.
SEGMENT = 500


def readers_since(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Who read HTML pages meanwhile, in words; both are table `crawl`."""
    return read_by(*by_reader(readers_of(now) - readers_of(before)))


class SecondStage:
    """Reads all unread pages. `progress` is called with the number of pages that are done, `say` with messages.

    `unstorable`: URLs whose results an earlier SecondStage could not store, and why.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        ring: Ring[UnreadPage],
        clock: Clock,
        progress: Callable[[int], None],
        say: Callable[[str], None],
        unstorable: Mapping[str, str],
    ) -> None:
        self._config = config
        self._store = store
        self._ring = ring
        self._clock = clock
        self._progress, self._say = progress, say
        self._unstorable = unstorable
        self._pages, self._last = deque[UnreadPage](), 0  # the next ones, and the last URL that was looked up
        self._readers = readers_of(store.about())
        self._token = 0
        self._uncommitted, self._committed_at = 0, clock()
        self._failures = 0  # since the last commit
        self.done = self.failed = 0  # pages; those that failed are counted when they are committed
        self.stopped_by = ""  # "", or the cause for which it ends with unread pages

    def stop(self, why: str) -> None:
        """Begin nothing new; what parse processes have is still stored."""
        self.stopped_by = self.stopped_by or why

    def run(self) -> None:
        """Read until no page is unread or `stop` is called. Raises CrawlFailedError and UnstorableError."""
        self._ring.ready()
        while self._send():
            for message, flight in self._ring.receive(TICK):
                self._take(message, flight)
            settings = self._config.store
            passed = self._clock() - self._committed_at
            if self._uncommitted >= settings.commit_pages or (self._uncommitted and passed >= settings.commit_seconds):
                self._commit()
            self._progress(self.done)
        self._commit()

    def _send(self) -> bool:
        """Give the parse processes work; return whether they have some."""
        while not self.stopped_by and len(self._ring.flights) < self._config.crawl.data_queue:
            if not self._pages:
                self._pages.extend(self._store.unread.after(self._last, SEGMENT))
                if not self._pages:
                    break
                self._last = self._pages[-1].id
            self._launch(self._pages.popleft())
        return bool(self._ring.flights)

    def _launch(self, page: UnreadPage) -> None:
        self._token += 1
        fetched = Fetched(
            token=self._token,
            status=page.status,
            address="",
            started=page.time,
            ended=page.time,
            head_size=0,
            body_size=page.length,
            refused=NONE,
            digest=page.digest,
        )
        request = Request(token=self._token, kind=PAGE, url=page.url, depth=0, not_before=0.0)
        self._ring.read_archived(Read(request=request, fetched=fetched, head=page.record, payload=page.payload), page)

    def _take(self, message: Any, flight: Flight[UnreadPage] | None) -> None:
        if flight is None:
            worker_trouble.note(message, self._store, self._say)
            return
        page, unread = flight.turn, self._store.unread
        if page.url in self._unstorable:
            message = Failed(token=0, reason=filled(STORE_ERROR, self._unstorable[page.url]), detail="", stage="parse")
        if isinstance(message, Failed):
            self._failures += 1
            unread.failed(page.id, message.reason)
        else:
            unread.read(page.id, message)
            if message.reader:
                self._readers[message.reader] += 1
        self.done += 1
        self._uncommitted += 1

    def _commit(self) -> None:
        self._store.set(readers=json.dumps(self._readers))
        self._store.commit()
        self.failed, self._failures = self.failed + self._failures, 0
        if self._store.disk_left() < self._config.crawl.min_disk:
            self.stop("min_disk")
        self._uncommitted, self._committed_at = 0, self._clock()
