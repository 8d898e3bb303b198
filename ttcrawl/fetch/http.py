"""One GET, or a HEAD and a GET: a URL becomes bytes in a slot, or a reason for failure."""

from __future__ import annotations

import http
import http.client
import re
import socket
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import urllib3

from ttcrawl.config import Config
from ttcrawl.fetch.addresses import AddressBook, BlockedAddress, LookUp, look_up
from ttcrawl.fetch.answer import Answer, head_of, keep_head, length_of
from ttcrawl.fetch.body import Body
from ttcrawl.fetch.choice import works
from ttcrawl.fetch.connection import Pools
from ttcrawl.fetch.destination import ProxyFailed
from ttcrawl.fetch.exchange import Exchange, Exchanges
from ttcrawl.fetch.framing import Framing
from ttcrawl.fetch.head import TooLargeHead
from ttcrawl.fetch.reasons import KeptClosed, broken_off, lost, why
from ttcrawl.fetch.retry_after import retry_after
from ttcrawl.fetch.sent import without_credentials
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.tls import after_handshake
from ttcrawl.fetch.wanted import kind_of
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, ROBOTS, Request
from ttcrawl.vocabulary.reason import (
    DISCONNECTED,
    FTP_OFF,
    HEADERS_TOO_LARGE,
    KEPT_CLOSED,
    NO_CONTENT_STATUSES,
    NONE,
    OVERLOADED_STATUSES,
    PROTOCOL,
    REDIRECT_STATUSES,
    RESET,
    TIMEOUT_TOTAL,
    TOO_LARGE,
    TRUNCATED,
    TYPE,
    Code,
)
from ttcrawl.web.address import Pairs
from ttcrawl.web.fields import transfer_codings
from ttcrawl.web.url import split_port

if TYPE_CHECKING:
    from ttcrawl.fetch.curl.ftp.transport import FtpTransport


#: Method -> response, its body unread.
Ask: TypeAlias = Callable[[str], urllib3.BaseHTTPResponse]

#: If a HEAD fails with one of these, the URL is requested with GET. All other reasons concern the host, not HEAD.
NO_HEAD = frozenset({PROTOCOL, DISCONNECTED, RESET, HEADERS_TOO_LARGE})

#: A percent sign that starts no escape. urllib3 would conclude that nothing is escaped, and escape everything again.
STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


class NotFetched(Exception):
    """No response that can be kept; `reason` is one of the reasons in the database."""

    def __init__(self, reason: Code, detail: str, started: float, requests: int = 1, received: int = 0) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.started = started
        self.requests = requests
        self.received = received  # bytes of an incomplete head


def permitted_addresses(book: AddressBook, url: str) -> tuple[str, ...]:
    """The permitted addresses for the host of a dns: URL (RFC 4501). Raises NotFetched only."""
    name = split_port(url.removeprefix("dns:"))[0]
    try:
        return tuple(book.resolve(name))
    except (socket.gaierror, BlockedAddress) as error:
        raise NotFetched(*why(error), 0.0, 0) from error


class Transport:
    """HTTP over urllib3 with persistent connections; shared by all threads of one fetch process."""

    def __init__(self, config: Config, clock: Clock, granted: Pairs = frozenset(), look_up: LookUp = look_up) -> None:
        self._config = config
        settings = self._settings = Settings.of(config)
        self.exchanges = Exchanges(clock)
        self.read_by = settings.read_by
        self._book = AddressBook.of(config, granted, look_up)
        self._pools = Pools(
            self._book,
            self.exchanges,
            head=settings.head,
            threads=config.crawl.threads,
            verify_tls=settings.verify_tls,
            tls_minimum=settings.tls_minimum,
            proxy=settings.proxy,
        )
        self._timeout = urllib3.Timeout(connect=settings.connect_timeout, read=settings.read_timeout)
        self._headers = dict(settings.headers)

    def enforce(self) -> None:
        """End requests past their deadline. To be called often."""
        self.exchanges.enforce()

    @cached_property
    def _ftp(self) -> FtpTransport:
        if not works():
            raise NotFetched(FTP_OFF, "pycurl cannot be imported", 0.0)
        from ttcrawl.fetch.curl.ftp.transport import FtpTransport  # it needs pycurl

        return FtpTransport(self._config, self._settings, self.exchanges.clock, self._book)

    def resolve(self, url: str) -> tuple[str, ...]:
        """The permitted addresses for the host of a dns: URL (RFC 4501). Raises NotFetched only."""
        return permitted_addresses(self._book, url)

    def get(self, request: Request, slot: memoryview) -> Answer:
        """Make one request, with no packet before its start time. Raises NotFetched only.

        The body is kept as received (in its content coding, without the framing of HTTP/1.1). If it is too large or
        breaks off, its beginning is kept. If its head declares that it is too large, it is not read, unless it is a
        robots.txt or a sitemap.
        """
        if request.url.startswith("ftp:"):
            return self._ftp.get(request, slot)
        with self.exchanges.exchange(request.not_before, self._settings.total_timeout, request.address) as exchange:
            ask = partial(self._ask, request, exchange)
            try:
                if kind_of(request) == PAGE and not request.renew and self._settings.begins_with_head(request):
                    return self._head_then_get(ask, request, slot, exchange)
                return self._answer("GET", ask("GET"), request, slot, exchange)
            except Exception as error:
                reason, detail = self._why(error, exchange)
                requests, lost = max(1, exchange.requests), exchange.lost
                raise NotFetched(reason, detail, exchange.started, requests, lost) from error

    def _why(self, error: Exception, exchange: Exchange) -> tuple[Code, str]:
        if exchange.expired:
            return TIMEOUT_TOTAL, f"not complete after {self._settings.total_timeout:g} s"
        if isinstance(error, KeptClosed):
            return KEPT_CLOSED, str(error)
        if isinstance(error, TooLargeHead):
            return HEADERS_TOO_LARGE, str(error)
        reason, detail = why(error)
        if exchange.request:
            reason = after_handshake(reason, answered=exchange.answer is not None)
        return reason, detail

    def _ask(self, request: Request, exchange: Exchange, method: str) -> urllib3.BaseHTTPResponse:
        """Send a request, and read the head of the response.

        A server may close a persistent connection at any moment, and then never sees a request that is on its way (RFC
        9112 section 9.3.1). Raises KeptClosed then, and what urllib3 and http.client raise.
        """
        scheme, _, authority, target = request.url.split("/", 3)
        origin = f"{scheme}//{authority}"
        exchange.reused = False
        exchange.answer = None
        exchange.request = b""
        if not request.renew:
            try:
                response = self._send(
                    request, method, origin, authority, target, self._pools.of(origin, request.address)
                )
            except Exception as error:
                if not exchange.reused or exchange.answer or not lost(error) or self._over(exchange):
                    raise
                raise KeptClosed(str(error)) from error
            if not (response.status == http.HTTPStatus.REQUEST_TIMEOUT and exchange.reused):
                return self._head(response, origin, exchange)
            response.close()  # a server may send this when it closes an idle connection: RFC 9110 section 15.5.9
            raise KeptClosed("408 for a connection that was idle")
        with self._pools.renewed(origin, request.address) as pool:
            response = self._send(request, method, origin, authority, target, pool)
        return self._head(response, origin, exchange)

    def _over(self, exchange: Exchange) -> bool:
        """Whether its deadline has passed: this may be why the socket was shut down."""
        return exchange.expired or exchange.until <= self.exchanges.clock()

    def _send(
        self, request: Request, method: str, origin: str, authority: str, target: str, pool: urllib3.HTTPConnectionPool
    ) -> urllib3.BaseHTTPResponse:
        login = self._settings.logins.get(authority)
        return pool.urlopen(
            method,
            self._pools.target(origin, "/" + STRAY_PERCENT.sub("%25", target)),
            headers=self._headers | dict(request.headers) | ({"Authorization": login} if login else {}),
            retries=False,
            redirect=False,
            assert_same_host=False,
            timeout=self._timeout,
            preload_content=False,
            decode_content=False,
        )

    def _head(self, response: urllib3.BaseHTTPResponse, origin: str, exchange: Exchange) -> urllib3.BaseHTTPResponse:
        try:
            self._pools.check(origin, response.status)
        except ProxyFailed:
            response.close()
            raise
        if self._settings.cookies:
            exchange.set_cookies += response.headers.getlist("Set-Cookie")
        return response

    def _head_then_get(self, ask: Ask, request: Request, slot: memoryview, exchange: Exchange) -> Answer:
        """A GET follows unless the HEAD decides: many servers do not support HEAD, or answer it differently."""
        try:
            head = ask("HEAD")
        except Exception as error:
            if not exchange.requests or self._why(error, exchange)[0] not in NO_HEAD:
                raise
        else:
            if self._decides(head, request):
                return self._answer("HEAD", head, request, slot, exchange)
            head.drain_conn()
            head.release_conn()
        try:
            response = ask("GET")
        except Exception as error:
            # a server may send a body after the head, too late to be detected before the GET was sent
            if not exchange.reused or self._why(error, exchange)[0] not in NO_HEAD:
                raise
            raise KeptClosed("the connection of the HEAD is of no use") from error
        return self._answer("GET", response, request, slot, exchange)

    def _decides(self, head: urllib3.BaseHTTPResponse, request: Request) -> bool:
        """The response to a HEAD makes the GET unnecessary, or asks us not to send it."""
        moved = head.status in REDIRECT_STATUSES and "Location" in head.headers
        unmodified = request.unmodified is not None and head.status == http.HTTPStatus.NOT_MODIFIED
        return moved or unmodified or head.status in OVERLOADED_STATUSES or bool(self._refusal(head, request))

    def _refusal(self, response: urllib3.BaseHTTPResponse, request: Request) -> Code:
        """Why the body of a page is refused, according to its head."""
        if kind_of(request) == ROBOTS or not 200 <= response.status < 300 or response.status in NO_CONTENT_STATUSES:
            return NONE
        if not self._settings.wants(request, response.headers.getlist("Content-Type")):
            return TYPE
        return TOO_LARGE if (_length(response) or 0) > self._settings.max_body else NONE

    def _answer(
        self, method: str, response: urllib3.BaseHTTPResponse, request: Request, slot: memoryview, exchange: Exchange
    ) -> Answer:
        """Store the response in the slot."""
        body, complete, end = Body(room=slot[HEAD_ROOM:], most=self._settings.max_body), False, NONE
        incomplete, unclosed = NONE, False
        try:
            refused = self._refusal(response, request)
            bodiless = method == "HEAD" or response.length_remaining == 0
            if bodiless:
                response.read()  # reads nothing, but releases the connection
                complete = True
            elif not refused:
                refused, end = self._read(body, _length(response), kind_of(request), exchange)
                complete = not (refused or end)
            ended = self.exchanges.clock()  # now: the time after this is not the server's
            if exchange.expired:  # a socket that was shut down looks like the end of a body
                complete, end = False, TIMEOUT_TOTAL
            if not (bodiless or refused):
                last_chunk, framing = body.last_chunk, _framing(response, exchange, body.most)
                incomplete, unclosed = framing.ended(body.room[: body.size], last_chunk=last_chunk, end=end)
            sent = without_credentials(exchange.request) if self._settings.requests else b""
            raw = exchange.answer.raw if exchange.answer is not None else b""
            head = head_of(response, raw, exchange.address, sent, exchange.tls, exchange.cipher)
            head_size = keep_head(head, slot)
        finally:
            if not complete:
                response.close()  # remaining bytes must not be read as the next response
            response.release_conn()
        return Answer(
            status=response.status,
            address=exchange.address,
            started=exchange.started,
            ended=ended,
            head=head,
            head_size=head_size,
            body_size=body.size,
            received=body.received + exchange.lost,
            retry_after=retry_after(response.headers.get("Retry-After", ""), ended),
            refused=refused,
            incomplete=incomplete,
            unclosed=unclosed,
            requests=exchange.requests,
            method=method,
            set_cookies=tuple(exchange.set_cookies),
        )

    def _read(self, body: Body, length: int | None, kind: str, exchange: Exchange) -> tuple[Code, Code]:
        """(Why the body was not kept, or not all of it; how the connection ended, as in `Framing.ended`)."""
        answer = exchange.answer
        assert answer is not None
        if length is not None and length > self._settings.max_body and kind != ROBOTS:
            return TOO_LARGE, NONE
        try:
            fits = body.read(answer.fp, length, chunked=bool(answer.chunked))
        except (OSError, http.client.HTTPException) as error:
            return NONE, broken_off(error)
        if not fits:
            return TOO_LARGE, NONE
        answer.close()  # releases its connection
        return NONE, TRUNCATED if answer.unclosed else NONE


def _length(response: urllib3.BaseHTTPResponse) -> int | None:
    headers = response.headers
    codings = transfer_codings(headers.getlist("Transfer-Encoding"))
    return length_of(headers.get("Content-Length", ""), transfer_encoding=bool(codings))


def _framing(response: urllib3.BaseHTTPResponse, exchange: Exchange, most: int) -> Framing:
    chunked = exchange.answer is not None and bool(exchange.answer.chunked)
    coding = ", ".join(response.headers.getlist("Content-Encoding"))
    return Framing(chunked=chunked, length=_length(response), coding=coding, most=most)
