"""The requests of a page's scripts: which of them are made, and how."""

from __future__ import annotations

import mmap
from dataclasses import dataclass, field

from ttcrawl import config
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.http import NotFetched, Transport
from ttcrawl.parse.coding.decode import CodingError, decode
from ttcrawl.parse.head import coding, first_values
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, Request
from ttcrawl.ring.rendering import Resource
from ttcrawl.web.url import host, registrable_domain, resolve

#: Redirects of one request that are followed, as browsers do (WHATWG Fetch 4.4).
REDIRECTS = 20

#: Types of requests, in the words of the DevTools protocol, that show something and change nothing.
MEDIA = frozenset(("image", "media", "font", "texttrack"))

#: Headers of the browser that are sent; all others are those of any request of the crawl.
SENT = frozenset(("accept", "origin", "x-requested-with"))


class RefusedRequest(Exception):
    """A request of a page that is not made, or has no answer that the page may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer as the browser gets it."""

    status: int
    headers: dict[str, str]
    body: bytes  # decoded


@dataclass(slots=True, kw_only=True)
class PageRequests:
    """The requests of one page, one after the other, within its limits. Times by the crawl's clock."""

    page: Request
    settings: config.Browser
    fetch: config.Fetch
    transport: Transport
    clock: Clock
    room: memoryview
    until: float  # no request begins later
    resources: list[Resource] = field(default_factory=list)
    requests: int = 0  # sent
    received: int = 0  # bytes on the wire
    size: int = 0  # bytes that are kept

    def get(self, url: str, method: str, kind: str, headers: dict[str, str]) -> Response:
        """Answer a request of the browser; redirects are followed. Raises RefusedRequest."""
        if method != "GET" or (kind in MEDIA and not self.settings.media):
            raise RefusedRequest(f"{method} {kind}")
        target, sent = resolve(self.page.url, url), _sent(headers)
        for _ in range(REDIRECTS):
            self._check(target)
            assert target is not None
            answer, body = self._answer(target, sent)
            location = first_values(answer.head).get("location")
            if not (300 <= answer.status < 400 and location):
                return self._response(answer, body)
            target = resolve(target, location)
        raise RefusedRequest("too many redirects")

    def _check(self, target: str | None) -> None:
        """Raises RefusedRequest for a URL out of scope, and if a limit is reached."""
        if target is None or self.requests >= self.settings.max_requests or self.clock() >= self.until:
            raise RefusedRequest(target or "not an http(s) URL")
        here, there = host(self.page.url), host(target)
        own = {"host": there == here, "site": registrable_domain(there) == registrable_domain(here), "all": True}
        if not own[self.settings.resources]:
            raise RefusedRequest(f"{there} is out of scope")

    def _answer(self, url: str, headers: tuple[tuple[str, str], ...]) -> tuple[Answer, bytes]:
        # only a host that the crawl process chose has an address chosen by it
        address = self.page.address if host(url) == host(self.page.url) else ""
        request = Request(token=0, kind=PAGE, url=url, depth=0, not_before=0.0, address=address, headers=headers)
        try:
            answer = self.transport.get(request, self.room)
        except NotFetched as error:
            self.requests += error.requests
            self.received += error.received
            raise RefusedRequest(error.detail) from error
        self.requests += answer.requests
        self.received += answer.received
        body = bytes(self.room[HEAD_ROOM : HEAD_ROOM + answer.body_size])
        self.size += answer.head_size + len(body)
        if self.size > self.settings.max_bytes:
            raise RefusedRequest(f"more than {self.settings.max_bytes:,} bytes")
        truncated = "length" if answer.refused else "disconnect" if answer.incomplete else ""
        self.resources.append(
            Resource(url=url, head=answer.head, body=body, started=answer.started, truncated=truncated)
        )
        return answer, body

    def _response(self, answer: Answer, body: bytes) -> Response:
        if answer.refused or answer.incomplete:
            raise RefusedRequest("incomplete")
        try:
            plain = decode(body, coding(answer.head), self.fetch.max_decoded, self.fetch.max_ratio)
        except CodingError as error:
            raise RefusedRequest(str(error)) from error
        return Response(status=answer.status, headers=shown(answer.head.headers), body=plain)


def shown(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the headers of a response for the browser: those of the decoded body, without cookies.

    Policies of the site may forbid what we answer ourselves, and reports would be requests of their own.
    """
    left_out = {"content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection", "refresh"}
    left_out |= {"report-to", "reporting-endpoints", "nel", "strict-transport-security", "alt-svc", "clear-site-data"}
    joined: dict[str, str] = {}
    for name, value in headers:
        if (lower := name.lower()) not in left_out:
            joined[lower] = f"{joined[lower]}, {value}" if lower in joined else value
    return joined


def _sent(headers: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name.title(), value) for name, value in headers.items() if name.lower() in SENT)


def room(max_body: int) -> memoryview:
    """Return memory for one answer; it is taken when it is written."""
    return memoryview(mmap.mmap(-1, HEAD_ROOM + max_body))
