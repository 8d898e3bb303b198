"""The two pools together: a Request goes in, its Fetched and then its outcome come out.

The crawl process is the hub. A fetch process reports that a request ended, and the slot of its bytes. When the crawl
process wants them parsed, the message goes to the parse process with the least work. So the data queue between the
pools is the slots, limited by their number. The process of every URL in flight is known: when one dies, only its work
is repeated, and a page that was fetched is not fetched again.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import Struct, structs

from ttcrawl.config import Config
from ttcrawl.ring.choice import ParserChoice
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import (
    RESOLVE,
    Broken,
    Converting,
    Extract,
    Extracted,
    Failed,
    Fetched,
    IdenticalBody,
    Read,
    ReadPage,
    Ready,
    Recall,
    Recalled,
    Request,
    Trouble,
)
from ttcrawl.ring.poll import readable
from ttcrawl.ring.pool import DEATHS, NICE, HopelessError, Worker
from ttcrawl.ring.position import Archives, Position
from ttcrawl.ring.process import processor_seconds
from ttcrawl.ring.sizes import IDLE, SPARE, Demand, fetchers, first_parsers, in_flight, most_parsers
from ttcrawl.ring.slots import Free, Slots
from ttcrawl.ring.stuck import STRIKES, late_fetch, strikes
from ttcrawl.ring.waiting import Waiting
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.address import Pairs
from ttcrawl.web.scope import Scope
from ttcrawl.web.url import host, registrable_domain

#: Bytes of a body that is likely to take longer than others may wait: 0.1 s if all is recorded.
LONG = 1 << 20

#: Messages that are about no request, and outcomes without a record. To combine types takes as long as to test them.
WITHOUT_FLIGHT, NOT_ARCHIVED = Broken | Trouble, Failed | ReadPage | Extracted | Recalled

#: Seconds between two checks for processes that are stuck.
CHECK = 0.25

#: Seconds until a process whose socket was full gets the rest of its work.
FULL = 0.01

T = TypeVar("T")


class WorkerArguments(Struct, frozen=True, kw_only=True):
    """What the processes of a ring start with."""

    config: Config
    scope: Scope
    archive: Path
    clock: Clock
    slots: Slots
    granted: Pairs = frozenset()  # addresses that are not public and may be contacted
    entrance: socket.socket | None = None  # where browsers ask for hosts; None: they share a table in the slots


class Ring(Generic[T]):
    """F fetch and P parse processes and the slots between them; without `fetch`, parse processes alone."""

    def __init__(
        self,
        arguments: WorkerArguments,
        positions: list[Position],
        *,
        fetch: bool = True,
        alarms: Sequence[int] = (),  # other files: when one can be read, `receive` waits no longer
    ) -> None:
        config, clock, slots = arguments.config, arguments.clock, arguments.slots
        self._config, self._in_flight = config, in_flight(config)
        self._clock = clock
        self._slots = slots
        self._free = Free(slots)
        self.flights: dict[int, Flight[T]] = {}
        self._next_check, self._alarms = 0.0, alarms
        self._waiting = Waiting()  # to be parsed, and not with a parse process yet
        self._archives = Archives(positions)
        self._parser_arguments = (slots, config, arguments.scope, arguments.archive)
        self._fetchers: list[Worker] = []
        self._regular: list[Worker] = []  # parse processes
        self._additional: list[Worker] = []  # parse processes for slow pages
        self._needed = 0.0  # when an additional process last had work
        self._choice = ParserChoice(self.flights, self._regular, self._additional, self._waiting, clock)
        self._demand, self._most = Demand(), most_parsers(config.crawl)
        self._has_hooks = bool(config.hooks.page or config.hooks.url or config.topic.on)
        try:
            for number in range(fetchers(config.crawl) if fetch else 0):
                self._fetchers.append(Worker(number, *_fetcher(arguments)))
            if not fetch:
                self._start_parsers()
        except BaseException:
            self.close()  # this process could not end while the started ones run
            raise

    @property
    def _parsers(self) -> list[Worker]:
        return [*self._regular, *self._additional]

    def _start_parsers(self) -> None:
        for _ in range(first_parsers(self._config.crawl)):
            self._start_parser(self._regular)

    def _start_parser(self, group: list[Worker]) -> None:
        number, nice = len(self._parsers), 0
        if group is self._additional:
            nice, self._needed = NICE, self._clock()
        group.append(Worker(number, "parse", lambda: (*self._parser_arguments, self._archives.end(number)), nice))

    def ready(self, timeout: float = 60.0) -> None:
        """Wait until every process takes work; parse processes are not among them where they start with the first
        requests. Raises HopelessError if they do not start."""
        end = self._clock() + timeout
        while not all(each.ready for each in (*self._fetchers, *self._parsers)):
            for message, _ in self.receive(0.1):
                if isinstance(message, Broken):
                    raise HopelessError(message.message)
            if self._clock() > end:
                raise HopelessError(f"the processes were not ready after {timeout:g} s")

    # -- out ------------------------------------------------------------------------------------------------------

    def room(self) -> bool:
        """Whether one more request can be taken."""
        return bool(self._free) and any(self._free_threads(each) > 0 for each in self._fetchers)

    def _free_threads(self, fetcher: Worker) -> int:
        """Return the requests that it can still take: look-ups have threads of their own."""
        return self._in_flight - len(fetcher.tokens) + fetcher.lookups

    def launch(self, request: Request, turn: T) -> None:
        domain = ""
        if request.kind == RESOLVE:
            fetcher = min(self._fetchers, key=lambda each: each.lookups)
            fetcher.lookups += 1
        else:
            fetcher = max(self._fetchers, key=self._free_threads)
            request = structs.replace(request, slot=self._free.take())
            domain = registrable_domain(host(request.url))
        self.flights[request.token] = Flight(request=request, turn=turn, domain=domain, since=self._clock())
        fetcher.send(request.token, request)

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        """Let a fetched answer be parsed; it keeps its slot until then."""
        self.flights[token].identical = identical
        self._wait(token)
        if self._choice.hungry():
            self._hand_out()
            self._flush()

    def read_archived(self, work: Read | Extract | Recall, turn: T) -> None:
        """Let an archived response be read."""
        read = work.read if isinstance(work, Extract) else work
        token = read.request.token
        flight = Flight(request=read.request, turn=turn, domain=registrable_domain(host(read.request.url)))
        flight.fetched, flight.archived = read.fetched, work
        self.flights[token] = flight
        self._wait(token)

    def _wait(self, token: int, *, first: bool = False) -> None:
        flight = self.flights[token]
        assert flight.fetched is not None
        flight.long = flight.fetched.body_size > LONG and not (flight.identical and flight.identical.same)
        if flight.long:
            self._choice.expect_long(token)
        self._waiting.put(flight.domain, token, long=flight.long, first=first)

    def _hand_out(self) -> None:
        """Give parse processes the answers that wait."""
        for slow in (False, True) if self._waiting else ():
            while (parser := self._choice.free(slow=slow)) is not None:
                token = self._waiting.take(slow=slow)
                if token is None:
                    break
                flight = self.flights[token]
                flight.longer = 0.0
                flight.since = self._clock()
                if not parser.tokens:
                    self._begin(flight, processor_seconds(parser.process.pid))
                parser.send(token, flight.work)

    def _begin(self, flight: Flight[T], processor: float) -> None:
        """Note that a process, with this processor time, begins to parse a page."""
        flight.since, flight.cpu = self._clock(), processor

    def _grow(self) -> None:
        """Start one more parse process if answers have waited for some time, or if slow pages occupy the others: a
        regular one, up to the most, and for slow pages a few additional ones."""
        regular, more = self._regular, len(self._regular) < self._most
        ready = more and all(each.ready for each in regular)
        if ready and self._demand.lasts(waiting=bool(self._waiting), now=self._clock()):
            self._start_parser(regular)
        elif (more or len(self._additional) < SPARE) and self._choice.needs_more():
            self._start_parser(regular if more else self._additional)

    def _shrink(self, now: float) -> None:
        """End additional processes that have had nothing to do for long: each takes memory."""
        if any(each.tokens or not each.ready for each in self._additional):
            self._needed = now
        elif now - self._needed > IDLE:
            for each in self._additional:
                each.stop()
            self._additional.clear()

    # -- in -------------------------------------------------------------------------------------------------------

    def receive(self, timeout: float) -> list[tuple[Any, Flight[T] | None]]:
        """Return the messages within `timeout` seconds: Fetched, outcomes, Broken. Returns as soon as there is one.

        While all parse processes have work, several messages gather first.
        """
        if self.flights and not self._regular:
            self._flush()  # the first requests are under way while parse processes begin
            self._start_parsers()
        self._hand_out()
        if not self._flush():
            timeout = min(timeout, FULL)
        pause = min(timeout, self._choice.pause())
        if pause > 0:
            time.sleep(pause)
            timeout -= pause
        workers = {each.socket.fileno(): each for each in (*self._fetchers, *self._parsers)}
        received: list[tuple[Any, Flight[T] | None]] = []
        alarms = self._alarms if self._alarms and all(each.ready for each in workers.values()) else ()
        for worker in filter(None, map(workers.get, readable([*workers, *alarms], timeout))):
            messages = worker.receive()
            if messages is None:
                received += self._bury(worker, "died")
            else:
                processor = processor_seconds(worker.process.pid) if worker.role == "parse" else 0.0
                for message in messages:
                    if (result := self._result_of(worker, message, processor)) is not None:
                        received.append(result)
        if (now := self._clock()) >= self._next_check:
            self._next_check = now + CHECK
            received += self._unstick()
            self._shrink(now)
        self._hand_out()
        self._grow()
        self._flush()
        return received

    def _flush(self) -> bool:
        """Send what was collected for each process; return whether their sockets have taken all of it."""
        return all([each.flush() for each in (*self._fetchers, *self._parsers)])  # a list: none is left out

    def _result_of(self, worker: Worker, message: Any, processor: float) -> tuple[Any, Flight[T] | None] | None:
        """`processor`: the processor time of a parse process, which takes the system 3 us to tell; 0: it has ended."""
        if isinstance(message, Ready):
            worker.ready = True
            if worker.role == "parse" and worker.tokens:  # its start does not count for its first page
                self._begin(self.flights[worker.tokens[0]], processor)
            return None
        if isinstance(message, WITHOUT_FLIGHT):
            return message, None
        flight = self.flights[message.token]
        if isinstance(message, Converting):
            flight.longer = self._config.documents.max_time
            return None
        worker.tokens.remove(message.token)
        if flight.request.kind == RESOLVE:
            worker.lookups -= 1
            return message, self._land(message.token)
        if isinstance(message, Fetched):
            flight.fetched = message
            return message, flight
        if worker.role == "parse":
            self._choice.parsed(flight, self._clock() - flight.since, max(0.0, processor - flight.cpu))
            if worker.tokens:
                self._begin(self.flights[worker.tokens[0]], processor)
            if not isinstance(message, NOT_ARCHIVED):
                self._archives.add(worker.number, message.archived)
        return message, self._land(message.token)

    def _land(self, token: int) -> Flight[T]:
        flight = self.flights.pop(token)
        self._choice.landed(token)
        if flight.request.slot >= 0:  # a look-up has none
            self._free.release(flight.request.slot, self._written(flight.fetched))
        return flight

    def _written(self, answer: Fetched | None) -> int:
        """Bytes that were written into a slot, at most."""
        if answer is None:  # part of one may be there
            return self._slots.size
        return answer.head_size + answer.body_size + answer.rendered

    # -- deaths ---------------------------------------------------------------------------------------------------

    def _bury(self, worker: Worker, how: str, strikes: int = 1) -> list[tuple[Failed | Trouble, Flight[T] | None]]:
        """Replace a dead or stuck process; its work is handed out again, and its current page gets `strikes`."""
        pid, begun = worker.process.pid, worker.ready
        lost = worker.replace()
        trouble = Trouble(message=f"{worker.role} process {pid} {self._last_work(how, lost)}; it was replaced")
        reason = DEATHS[worker.role, how]
        if worker.role != "parse":
            return [(trouble, None), *(self._fail(token, reason, "fetch") for token in lost)]
        hopeless = []
        if begun and lost and not worker.orphaned:  # parse processes work in order: the first page is the cause
            first = self.flights[lost[0]]
            self._waiting.spent(first.domain, self._clock() - first.since)
            first.strikes += strikes
            if first.strikes >= STRIKES and self._has_hooks and not first.without_hooks:
                first.without_hooks, first.strikes = True, STRIKES - 1
            elif first.strikes >= STRIKES:
                hopeless = [self._fail(lost.pop(0), reason, "parse")]
        for token in reversed(lost):
            self._wait(token, first=True)
        return [(trouble, None), *hopeless]

    def _last_work(self, how: str, lost: list[int]) -> str:
        if not lost:
            return f"{how} with nothing to do"
        flight = self.flights[lost[0]]
        others = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        return f"{how} after {self._clock() - flight.since:.1f} s over {flight.request.url}{others}"

    def _fail(self, token: int, reason: Code, stage: str) -> tuple[Failed, Flight[T]]:
        flight = self._land(token)
        started = flight.fetched.started if flight.fetched else max(flight.since, flight.request.not_before)
        ended = flight.fetched.ended if flight.fetched else self._clock()
        failed = Failed(token=token, reason=reason, detail="", stage=stage, started=started, ended=ended)
        return failed, flight

    def _unstick(self) -> list[tuple[Failed | Trouble, Flight[T] | None]]:
        """Kill processes that exceed their time."""
        messages = list[tuple[Failed | Trouble, Flight[T] | None]]()
        late = late_fetch(self._config.fetch, self._config.browser)
        for worker in self._fetchers:
            if self._choice.late(worker, late):
                messages += self._bury(worker, "stuck")
        limit = self._config.links.max_time
        for worker in self._parsers:
            if not self._choice.late(worker, limit):
                continue
            flight = self.flights[worker.tokens[0]]
            count = strikes(
                ready=worker.ready,
                passed=self._clock() - flight.since,
                processor=processor_seconds(worker.process.pid) - flight.cpu,
                limit=limit,
                longer=flight.longer,
            )
            if count:
                messages += self._bury(worker, "stuck", count)
        return messages

    def archived(self) -> dict[str, int]:
        """Return the files grown since the last call: name -> size up to the last record with a received outcome."""
        return self._archives.grown()

    def in_flight(self) -> list[tuple[str, str, float]]:
        """Return (URL, its process, since when) of all work that processes have and have not returned."""
        return [
            (self.flights[token].request.url, f"{each.role} process {each.process.pid}", self.flights[token].since)
            for each in (*self._fetchers, *self._parsers)
            for token in each.tokens
        ]

    # -- the end --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        for each in (*self._fetchers, *self._parsers):
            each.stop()


def _fetcher(arguments: WorkerArguments) -> tuple[str, Callable[[], tuple[Any, ...]]]:
    """Return the role of fetch processes, and what makes the arguments of one."""
    shared = arguments.slots, arguments.config, arguments.clock, arguments.granted
    if arguments.config.browser.on:
        return "browser", lambda: (*shared, arguments.entrance)
    return "fetch", lambda: shared
