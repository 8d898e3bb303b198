"""The requests of a page's scripts: which of them are made, and how."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias

from msgspec import msgpack, structs

from ttcrawl import config
from ttcrawl.browser.cache import SHARED, Cache, Entry, Response, confirmed, lifetime
from ttcrawl.browser.turns import Turns
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.parse.head import coding, first_values
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, ROBOTS, Request
from ttcrawl.ring.rendering import Resource
from ttcrawl.vocabulary.reason import KEPT_CLOSED, REDIRECT_STATUSES
from ttcrawl.web.coding.decode import CodingError, decode
from ttcrawl.web.cookies.jar import Jar
from ttcrawl.web.fields import reference
from ttcrawl.web.robots import Rules, decoded
from ttcrawl.web.url import host, registrable_domain, resolve

#: Name and value of each.
Headers: TypeAlias = tuple[tuple[str, str], ...]

#: Redirects of one request that are followed, as browsers do (WHATWG Fetch 4.4).
REDIRECTS = 20

#: Redirects of a robots.txt that are followed (RFC 9309 section 2.3.1.2), and its path.
ROBOTS_REDIRECTS, ROBOTS_TXT = 5, "robots.txt"

#: Types of requests, in the words of the DevTools protocol, that show something and change nothing.
MEDIA = frozenset(("image", "media", "font", "texttrack"))

#: Headers of the browser that are sent; the others are as in any request of the crawl.
SENT = frozenset(("accept", "origin", "x-requested-with"))


class RefusedRequest(Exception):
    """A request of a page that is not made, or has no answer that the page may have."""


@dataclass(slots=True, kw_only=True)
class PageRequests:
    """The requests of one page, one after the other, within its limits. Times by the crawl's clock."""

    page: Request
    settings: config.Browser
    fetch: config.Fetch
    transport: Transport
    cache: Cache
    turns: Turns
    jar: Jar  # the cookies of the page's host
    read_robots: Callable[[str], Rules]  # the text of a robots.txt -> its rules
    clock: Clock
    room: memoryview
    until: float  # no request begins later
    resources: list[Resource] = field(default_factory=list)
    requests: int = 0  # sent
    size: int = 0  # bytes that are kept
    _rules: dict[str, Rules | None] = field(default_factory=dict)  # URL of a robots.txt -> its rules

    def get(self, url: str, method: str, kind: str, headers: dict[str, str]) -> Response:
        """Answer a request of the browser; redirects are followed. Raises RefusedRequest."""
        if method != "GET" or (kind in MEDIA and not self.settings.media):
            raise RefusedRequest(f"{method} {kind}")
        target, sent = resolve(self.page.url, url), _sent(headers)
        for _ in range(REDIRECTS):
            if target is None:
                raise RefusedRequest("not an http(s) URL")
            self._check_scope(target)
            self._check_robots(target)
            response = self._respond(target, kind, sent)
            if isinstance(response, Response):
                return response
            target = resolve(target, response)
        raise RefusedRequest("too many redirects")

    def _check_scope(self, target: str) -> None:
        """Raises RefusedRequest."""
        here, there = host(self.page.url), host(target)
        own = {"host": there == here, "site": registrable_domain(there) == registrable_domain(here), "all": True}
        if not own[self.settings.resources]:
            raise RefusedRequest(f"{there} is out of scope")

    def _check_robots(self, target: str) -> None:
        """Raises RefusedRequest for a URL that the robots.txt of its host does not allow, or if that is unknown."""
        if not self.settings.robots:
            return
        origin, path = target.split("/", 3)[:3], target.split("/", 3)[3]
        address = "/".join((*origin, ROBOTS_TXT))
        if path != ROBOTS_TXT and address not in self._rules:
            self._rules[address] = rules = self._read_robots(address)
            if rules is not None:
                self.turns.delays.read(host(target), rules.delay)
        known = self._rules.get(address)
        if path != ROBOTS_TXT and (known is None or not known.allows(target)):
            raise RefusedRequest(f"robots.txt: {target}")

    def _read_robots(self, url: str) -> Rules | None:
        """Return the rules (RFC 9309 section 2.3.1); None: they could not be read, so nothing is allowed."""
        target: str | None = url
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                response = "" if target is None else self._respond(target, ROBOTS, ())
                if isinstance(response, Response):
                    return self.read_robots(decoded(response.body) if response.status == HTTPStatus.OK else "")
                target = resolve(target or url, response)
        except RefusedRequest:
            return None
        return self.read_robots("")

    def _respond(self, url: str, kind: str, sent: Headers) -> Response | str:
        """Return the response to one request, from the cache if it is fresh there; of a redirect its location."""
        entry = self.cache.get((url, sent))
        if entry is not None and self.clock() < entry.lifetime.until:
            self._keep(entry.resource)
            return entry.response
        if not self.turns.enter(host(url), self.until):
            raise RefusedRequest(f"{host(url)} is not free")
        with self.cache.turn((url, sent)) if kind in SHARED else nullcontext():  # which has what others wait for
            return self._request(url, kind, sent)

    def _request(self, url: str, kind: str, sent: Headers) -> Response | str:
        entry = self.cache.get((url, sent))
        if entry is not None and self.clock() < entry.lifetime.until:  # another thread has made the request
            self._keep(entry.resource)
            return entry.response
        answer, body = self._answer(url, sent + (entry.lifetime.conditions if entry else ()))
        resource = Resource(url=url, head=answer.head, body=body, started=answer.started, truncated=_truncated(answer))
        if entry is not None and answer.status == HTTPStatus.NOT_MODIFIED:
            self._keep(entry.resource)
            self._keep(structs.replace(resource, confirms=entry.resource.started))
            self.cache.put((url, sent), confirmed(kind, entry, answer))
            return entry.response
        until = None if answer.refused or answer.incomplete else lifetime(kind, answer)
        resource = structs.replace(resource, shared=until is not None)
        self._keep(resource)
        location = first_values(answer.head).get("location")
        if answer.status in REDIRECT_STATUSES and location:
            return reference(location)
        if kind == ROBOTS and (answer.status >= 500 or answer.status == HTTPStatus.TOO_MANY_REQUESTS):
            raise RefusedRequest(f"{answer.status} for {url}")
        response = self._response(answer, body)
        if until is not None:
            self.cache.put((url, sent), Entry(response=response, resource=resource, lifetime=until))
        return response

    def _answer(self, url: str, headers: Headers, *, renew: bool = False) -> tuple[Answer, bytes]:
        """Make one request within the limits, over a new connection if `renew`. Raises RefusedRequest."""
        if self.requests >= self.settings.max_requests or self.clock() >= self.until:
            raise RefusedRequest(f"{url} is one too many")
        # only a host that the crawl process chose has an address chosen by it
        own = host(url) == host(self.page.url)
        address = self.page.address if own else ""
        request = Request(
            token=0,
            kind=PAGE,
            url=url,
            depth=0,
            not_before=0.0,
            address=address,
            headers=headers + (self.jar.headers(url, self.clock()) if own else ()),
            renew=renew,
        )
        try:
            answer = self.transport.get(request, self.room)
        except NotFetched as error:
            self.requests += error.requests
            self.turns.requested(url, None, error.requests, error.received, error.started)
            if error.reason == KEPT_CLOSED:
                return self._answer(url, headers, renew=True)
            raise RefusedRequest(error.detail) from error
        self.requests += answer.requests
        if own:
            self.jar.take(url, answer.set_cookies, answer.ended)
        self.turns.requested(url, answer, answer.requests, answer.received, answer.started)
        return answer, bytes(self.room[HEAD_ROOM : HEAD_ROOM + answer.body_size])

    def _keep(self, resource: Resource) -> None:
        """Raises RefusedRequest if it is too much for the page."""
        if any(each is resource for each in self.resources):
            return
        self.size += len(msgpack.encode(resource.head)) + len(resource.body)
        if self.size > self.settings.max_bytes:
            raise RefusedRequest(f"more than {self.settings.max_bytes:,} bytes")
        self.resources.append(resource)

    def _response(self, answer: Answer, body: bytes) -> Response:
        if answer.refused or answer.incomplete:
            raise RefusedRequest("incomplete")
        try:
            plain = decode(body, coding(answer.head), self.fetch.max_decoded, self.fetch.max_ratio)
        except CodingError as error:
            raise RefusedRequest(str(error)) from error
        return Response(status=answer.status, headers=shown(answer.head.headers), body=plain)


def _truncated(answer: Answer) -> str:
    """Return why an answer is incomplete, or may be, in the words of WARC-Truncated; "" if it is complete."""
    return "length" if answer.refused else "disconnect" if answer.incomplete or answer.unclosed else ""


def shown(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the headers of a response for the browser: as of the decoded body, without cookies.

    Policies of the site may forbid what we answer ourselves, and reports would be requests of their own.
    """
    left_out = {"content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection", "refresh"}
    left_out |= {"report-to", "reporting-endpoints", "nel", "strict-transport-security", "alt-svc", "clear-site-data"}
    joined: dict[str, str] = {}
    for name, value in headers:
        if (lower := name.lower()) not in left_out:
            joined[lower] = f"{joined[lower]}, {value}" if lower in joined else value
    return joined


def _sent(headers: dict[str, str]) -> Headers:
    return tuple((name.title(), value) for name, value in headers.items() if name.lower() in SENT)


def room(max_body: int) -> memoryview:
    """Return memory for one answer; it is taken when it is written."""
    return memoryview(mmap.mmap(-1, HEAD_ROOM + max_body))
