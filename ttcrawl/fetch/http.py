"""One GET: a URL becomes bytes in a slot, or a reason why not."""

from __future__ import annotations

import errno
import http.client
import pickle
import re
import socket
import ssl
from dataclasses import dataclass

import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
    SSLError,
)

from ttcrawl import __version__
from ttcrawl.clock import Clock
from ttcrawl.config import Config, resolve_map
from ttcrawl.fetch.connection import Pools
from ttcrawl.fetch.exchange import Exchange, Exchanges
from ttcrawl.messages import HEAD_ROOM, Head

CHUNK = 256 << 10

#: A percent sign that begins no escape. urllib3 would take it as a sign that nothing is escaped, and escape all again.
STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


class NotFetched(Exception):
    """No answer that could be kept; `reason` is one of the words that the ledger knows."""

    def __init__(self, reason: str, detail: str, started: float) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail, self.started = reason, detail, started


class TooLargeHead(Exception):
    """The head of a response does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What lies in the slot now."""

    status: int
    address: str
    started: float  # when the first byte left
    ended: float  # when the last one had come
    head_size: int
    body_size: int
    whole: bool


def user_agent(config: Config) -> str:
    contact = f" (+{config.agent.contact})" if config.agent.contact else ""
    return f"{config.agent.name}/{__version__}{contact}"


class Transport:
    """GET over urllib3 with kept-alive connections; for all threads of one fetch process."""

    def __init__(self, config: Config, clock: Clock) -> None:
        self.exchanges = Exchanges(clock)
        self._pools = Pools(resolve_map(config.fetch.resolve), self.exchanges, config.crawl.threads)
        self._timeout = urllib3.Timeout(connect=config.fetch.connect_timeout, read=config.fetch.read_timeout)
        self._total = config.fetch.total_timeout
        self._max_body = config.fetch.max_body
        self._headers = {
            "User-Agent": user_agent(config),
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": "gzip, deflate",
        }

    def get(self, url: str, slot: memoryview, not_before: float) -> Answer:
        """Make one exchange for a canonical URL, no packet of it before the moment given. Raises NotFetched only.

        The body is kept as it came (still in its content coding, without the framing of HTTP/1.1).
        """
        with self.exchanges.exchange(not_before, self._total) as exchange:
            try:
                return self._get(url, slot, exchange)
            except Exception as error:
                if exchange.expired:
                    reason, detail = "timeout: total", f"not complete after {self._total:g} s"
                elif isinstance(error, TooLargeHead):
                    reason, detail = "headers too large", f"{error} bytes"
                else:
                    reason, detail = why(error)
                raise NotFetched(reason, detail, exchange.started) from error

    def _get(self, url: str, slot: memoryview, exchange: Exchange) -> Answer:
        scheme, _, authority, target = url.split("/", 3)
        response = self._pools.of(f"{scheme}//{authority}").urlopen(
            "GET",
            "/" + STRAY_PERCENT.sub("%25", target),
            headers=self._headers,
            retries=False,
            redirect=False,
            assert_same_host=False,
            timeout=self._timeout,
            preload_content=False,
            decode_content=False,
        )
        whole = False
        try:
            size = self._body(response, slot[HEAD_ROOM:])
            ended = self.exchanges.clock()  # at once: what follows is none of the server's business
            whole = size is not None
            head = _head(response, exchange.address)
            slot[: len(head)] = head
        finally:
            if not whole:
                response.close()  # what is still to come must not be taken for the next answer
            response.release_conn()
        return Answer(
            status=response.status,
            address=exchange.address,
            started=exchange.started,
            ended=ended,
            head_size=len(head),
            body_size=size or 0,
            whole=whole,
        )

    def _body(self, response: urllib3.BaseHTTPResponse, room: memoryview) -> int | None:
        """Read the body into `room`: bytes read, or None when it is longer than the limit."""
        said = response.headers.get("Content-Length", "")
        length = int(said) if said.isascii() and said.isdigit() else None
        if length is not None and length > self._max_body:
            return None
        size = 0
        while chunk := response.read(CHUNK):
            if size + len(chunk) > self._max_body:
                return None
            room[size : size + len(chunk)] = chunk
            size += len(chunk)
            if size == length:
                break  # another read would say no more than that
        return size


def _head(response: urllib3.BaseHTTPResponse, address: str) -> bytes:
    version = {9: "HTTP/0.9", 10: "HTTP/1.0"}.get(response.version, "HTTP/1.1")
    head = Head(
        status=response.status,
        phrase=response.reason or "",
        version=version,
        headers=tuple(response.headers.iteritems()),
        address=address,
    )
    pickled = pickle.dumps(head, pickle.HIGHEST_PROTOCOL)
    if len(pickled) > HEAD_ROOM:
        raise TooLargeHead(len(pickled))
    return pickled


def why(error: Exception) -> tuple[str, str]:
    """The ledger's reason for what urllib3, http.client or the system raised, and the words of the error."""
    detail = " ".join(str(error).split())[:300]
    for cause in _causes(error):
        reason = _reason(cause)
        if reason:
            return reason, detail
    return "protocol", f"{type(error).__name__}: {detail}"


def _causes(error: BaseException) -> list[BaseException]:
    """An error, what it carries as argument, and what it came from, the innermost first."""
    causes = [error, *(each for each in error.args if isinstance(each, BaseException))]
    inner = error.__cause__ or error.__context__
    return (_causes(inner) if inner is not None else []) + causes[::-1]


def _reason(error: BaseException) -> str:
    if isinstance(error, NameResolutionError):
        temporary = isinstance(error.__cause__, socket.gaierror) and error.__cause__.errno == socket.EAI_AGAIN
        return "dns: temporary" if temporary else "dns"
    if isinstance(error, ssl.SSLError | SSLError | ssl.CertificateError):
        return "tls"
    if isinstance(error, ConnectTimeoutError) and not isinstance(error, NewConnectionError):
        return "timeout: connect"
    if isinstance(error, ReadTimeoutError):
        return "timeout: read"
    if isinstance(error, http.client.RemoteDisconnected):
        return "disconnected"
    if isinstance(error, http.client.IncompleteRead):
        return "truncated"
    if isinstance(error, OSError) and not isinstance(error, HTTPError | socket.gaierror | TimeoutError):
        return _BY_ERRNO.get(error.errno or 0, "network")
    if isinstance(error, ProtocolError | http.client.HTTPException) and not error.args[1:]:
        return "protocol"
    return ""


_BY_ERRNO = {
    errno.ECONNREFUSED: "refused",
    errno.ECONNRESET: "reset",
    errno.EPIPE: "reset",
    errno.EHOSTUNREACH: "unreachable",
    errno.ENETUNREACH: "unreachable",
    errno.EHOSTDOWN: "unreachable",
    errno.ETIMEDOUT: "timeout: connect",
}
