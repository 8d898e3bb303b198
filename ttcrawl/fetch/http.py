"""One GET, or a HEAD and a GET: a URL becomes bytes in a slot, or a reason why not."""

from __future__ import annotations

import http
import http.client
import re
import socket
from functools import partial
from typing import Protocol

import urllib3

from ttcrawl import __version__
from ttcrawl.config import Config, logins, proxy, resolve_map
from ttcrawl.fetch.addresses import AddressBook, BlockedAddress, LookUp, look_up
from ttcrawl.fetch.answer import Answer, head_of, keep_head, length_of
from ttcrawl.fetch.body import Body
from ttcrawl.fetch.connection import Pools
from ttcrawl.fetch.exchange import Exchange, Exchanges
from ttcrawl.fetch.head import HeadLimits, TooLargeHead
from ttcrawl.fetch.proxy import ProxyFailed
from ttcrawl.fetch.reading import settings
from ttcrawl.fetch.reasons import broken_off, lost, why
from ttcrawl.fetch.retry_after import retry_after
from ttcrawl.fetch.wanted import wanted
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, ROBOTS, Request
from ttcrawl.vocabulary.reason import (
    DISCONNECTED,
    HEADERS_TOO_LARGE,
    NONE,
    PROTOCOL,
    RESET,
    TIMEOUT_TOTAL,
    TOO_LARGE,
    TYPE,
    Code,
)
from ttcrawl.web.address import Pairs, allowed
from ttcrawl.web.url import split_port


class Ask(Protocol):
    """Method -> response, its body not read; `renew`: over a new connection."""

    def __call__(self, method: str, *, renew: bool = False) -> urllib3.BaseHTTPResponse: ...


#: After a HEAD that ended so the URL is asked for with GET. All else is said of the host, not of its way with HEAD.
NO_HEAD = frozenset({PROTOCOL, DISCONNECTED, RESET, HEADERS_TOO_LARGE})

#: A percent sign that begins no escape. urllib3 would take it as a sign that nothing is escaped, and escape all again.
STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


class NotFetched(Exception):
    """No answer that could be kept; `reason` is one of the words that the ledger knows."""

    def __init__(self, reason: Code, detail: str, started: float, requests: int = 1, received: int = 0) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail, self.started, self.requests = reason, detail, started, requests
        self.received = received  # bytes of a head that broke off


def user_agent(config: Config) -> str:
    contact = f" (+{config.agent.contact})" if config.agent.contact else ""
    return f"{config.agent.name}/{__version__}{contact}"


class Transport:
    """HTTP over urllib3 with kept-alive connections; for all threads of one fetch process."""

    def __init__(self, config: Config, clock: Clock, granted: Pairs = frozenset(), look_up: LookUp = look_up) -> None:
        fetch = config.fetch
        self.exchanges = Exchanges(clock)
        self.read_by = settings(config)
        named = resolve_map(fetch.resolve)
        self._book = AddressBook(named=named, allowed=allowed(config, granted), look_up=look_up)
        self._pools = Pools(
            self._book,
            self.exchanges,
            head=HeadLimits(size=fetch.max_head, lines=fetch.max_headers),
            threads=config.crawl.threads,
            verify_tls=fetch.verify_tls,
            proxy=proxy(fetch.proxy),
        )
        self._timeout = urllib3.Timeout(connect=fetch.connect_timeout, read=fetch.read_timeout)
        self._total = fetch.total_timeout
        self._max_body = fetch.max_body
        self._types = frozenset(fetch.types.lower().split())
        self._head_first = fetch.head_first
        self._logins = {host: login.basic() for host, login in logins(fetch.login).items()}
        self._cookies = fetch.cookies != "no"
        self._headers = {
            "User-Agent": user_agent(config),
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": "gzip, deflate, br, zstd",
        }

    def resolve(self, url: str) -> tuple[str, ...]:
        """The addresses at which the host of a dns: URL (RFC 4501) may be asked. Raises NotFetched only."""
        name = split_port(url.removeprefix("dns:"))[0]
        try:
            return tuple(self._book.resolve(name))
        except (socket.gaierror, BlockedAddress) as error:
            raise NotFetched(*why(error), 0.0, 0) from error

    def get(self, request: Request, slot: memoryview) -> Answer:
        """Make one exchange, no packet of it before its moment. Raises NotFetched only.

        The body is kept as it came (still in its content coding, without the framing of HTTP/1.1), and as far as it
        came: of one that is too large or breaks off its beginning. One whose head says that it is too large is not
        read, unless it is a robots.txt or a sitemap.
        """
        kind = ROBOTS if request.sitemap else request.kind  # whatever its type, and its beginning is of use
        with self.exchanges.exchange(request.not_before, self._total, request.address) as exchange:
            ask = partial(self._ask, request, exchange)
            try:
                if self._head_first and kind == PAGE:
                    return self._head_then_get(ask, slot, exchange)
                return self._answer("GET", ask("GET"), kind, slot, exchange)
            except Exception as error:
                reason, detail = self._why(error, exchange)
                requests, lost = max(1, exchange.requests), exchange.lost
                raise NotFetched(reason, detail, exchange.started, requests, lost) from error

    def _why(self, error: Exception, exchange: Exchange) -> tuple[Code, str]:
        if exchange.expired:
            return TIMEOUT_TOTAL, f"not complete after {self._total:g} s"
        return (HEADERS_TOO_LARGE, str(error)) if isinstance(error, TooLargeHead) else why(error)

    def _ask(
        self, request: Request, exchange: Exchange, method: str, *, renew: bool = False
    ) -> urllib3.BaseHTTPResponse:
        """Send a request, with `renew` over a new connection, and read the head of the answer.

        A server may close a connection that it kept at any moment, and then knows nothing of a request that was on its
        way: it goes out once more, over a new one (RFC 9112 section 9.3.1). Raises what urllib3 and http.client do.
        """
        scheme, _, authority, target = request.url.split("/", 3)
        origin = f"{scheme}//{authority}"
        exchange.reused, exchange.answer = False, None
        if not renew:
            try:
                response = self._send(request, method, origin, authority, target)
            except Exception as error:
                if not exchange.reused or exchange.answer or not lost(error) or self._over(exchange):
                    raise
            else:
                if not (response.status == http.HTTPStatus.REQUEST_TIMEOUT and exchange.reused):
                    return self._head(response, origin, exchange)
                response.close()  # what a server says that closes an idle connection: RFC 9110 section 15.5.9
        self._pools.renew(origin, request.address)
        return self._head(self._send(request, method, origin, authority, target), origin, exchange)

    def _over(self, exchange: Exchange) -> bool:
        """Its time is up: it may be for this that its socket is shut."""
        return exchange.expired or exchange.until <= self.exchanges.clock()

    def _send(
        self, request: Request, method: str, origin: str, authority: str, target: str
    ) -> urllib3.BaseHTTPResponse:
        login = self._logins.get(authority)
        return self._pools.of(origin, request.address).urlopen(
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
        if self._cookies:
            exchange.set_cookies += response.headers.getlist("Set-Cookie")
        return response

    def _head_then_get(self, ask: Ask, slot: memoryview, exchange: Exchange) -> Answer:
        """What a HEAD leaves open is asked with a GET: many servers know no HEAD, or answer it as nothing else."""
        try:
            head = ask("HEAD")
        except Exception as error:
            if not exchange.requests or self._why(error, exchange)[0] not in NO_HEAD:
                raise
        else:
            if self._decides(head):
                return self._answer("HEAD", head, PAGE, slot, exchange)
            head.drain_conn()
            head.release_conn()
        try:
            response = ask("GET")
        except Exception as error:
            # a server may send a body after the head, too late for us to see it before the GET was sent
            if not exchange.reused or self._why(error, exchange)[0] not in NO_HEAD:
                raise
            response = ask("GET", renew=True)
        return self._answer("GET", response, PAGE, slot, exchange)

    def _decides(self, head: urllib3.BaseHTTPResponse) -> bool:
        """The answer to a HEAD makes the GET superfluous, or asks us not to send it."""
        moved = 300 <= head.status < 400 and "Location" in head.headers
        return moved or head.status in (429, 503) or bool(self._refusal(head, PAGE))

    def _refusal(self, response: urllib3.BaseHTTPResponse, kind: str) -> Code:
        """Why the body of a page is not wanted, by its head."""
        if kind == ROBOTS or not 200 <= response.status < 300:
            return NONE
        if not wanted(self._types, response.headers.getlist("Content-Type")):
            return TYPE
        return TOO_LARGE if (length_of(response) or 0) > self._max_body else NONE

    def _answer(
        self, method: str, response: urllib3.BaseHTTPResponse, kind: str, slot: memoryview, exchange: Exchange
    ) -> Answer:
        """Put into the slot what came."""
        body, whole, incomplete = Body(room=slot[HEAD_ROOM:], most=self._max_body), False, NONE
        try:
            refused = self._refusal(response, kind)
            if method == "HEAD" or response.length_remaining == 0:
                response.read()  # nothing; then the connection is free
                whole = True
            elif not refused:
                whole, refused, incomplete = self._read(body, length_of(response), kind, exchange)
            ended = self.exchanges.clock()  # at once: what follows is none of the server's business
            if exchange.expired:  # a shut socket looks like the end of a body
                whole, incomplete = False, TIMEOUT_TOTAL
            head = head_of(response, exchange.address)
            head_size = keep_head(head, slot)
        finally:
            if not whole:
                response.close()  # what is still to come must not be taken for the next answer
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
            requests=exchange.requests,
            method=method,
            set_cookies=tuple(exchange.set_cookies),
        )

    def _read(self, body: Body, length: int | None, kind: str, exchange: Exchange) -> tuple[bool, Code, Code]:
        """Whether all of a body came and is kept; why we read no more of it; why no more came."""
        answer = exchange.answer
        assert answer is not None
        if length is not None and length > self._max_body and kind != ROBOTS:
            return False, TOO_LARGE, NONE
        try:
            whole = body.read(answer.fp, length, chunked=bool(answer.chunked))
        except (OSError, http.client.HTTPException) as error:
            return False, NONE, broken_off(error)
        if whole:
            answer.close()  # its connection is free
        return whole, NONE if whole else TOO_LARGE, NONE
