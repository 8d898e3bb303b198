"""The records of archives in the order of their times: parse processes read several at once, and their results are
stored in that order, so that the same records always give the same crawl."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ttcrawl.archives.settle import Answer, ArchiveSettler, Tally
from ttcrawl.engine import counter_rows, worker_trouble
from ttcrawl.engine.run.growth import next_sample, sample
from ttcrawl.engine.shared import Shared
from ttcrawl.ring.messages import NOT_FOLLOWED, ROBOTS, Broken, Fetched, Recall, Request, Trouble
from ttcrawl.ring.pools import Ring
from ttcrawl.vocabulary.reason import NONE, TOO_LARGE, TRUNCATED
from ttcrawl.web.url import host as host_of

#: Longest sleep, seconds: how soon it sees a Ctrl-C.
TICK = 0.2

#: Records in flight, for each parse process: as many as may be read before the slowest of them is.
AHEAD = 24

#: Bytes of their blocks at most.
BYTES_AHEAD = 64 << 20

#: Records whose results are one transaction.
COMMIT = 1_000


class Waiting(Struct, kw_only=True):
    """A record in flight, in the order in which it is processed."""

    answer: Answer
    request: Request | None  # None: it is not read
    message: Any = None


class Replay:
    """`progress` is called with the number of records that are done, `say` with messages."""

    def __init__(
        self,
        shared: Shared,
        ring: Ring[Waiting],
        settler: ArchiveSettler,
        tally: Tally,
        before_commit: Sequence[Callable[[], None]],
        progress: Callable[[int], None],
        say: Callable[[str], None],
    ) -> None:
        self._shared, self._ring = shared, ring
        self._store = shared.store
        self._settler, self._tally = settler, tally
        self._before_commit = before_commit
        self._progress, self._say = progress, say
        self._most = shared.config.fetch.max_body
        self._room = AHEAD * max(1, shared.config.crawl.parsers)
        self._queue = deque[Waiting]()
        self._bytes = 0  # of the blocks of the queue
        self._token = self._uncommitted = 0
        self._first = self._last = 0.0  # times of the records
        self._next_sample = 0
        self._before = float(self._store.about()["seconds"])
        self.stopped_by = ""  # "", or the cause for which it ends with records left

    def stop(self, why: str) -> None:
        """Begin nothing new; what parse processes have is still stored."""
        self.stopped_by = self.stopped_by or why

    def run(self, answers: Iterator[Answer]) -> None:
        """Process all records. Raises CrawlFailedError and UnstorableError."""
        self._ring.ready()
        more = True
        while more or self._queue:
            more = more and not self.stopped_by and self._send(answers)
            self._receive()
            while self._queue and (self._queue[0].message is not None or self._queue[0].request is None):
                self._settle(self._queue.popleft())
            self._progress(self._tally.answers)
        self._sample()
        self.commit(last=True)

    def _send(self, answers: Iterator[Answer]) -> bool:
        """Give the parse processes work; return whether there may be more."""
        while len(self._queue) < self._room and self._bytes < BYTES_AHEAD:
            answer = next(answers, None)
            if answer is None:
                return False
            self._launch(answer)
        return True

    def _launch(self, answer: Answer) -> None:
        entry = answer.entry
        if answer.confirms or entry.size > 2 * self._most:
            self._queue.append(Waiting(answer=answer, request=None))
            return
        self._token += 1
        row = self._settler.row_of(answer.url)
        depth = 0 if row is None else NOT_FOLLOWED if row.depth is None else row.depth
        request = Request(
            token=self._token,
            kind=answer.kind,
            url=answer.url,
            depth=depth,
            not_before=0.0,
            requisite=row.requisite if row else 0,
            sitemap=bool(row and row.sitemap),
            asker=host_of(answer.url) if answer.kind == ROBOTS else "",
        )
        fetched = Fetched(
            token=self._token,
            status=0,
            address=entry.address,
            started=entry.time,
            ended=entry.time,
            head_size=0,
            body_size=entry.size,
            refused=TOO_LARGE if entry.truncated == "length" and answer.payload is None else NONE,
            incomplete=TRUNCATED if entry.truncated not in ("", "length") else NONE,
        )
        waiting = Waiting(answer=answer, request=request)
        self._queue.append(waiting)
        self._bytes += entry.size
        work = Recall(request=request, fetched=fetched, head=answer.where, payload=answer.payload)
        self._ring.read_archived(work, waiting)

    def _receive(self) -> None:
        if not self._ring.flights:
            return
        for message, flight in self._ring.receive(TICK):
            if flight is not None:
                flight.turn.message = message
            elif isinstance(message, Broken | Trouble):
                worker_trouble.note(message, self._store, self._say)

    def _settle(self, waiting: Waiting) -> None:
        answer = waiting.answer
        self._first = self._first or answer.entry.time
        self._last = max(self._last, answer.entry.time)
        if waiting.request is not None:
            self._bytes -= answer.entry.size
        self._tally.answers += 1
        if not self._store.answers.imports.is_new(answer.key):  # another file of this import has it too
            self._tally.known += 1
        elif waiting.request is None and not answer.confirms:
            self._settler.too_large(answer)
        else:
            self._settler.settle(answer, waiting.request, waiting.message)
        self._uncommitted += 1
        if self._shared.counters.pages >= self._next_sample:
            self._sample()
        if self._uncommitted >= COMMIT:
            self.commit()

    @property
    def _seconds(self) -> float:
        return self._before + self._last - self._first

    def _sample(self) -> None:
        self._store.answers.add_growth(sample(self._seconds, self._shared))
        self._next_sample = next_sample(self._shared.counters.pages)

    def commit(self, *, last: bool = False) -> None:
        """Commit one transaction: outcomes, discovered URLs, visits, and the counts of hosts.

        `last`: no record follows.
        """
        shared = self._shared
        self._settler.before_commit()
        for before in self._before_commit:
            before()
        self._store.set(
            seconds=round(self._seconds, 6),
            **counter_rows.rows(shared.counters, shared.ledger, shared.frontier, shared.seen.figures),
            **self._tally.seeds.row(last=last),
        )
        self._store.commit()
        if shared.seen.due(shared.ledger.last_id):
            shared.seen.save(self._store.seen_file, shared.ledger.last_id)
        if self._store.disk_left() < shared.config.crawl.min_disk:
            self.stop("min_disk")
        self._uncommitted = 0
