"""One GET: a URL becomes bytes in a slot, or a reason why not."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass

import urllib3

from ttcrawl import __version__
from ttcrawl.address import Pairs, allowed
from ttcrawl.clock import Clock
from ttcrawl.config import Config, resolve_map
from ttcrawl.fetch.addresses import AddressBook, LookUp, look_up
from ttcrawl.fetch.connection import Pools
from ttcrawl.fetch.exchange import Exchange, Exchanges
from ttcrawl.fetch.reasons import why
from ttcrawl.fetch.retry_after import retry_after
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
    retry_after: float | None  # seconds
    refused: str  # why nothing of the body was kept


def user_agent(config: Config) -> str:
    contact = f" (+{config.agent.contact})" if config.agent.contact else ""
    return f"{config.agent.name}/{__version__}{contact}"


class Transport:
    """GET over urllib3 with kept-alive connections; for all threads of one fetch process."""

    def __init__(self, config: Config, clock: Clock, granted: Pairs = frozenset(), look_up: LookUp = look_up) -> None:
        self.exchanges = Exchanges(clock)
        book = AddressBook(named=resolve_map(config.fetch.resolve), allowed=allowed(config, granted), look_up=look_up)
        self._pools = Pools(book, self.exchanges, threads=config.crawl.threads, verify_tls=config.fetch.verify_tls)
        self._timeout = urllib3.Timeout(connect=config.fetch.connect_timeout, read=config.fetch.read_timeout)
        self._total = config.fetch.total_timeout
        self._max_body = config.fetch.max_body
        self._headers = {
            "User-Agent": user_agent(config),
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": "gzip, deflate, br, zstd",
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
            retry_after=retry_after(response.headers.get("Retry-After", ""), ended),
            refused="" if whole else "too large",
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
