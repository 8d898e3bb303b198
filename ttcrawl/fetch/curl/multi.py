"""The loop over all requests in flight: libcurl's multi interface, timeouts, and when each may start."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import TypeAlias

import pycurl

from ttcrawl.config import Proxy
from ttcrawl.config.certificates import Certificate
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.curl.connections import Connections
from ttcrawl.fetch.curl.reasons import timeout
from ttcrawl.fetch.curl.route import Route
from ttcrawl.fetch.curl.transfer import Check, Transfer, Turn
from ttcrawl.fetch.curl.waiting import Sockets
from ttcrawl.fetch.destination import ProxyFailed
from ttcrawl.fetch.exchange import Attempts, Exchange
from ttcrawl.fetch.reasons import AttemptFailed
from ttcrawl.fetch.response import Response
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.unsent import discard_unsent
from ttcrawl.ring.clock import Clock
from ttcrawl.vocabulary.reason import TIMEOUT_TOTAL

#: Receives the answer, or why there is none.
Finish: TypeAlias = Callable[[Answer | Exception], None]

#: A handle has one certificate of the client, and one proxy.
Kind: TypeAlias = tuple[Certificate | None, Proxy | None]

#: Persistent connections; the least recently used are dropped first. With 4,096, a crawl of 1,000 hosts took 2 % less
#: time on a busy machine; but over TLS each takes 80 KB, and a server with thousands of hosts would have them all open.
CONNECTIONS = 256

#: Handles that are kept for later requests.
IDLE = 1000

#: Seconds in which bodies are read before all sockets are polled again.
TURN = 0.05


class Multi:
    """Many requests in flight in one thread."""

    def __init__(self, settings: Settings, check: Check, clock: Clock) -> None:
        self.sockets = Sockets()
        self._settings = settings
        self._check = check
        self._clock = clock
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self.sockets.change)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, CONNECTIONS)
        # a connection carries one request at a time also over HTTP/2: timeouts hold for its socket
        self._multi.setopt(pycurl.M_PIPELINING, pycurl.PIPE_NOTHING)
        self._timer = float("inf")  # when libcurl wants to be called, by our clock
        self._next_check = float("inf")  # when the next request may be past one of its timeouts
        self._read: dict[int, float] = {}  # socket -> when it was last ready
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._in_flight: dict[pycurl.Curl, tuple[Transfer, Finish]] = {}
        self._idle: dict[Kind, list[Transfer]] = {}
        self._turn, self._connections = Turn(), Connections()

    def at(self, moment: float, begin: Callable[[], None]) -> None:
        """Call this as soon as its moment has come: now, if it has."""
        if moment <= self._clock():
            begin()
        else:
            heapq.heappush(self._waiting, (moment, next(self._order), begin))

    def begin(self, exchange: Exchange, attempts: Attempts, route: Route, finish: Finish) -> None:
        """Send a request now."""
        kind = self._kind(route)
        idle = self._idle.get(kind)
        transfer = idle.pop() if idle else self._new(*kind)
        transfer.begin(exchange, attempts, route)
        self._in_flight[transfer.curl] = transfer, finish
        self._continue(transfer, None)

    def _new(self, certificate: Certificate | None, proxy: Proxy | None) -> Transfer:
        return Transfer(self._settings, self._check, self._clock, self._turn, self._connections, certificate, proxy)

    def _kind(self, route: Route) -> Kind:
        own = self._settings.certificates
        return own.get(route.authority) if own and route.scheme == "https:" else None, route.proxy

    def run(self, longest: float) -> None:
        """Wait this many seconds at most, and do what is to be done then.

        Each `socket_action` also reads from all connections that libcurl did not read to the end before. Therefore a
        few fast servers could keep this loop for seconds: after `TURN` seconds transfers pause until the next call.
        """
        now = self._clock()
        due = self._waiting[0][0] if self._waiting else float("inf")
        until = now if self._turn.paused else min(now + longest, self._timer, self._next_check)
        ready = self.sockets.poll(min(until, due) - now, precise=due < until)
        now = self._clock()
        self._turn.end = now + TURN
        self._resume(now)
        for file, bits in ready:
            self._read[file] = now
            self._multi.socket_action(file, bits)
        while self._waiting and self._waiting[0][0] <= now:
            heapq.heappop(self._waiting)[2]()
        if self._timer <= now:
            self._timer = float("inf")
            self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
        self._end_transfers()
        if self._next_check <= now:
            self._enforce(now)

    def _resume(self, now: float) -> None:
        """Continue paused transfers, those that have waited longest first; their next data has been received."""
        paused, self._turn.paused = self._turn.paused, []
        for transfer in paused:
            if not transfer.paused:
                continue  # it has ended
            transfer.moved = now
            try:
                transfer.resume()
            except pycurl.error as error:
                number, message = error.args
                self._end(transfer, transfer.failure(number, message))

    def _set_timer(self, milliseconds: int) -> None:
        """libcurl calls this."""
        self._timer = self._clock() + milliseconds / 1000 if milliseconds >= 0 else float("inf")

    def _end_transfers(self) -> None:
        more = 1
        while more:
            more, done, failed = self._multi.info_read()
            for curl in done:
                transfer = self._in_flight[curl][0]
                transfer.succeeded()
                self._end(transfer, None)
            for curl, number, message in failed:
                transfer = self._in_flight[curl][0]
                transfer.failed()
                self._end(transfer, transfer.failure(number, message))

    def _end(self, transfer: Transfer, error: Exception | None) -> None:
        """An attempt has ended."""
        self._multi.remove_handle(transfer.curl)
        self._continue(transfer, transfer.end(error))

    def _continue(self, transfer: Transfer, response: Response | None) -> None:
        """Make the next attempt of an exchange, or report its end."""
        outcome: Answer | Exception
        try:
            attempt = transfer.attempts.send(response)  # type: ignore[arg-type]
            transfer.attempt(attempt)
            until = min(self._settings.connect_timeout, self._settings.read_timeout) + transfer.moved
            self._next_check = min(self._next_check, until, transfer.exchange.until)
            self._multi.add_handle(transfer.curl)
            return
        except StopIteration as end:
            outcome = end.value
        except Exception as error:
            outcome = error
        finish = self._in_flight.pop(transfer.curl)[1]
        idle = self._idle.setdefault(self._kind(transfer.route), [])
        if len(idle) < IDLE:
            idle.append(transfer)
        finish(outcome)

    # -- timeouts --------------------------------------------------------------------------------------------------

    def _enforce(self, now: float) -> None:
        """End the attempts that are past a timeout. libcurl's own count whole seconds.

        `now`: when the sockets were last looked at. What was received before that was read in time.
        """
        self._next_check = float("inf")
        for transfer, _ in list(self._in_flight.values()):
            until = self._until(transfer)
            if until <= now:
                transfer.moved = max(transfer.moved, self._read.get(self._socket(transfer), 0.0))
                until = self._until(transfer)
            if until <= now:
                late = self._late(transfer)
                discard_unsent(self._socket(transfer))
                transfer.forbid_reuse()  # of HTTP/2 libcurl would end only the stream: it may be silent for ever
                self._end(transfer, late)
            else:
                self._next_check = min(self._next_check, until)

    def _until(self, transfer: Transfer) -> float:
        settings = self._settings
        seconds = settings.connect_timeout if transfer.connecting else settings.read_timeout
        return min(transfer.exchange.until, transfer.moved + seconds)

    def _late(self, transfer: Transfer) -> Exception:
        settings = self._settings
        if transfer.exchange.until <= self._until(transfer):
            return AttemptFailed(TIMEOUT_TOTAL, f"not complete after {settings.total_timeout:g} s")
        if not transfer.connecting:
            return timeout(connected=True, seconds=settings.read_timeout)
        late = timeout(connected=transfer.connected, seconds=settings.connect_timeout)
        return ProxyFailed(late.detail) if transfer.at_proxy(pycurl.E_OPERATION_TIMEDOUT) else late

    def _socket(self, transfer: Transfer) -> int:
        file: int = transfer.curl.getinfo(pycurl.ACTIVESOCKET)
        return file
