"""HTTP over urllib3: a URL becomes bytes in a slot, or a reason for failure."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

import urllib3

from ttcrawl.config import Config, Proxy
from ttcrawl.fetch.addresses import AddressBook, LookUp, look_up
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.choice import works
from ttcrawl.fetch.exchange import Attempt, NotFetched, attempts
from ttcrawl.fetch.reasons import AttemptFailed, Unclosed, explained, is_lost
from ttcrawl.fetch.response import Response
from ttcrawl.fetch.sent import request_target
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.tls import after_handshake
from ttcrawl.fetch.urllib3.in_flight import InFlight, Requests
from ttcrawl.fetch.urllib3.pools import Pools
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import Request
from ttcrawl.ring.sizes import in_flight
from ttcrawl.vocabulary.reason import FTP_OFF, KEPT_CLOSED, PROXY, TIMEOUT_TOTAL
from ttcrawl.web.address import Pairs

if TYPE_CHECKING:
    from ttcrawl.fetch.curl.ftp.transport import FtpTransport


class Transport:
    """HTTP over urllib3 with persistent connections; shared by all threads of one fetch process."""

    def __init__(self, config: Config, clock: Clock, granted: Pairs = frozenset(), look_up: LookUp = look_up) -> None:
        self._config = config
        settings = self._settings = Settings.of(config)
        self._requests = Requests(clock)
        self.read_by = settings.read_by
        self._book = AddressBook.of(config, granted, look_up)
        self._pools: dict[Proxy | None, Pools] = {}
        self._timeout = urllib3.Timeout(connect=settings.connect_timeout, read=settings.read_timeout)

    def _pools_of(self, proxy: Proxy | None) -> Pools:
        """The connections through a proxy; None: none."""
        if proxy not in self._pools:
            new = Pools(
                self._book,
                self._requests,
                threads=in_flight(self._config),
                verify_tls=self._settings.verify_tls,
                tls_minimum=self._settings.tls_minimum,
                proxy=proxy,
                certificates=self._settings.certificates,
            )
            self._pools.setdefault(proxy, new)  # another thread may have been faster
        return self._pools[proxy]

    def enforce(self) -> None:
        """End requests past their deadline. To be called often."""
        self._requests.enforce()

    @cached_property
    def _ftp(self) -> FtpTransport:
        if not works():
            raise NotFetched(FTP_OFF, "pycurl cannot be imported", 0.0)
        from ttcrawl.fetch.curl.ftp.transport import FtpTransport  # it needs pycurl

        return FtpTransport(self._config, self._settings, self._requests.clock, self._book)

    def resolve(self, url: str) -> tuple[str, ...]:
        """The permitted addresses for the host of a dns: URL (RFC 4501). Raises socket.gaierror, BlockedAddress."""
        return self._book.of_dns(url)

    def get(self, request: Request, slot: memoryview) -> Answer:
        """Make one request, with no packet before its start time. Raises NotFetched only.

        The body is kept as received (in its content coding, without the framing of HTTP/1.1). If it is too large or
        breaks off, its beginning is kept. If its head declares that it is too large, it is not read, unless it is a
        robots.txt or a sitemap.
        """
        if request.url.startswith("ftp:"):
            return self._ftp.get(request, slot)
        with self._requests.begin(request, slot, self._settings.total_timeout) as in_flight:
            exchange = in_flight.exchange
            in_flight.proxy = self._settings.proxies.of(request.url, self._requests.clock())
            rules = attempts(exchange, self._settings)
            try:
                attempt = next(rules)
                while True:
                    attempt = rules.send(self._respond(attempt, in_flight))
            except StopIteration as end:
                answer: Answer = end.value
                return answer
            except Exception as error:
                failure = exchange.not_fetched(error)
                if failure.reason == PROXY:
                    self._settings.proxies.failed(in_flight.proxy, self._requests.clock())
                raise failure from error

    def _respond(self, attempt: Attempt, in_flight: InFlight) -> Response:
        """Make one attempt; return the response as far as it was received."""
        exchange = in_flight.exchange
        scheme, _, authority, target = exchange.request.url.split("/", 3)
        origin = f"{scheme}//{authority}"
        forwarded = self._pools_of(in_flight.proxy).forwards(origin)
        response = Response(attempt.method, exchange.request, exchange.slot, self._settings, forwarded=forwarded)
        in_flight.begin(response)
        error: Exception | None = None
        try:
            self._exchange(attempt, origin, authority, request_target("/" + target), in_flight)
        except Exception as caught:
            error = caught
        response.end(self._requests.clock(), self._translated(error, in_flight))
        if self._settings.requests:
            response.request = self._settings.own.without_secrets(in_flight.sent)
        exchange.lost += response.lost
        return response

    def _exchange(self, attempt: Attempt, origin: str, authority: str, target: str, in_flight: InFlight) -> None:
        """Send a request and receive the response. Raises what urllib3, http.client and `Response` raise."""
        request, response = in_flight.exchange.request, in_flight.response
        headers = self._settings.headers | dict(request.headers) | self._settings.own.of(request.url, authority)
        if attempt.authorization:
            headers["Authorization"] = attempt.authorization
        pools = self._pools_of(in_flight.proxy)
        chosen: AbstractContextManager[urllib3.HTTPConnectionPool] = (
            pools.renewed(origin, request.address) if attempt.renew else nullcontext(pools.of(origin, request.address))
        )
        with chosen as pool:
            carrier = pool.urlopen(
                attempt.method,
                pools.target(origin, target),
                headers=headers,
                body=request.sending.body or None,
                retries=False,
                redirect=False,
                assert_same_host=False,
                timeout=self._timeout,
                preload_content=False,
                decode_content=False,
            )
        received = in_flight.received
        assert received is not None
        reusable = False
        try:
            received.read_body(response)
            reusable = response.over and not (response.refused or response.excess or received.has_more())
        finally:
            if reusable:
                received.close()
            else:
                carrier.close()  # remaining bytes must not be read as the next response
            carrier.release_conn()

    def _translated(self, error: Exception | None, in_flight: InFlight) -> Exception | None:
        """The error of an attempt: what has ended the connection, or broken it off."""
        exchange, response, received = in_flight.exchange, in_flight.response, in_flight.received
        if in_flight.expired:
            return AttemptFailed(TIMEOUT_TOTAL, f"not complete after {self._settings.total_timeout:g} s")
        if error is None:
            return Unclosed("the connection ended without the end of TLS") if received and received.unclosed else None
        if is_lost(error) and exchange.is_connection_to_blame(response) and self._requests.clock() < exchange.until:
            return AttemptFailed(KEPT_CLOSED, str(error))
        if in_flight.requested and not response.begun:
            reason, detail = explained(error)
            return AttemptFailed(after_handshake(reason, answered=False), detail)
        return error
