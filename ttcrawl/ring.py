"""The two pools as one thing: a Request goes in, its Fetched and then its outcome come out.

The crawl process is the hub: a fetch process says that an exchange ended and which slot its bytes are in, and when the
crawl process wants them read, the message is handed to the parse process with the least to do. So the data queue
between the pools is the slots, bounded by their number, and for every URL in flight it is known which process has it:
when one dies, just its work is done again, and a page that was fetched is not fetched again for it.
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ttcrawl.address import Pairs
from ttcrawl.clock import Clock
from ttcrawl.config import Config
from ttcrawl.messages import HEAD_ROOM, Broken, Converting, Failed, Fetched, Parse, Ready, Request, Trouble, Twin
from ttcrawl.pool import HopelessError, Worker
from ttcrawl.scope import Scope
from ttcrawl.slots import Slots
from ttcrawl.store.position import Position, position_after

#: Answers a parse process is given at once, so that it never waits for the next one.
AHEAD = 3

#: A page that killed so many parse processes is settled as failed.
STRIKES = 3

#: Seconds a fetch process may be late with an exchange before it is held to be stuck.
GRACE = 5.0


@dataclass(slots=True, kw_only=True)
class Flight:
    """A request in the ring."""

    request: Request
    since: float  # when it was handed out
    fetched: Fetched | None = None
    twin: Twin | None = None
    strikes: int = 0
    longer: float = 0.0  # seconds that it may take beyond what a page may: a document is being converted


class Launcher(Protocol):
    """What the crawl process wants of a ring; the inline ring is the other one."""

    def ready(self) -> None: ...

    def room(self) -> bool: ...

    def launch(self, request: Request) -> None: ...

    def read(self, token: int, twin: Twin | None) -> None: ...

    def receive(self, timeout: float) -> list[Any]: ...

    def archived(self) -> dict[str, int]: ...

    def under_way(self) -> list[tuple[str, str, float]]: ...

    def close(self) -> None: ...


class Ring:
    """F fetch and P parse processes and the slots between them."""

    def __init__(
        self,
        config: Config,
        scope: Scope,
        archive: Path,
        positions: list[Position],
        clock: Clock,
        slots: Slots,
        granted: Pairs,
    ) -> None:
        self._config = config
        self._clock = clock
        self._slots = slots
        self._free = list(range(slots.count))
        self._flights: dict[int, Flight] = {}
        self._parsing: deque[int] = deque()  # to be read, and no parse process has it yet
        self._positions = {each.series: each for each in positions}
        self._grown: dict[str, int] = {}
        self._fetchers: list[Worker] = []
        self._parsers: list[Worker] = []
        try:
            for _ in range(config.crawl.fetchers):
                self._start(self._fetchers, "fetch", lambda n: (slots, config, clock, granted))
            for _ in range(config.crawl.parsers):
                self._start(self._parsers, "parse", lambda n: (slots, config, scope, archive, self._positions[n]))
        except BaseException:
            self.close()  # this process could not end while those that were started run
            raise

    def _start(self, workers: list[Worker], role: str, arguments: Callable[[int], tuple[Any, ...]]) -> None:
        number = len(workers)
        workers.append(Worker(number, role, lambda: arguments(number)))

    def ready(self, timeout: float = 60.0) -> None:
        """Wait until every process takes work. Raises HopelessError when they do not come up."""
        end = self._clock() + timeout
        while not all(each.ready for each in (*self._fetchers, *self._parsers)):
            for message in self.receive(0.1):
                if isinstance(message, Broken):
                    raise HopelessError(message.what)
            if self._clock() > end:
                raise HopelessError(f"the processes were not ready after {timeout:g} s")

    # -- out ------------------------------------------------------------------------------------------------------

    def room(self) -> bool:
        """One more request can be taken."""
        return bool(self._free) and any(len(each.given) < self._config.crawl.threads for each in self._fetchers)

    def launch(self, request: Request) -> None:
        request = replace(request, slot=self._free.pop())
        self._flights[request.token] = Flight(request=request, since=self._clock())
        min(self._fetchers, key=lambda each: len(each.given)).send(request.token, request)

    def read(self, token: int, twin: Twin | None) -> None:
        """Let an answer be read that came as a Fetched; it keeps its slot until it has been."""
        self._flights[token].twin = twin
        self._parsing.append(token)
        self._hand_out()

    def _hand_out(self) -> None:
        """Give parse processes what waits for them."""
        while self._parsing:
            parser = min(self._parsers, key=lambda each: len(each.given))
            if len(parser.given) >= AHEAD:
                return
            token = self._parsing.popleft()
            flight = self._flights[token]
            assert flight.fetched is not None
            flight.since, flight.longer = self._clock(), 0.0
            parser.send(token, Parse(request=flight.request, fetched=flight.fetched, twin=flight.twin))

    # -- in -------------------------------------------------------------------------------------------------------

    def receive(self, timeout: float) -> list[Any]:
        """What has come within `timeout` seconds: Fetched, outcomes, Broken. Returns as soon as there is anything."""
        workers = {each.socket: each for each in (*self._fetchers, *self._parsers)}
        # not poll or epoll: their timeouts are whole milliseconds, which at a delay of 50 ms is 1 % too late
        ready = select.select(list(workers), [], [], max(0.0, timeout))[0]
        messages: list[Any] = []
        for each in ready:
            worker = workers[each]
            heard = worker.receive()
            if heard is None:
                messages += self._bury(worker, "died")
            else:
                messages += [known for message in heard if (known := self._heard(worker, message)) is not None]
        messages += self._unstick()
        self._hand_out()
        return messages

    def _heard(self, worker: Worker, message: Any) -> Any:
        if isinstance(message, Ready):
            worker.ready = True
            return None
        if isinstance(message, Broken):
            return message
        if isinstance(message, Converting):
            self._flights[message.token].longer = self._config.documents.max_time
            return None
        flight = self._flights[message.token]
        worker.given.remove(message.token)
        if isinstance(message, Fetched):
            flight.fetched = message
            return message
        if worker.given and worker.role == "parse":
            self._flights[worker.given[0]].since = self._clock()
        if worker.role == "parse" and not isinstance(message, Failed):
            position = self._positions[worker.number] = position_after(message.archived)
            self._grown[position.file] = position.end
        self._land(message.token)
        return message

    def _land(self, token: int) -> None:
        flight = self._flights.pop(token)
        used = HEAD_ROOM + flight.fetched.body_size if flight.fetched else 0
        self._slots.forget(flight.request.slot, used)
        self._free.append(flight.request.slot)

    # -- deaths ---------------------------------------------------------------------------------------------------

    def _bury(self, worker: Worker, how: str) -> list[Failed | Trouble]:
        """Replace a dead or stuck process; its work is given out again."""
        pid = worker.process.pid
        lost = worker.replace()
        trouble = Trouble(what=f"{worker.role} process {pid} {self._what_it_did(how, lost)}; it was replaced")
        reason = f"{worker.role} process {how}"
        if worker.role == "fetch":
            return [trouble, *(self._fail(token, reason, "fetch") for token in lost)]
        hopeless = []
        if lost:  # parse processes work in order: the first page is the one it died of
            self._flights[lost[0]].strikes += 1
            if self._flights[lost[0]].strikes >= STRIKES:
                hopeless = [self._fail(lost.pop(0), reason, "parse")]
        self._parsing.extendleft(reversed(lost))
        return [trouble, *hopeless]

    def _what_it_did(self, how: str, lost: list[int]) -> str:
        if not lost:
            return f"{how} with nothing to do"
        flight = self._flights[lost[0]]
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        return f"{how} after {self._clock() - flight.since:.1f} s over {flight.request.url}{more}"

    def _fail(self, token: int, reason: str, stage: str) -> Failed:
        flight = self._flights[token]
        self._land(token)
        started = flight.fetched.started if flight.fetched else max(flight.since, flight.request.not_before)
        ended = flight.fetched.ended if flight.fetched else self._clock()
        return Failed(token=token, reason=reason, detail="", stage=stage, started=started, ended=ended)

    def _unstick(self) -> list[Failed | Trouble]:
        """Kill processes that are past their time; nothing else can stop a parser written in C."""
        messages = list[Failed | Trouble]()
        late = self._config.fetch.total_timeout + self._config.fetch.connect_timeout + GRACE
        for worker, limit in [(each, late) for each in self._fetchers] + [
            (each, self._config.links.max_time) for each in self._parsers
        ]:
            if worker.given and self._late(self._flights[worker.given[0]], limit):
                messages += self._bury(worker, "stuck")
        return messages

    def _late(self, flight: Flight, limit: float) -> bool:
        return self._clock() - flight.since > limit + flight.longer

    def archived(self) -> dict[str, int]:
        """WARC files that have grown since this was last asked -> size up to the last record whose outcome has come."""
        grown, self._grown = self._grown, {}
        return grown

    def under_way(self) -> list[tuple[str, str, float]]:
        """(URL, the process that has it, since when) of all that was given to processes and has not come back."""
        return [
            (self._flights[token].request.url, f"{each.role} process {each.process.pid}", self._flights[token].since)
            for each in (*self._fetchers, *self._parsers)
            for token in each.given
        ]

    # -- the end --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        for each in (*self._fetchers, *self._parsers):
            each.stop()
