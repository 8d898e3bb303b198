"""The requests of a page's scripts: which of them are made, and how."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from msgspec import msgpack, structs

from ttcrawl import config
from ttcrawl.browser.asked import GET, HEAD, IMAGE, MEDIA, OPTIONS, POST, READ, STUB, Asked
from ttcrawl.browser.cache import SHARED, Cache, Entry, Response, confirmed, lifetime
from ttcrawl.browser.cors import ALLOWED, NOBODY, may_read, needs_permission, origin_of, permits, question
from ttcrawl.browser.document import Document, document_of, shown
from ttcrawl.browser.turns import Turns
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.parse.head import coding
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.forms import Sending
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, ROBOTS, Request
from ttcrawl.ring.rendering import Resource
from ttcrawl.vocabulary.reason import KEPT_CLOSED, REDIRECT_STATUSES
from ttcrawl.web.coding.decode import CodingError, decode
from ttcrawl.web.cookies.jar import Jar
from ttcrawl.web.fields import reference
from ttcrawl.web.robots import Rules, decoded
from ttcrawl.web.url import host, registrable_domain, resolve

#: Redirects of one request that are followed, as browsers do (WHATWG Fetch 4.4).
REDIRECTS = 20

#: Where redirects lead, and the statuses of those that keep the method (WHATWG Fetch 4.4).
LOCATION, KEEP_METHOD = "location", frozenset((HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT))

#: Redirects of a robots.txt that are followed (RFC 9309 section 2.3.1.2), and its path.
ROBOTS_REDIRECTS, ROBOTS_TXT = 5, "robots.txt"


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
    may_post: Callable[[str], bool]  # by URL
    clock: Clock
    room: memoryview
    until: float  # no request begins later
    resources: list[Resource] = field(default_factory=list)
    requests: int = 0  # sent
    size: int = 0  # bytes that are kept
    beyond: bool = False  # the page made more requests than it may
    set_cookies: tuple[str, ...] = ()  # by its scripts, once it has loaded itself again
    secrets: tuple[str, ...] = ()  # what steps have filled in: no request with one of them is archived
    submits: bool = False  # a step sends a form: what it asks is made, and its cookies are those of the crawl
    submitted: tuple[str, ...] = ()  # the cookies that were set meanwhile, as Set-Cookie headers
    _rules: dict[str, Rules | str] = field(default_factory=dict)  # URL of a robots.txt -> its rules, or why not

    @property
    def keeps_cookies(self) -> bool:
        return self.fetch.cookies != "no"

    def has_secret(self, text: str) -> bool:
        """Whether a text has what steps have filled in."""
        return any(secret in text for secret in self.secrets)

    def get(self, asked: Asked) -> Response:
        """Answer a request of the browser; redirects are followed. Raises RefusedRequest."""
        if asked.kind == IMAGE and not self.settings.media:
            return STUB
        if asked.kind in MEDIA and not self.settings.media:
            raise RefusedRequest(asked.kind)
        if asked.method not in (GET, HEAD) and not (
            asked.method == POST and (self.submits or self.may_post(asked.url))
        ):
            raise RefusedRequest(f"{asked.method} {asked.url}")
        response = self._follow(asked)
        if asked.origin and ALLOWED not in response.headers:
            response = replace(response, headers=response.headers | {ALLOWED: NOBODY})
        return response

    def _follow(self, asked: Asked) -> Response:
        """Raises RefusedRequest."""
        target, here = resolve(self.page.url, asked.url), origin_of(self.page.url)
        # whose answer it is to be: "" if it is not read, but shown or run
        reader = asked.origin or (here if asked.kind in READ and target and origin_of(target) == here else "")
        for _ in range(REDIRECTS):
            if target is None:
                raise RefusedRequest("not an http(s) URL")
            self._check_scope(target)
            self.check_robots(target)
            asked = replace(asked, url=target)
            other = bool(reader) and origin_of(target) != reader
            if other and needs_permission(asked.method, asked.headers):
                self._ask(asked, reader)
            response = self._respond(asked)
            if other and not may_read(reader, response.headers):
                raise RefusedRequest(f"{target} is not for {reader}")
            location = _location(response)
            if not location:
                return response
            target = resolve(target, location)
            if asked.method == POST and response.status not in KEEP_METHOD:
                asked = replace(asked, method=GET, body=b"")
            if other and target and origin_of(target) != origin_of(asked.url):
                reader = "null"
        raise RefusedRequest("too many redirects")

    def _ask(self, asked: Asked, reader: str) -> None:
        """Ask another origin whether it permits a request. Raises RefusedRequest."""
        headers = question(reader, asked.method, asked.headers)
        answer = self._respond(Asked(url=asked.url, method=OPTIONS, kind=asked.kind, headers=headers))
        if not permits(reader, asked.method, asked.headers, answer.status, answer.headers):
            raise RefusedRequest(f"{asked.url} is not for {reader}")

    def again(self, set_cookies: tuple[str, ...]) -> Document | None:
        """The page once more, with the cookies that its scripts have set; None: there is no such page."""
        self.jar.take(self.page.url, set_cookies, self.clock())
        self.set_cookies = set_cookies
        try:
            if not self.turns.enter(host(self.page.url), self.until):
                return None
            answer, body = self._answer(Asked(url=self.page.url, method=GET, kind=PAGE))
            self._keep(_resource(self.page.url, answer, body))
        except RefusedRequest:
            return None
        complete = 200 <= answer.status < 300 and not (answer.refused or answer.incomplete)
        return document_of(self.page.url, answer.head, body, self.fetch) if complete else None

    def submit(self, asked: Asked) -> tuple[str, Document | None]:
        """Send a form, and follow redirects. Return where that ends, and the page there; None: it is none.

        robots.txt is not asked: a step names the form. Raises RefusedRequest.
        """
        target = resolve(self.page.url, asked.url)
        for _ in range(REDIRECTS):
            if target is None:
                raise RefusedRequest("not an http(s) URL")
            self._check_scope(target)
            if not self.turns.enter(host(target), self.until):
                raise RefusedRequest(f"{host(target)} is not free")
            answer, body = self._answer(replace(asked, url=target))
            location = (
                reference(shown(answer.head.headers).get(LOCATION, "")) if answer.status in REDIRECT_STATUSES else ""
            )
            if not location:
                return target, document_of(target, answer.head, body, self.fetch)
            target = resolve(target, location)
            if answer.status not in KEEP_METHOD:
                headers = tuple(each for each in asked.headers if each[0] != "Content-Type")
                asked = replace(asked, method=GET, body=b"", headers=headers)
        raise RefusedRequest("too many redirects")

    def _check_scope(self, target: str) -> None:
        """Raises RefusedRequest."""
        here, there = host(self.page.url), host(target)
        own = {"host": there == here, "site": registrable_domain(there) == registrable_domain(here), "all": True}
        if not own[self.settings.resources]:
            raise RefusedRequest(f"{there} is out of scope")

    def check_robots(self, target: str) -> None:
        """Raises RefusedRequest for a URL that the robots.txt of its host does not allow, or if that is unknown."""
        origin, path = target.split("/", 3)[:3], target.split("/", 3)[3]
        if path == ROBOTS_TXT or not self.settings.robots:
            return
        address = "/".join((*origin, ROBOTS_TXT))
        if address not in self._rules:
            self._rules[address] = rules = self._read_robots(address)
            if not isinstance(rules, str):
                self.turns.delays.read(host(target), rules.delay)
        known = self._rules[address]
        if isinstance(known, str):
            raise RefusedRequest(f"the robots.txt of {target} could not be read ({known})")
        if not known.allows(target):
            raise RefusedRequest(f"robots.txt forbids {target}")

    def _read_robots(self, url: str) -> Rules | str:
        """Return the rules (RFC 9309 section 2.3.1), or why they could not be read: then nothing is allowed."""
        target: str | None = url
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                if target is None:
                    break
                response = self._respond(Asked(url=target, method=GET, kind=ROBOTS))
                location = _location(response)
                if not location:
                    return self.read_robots(decoded(response.body) if response.status == HTTPStatus.OK else "")
                target = resolve(target, location)
        except RefusedRequest as error:
            return str(error)
        return self.read_robots("")

    def _respond(self, asked: Asked) -> Response:
        """Return the response to one request, from the cache if it is fresh there."""
        if (response := self._cached(asked)) is not None:
            return response
        if not self.turns.enter(host(asked.url), self.until):
            raise RefusedRequest(f"{host(asked.url)} is not free")
        with self.cache.turn(asked.key) if asked.kind in SHARED else nullcontext():  # which has what others wait for
            response = self._cached(asked)  # another thread may have made the request
            return self._request(asked) if response is None else response

    def _cached(self, asked: Asked) -> Response | None:
        entry = None if asked.uncached else self.cache.get(asked.key)
        if entry is None or self.clock() >= entry.lifetime.until:
            return None
        self._keep(entry.resource)
        return entry.response

    def _request(self, asked: Asked) -> Response:
        entry = None if asked.uncached else self.cache.get(asked.key)
        conditions = entry.lifetime.conditions if entry else ()
        answer, body = self._answer(replace(asked, headers=asked.headers + conditions))
        if asked.method != GET:
            if asked.method == POST and answer.head.request and not self.submits:  # what a step sends has secrets
                self._keep(_posted(asked, answer, body))
            return self._response(answer, body)
        resource = _resource(asked.url, answer, body)
        if entry is not None and answer.status == HTTPStatus.NOT_MODIFIED:
            self._keep(entry.resource)
            self._keep(structs.replace(resource, confirms=entry.resource.started))
            self.cache.put(asked.key, confirmed(asked.kind, entry, answer))
            return entry.response
        alone = asked.uncached or answer.refused or answer.incomplete
        until = None if alone else lifetime(asked.kind, answer)
        resource = structs.replace(resource, shared=until is not None)
        self._keep(resource)
        if asked.kind == ROBOTS and (answer.status >= 500 or answer.status == HTTPStatus.TOO_MANY_REQUESTS):
            raise RefusedRequest(f"{answer.status} for {asked.url}")
        response = self._response(answer, body)
        if until is not None:
            self.cache.put(asked.key, Entry(response=response, resource=resource, lifetime=until))
        return response

    def _answer(self, asked: Asked, *, renew: bool = False) -> tuple[Answer, bytes]:
        """Make one request within the limits, over a new connection if `renew`. Raises RefusedRequest."""
        url = asked.url
        if self.requests >= self.settings.max_requests or self.clock() >= self.until:
            self.beyond = self.beyond or self.requests >= self.settings.max_requests
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
            headers=asked.headers + (self.jar.headers(url, self.clock()) if own else ()),
            sending=Sending(method=asked.method, body=asked.body),
            renew=renew,
        )
        try:
            answer = self.transport.get(request, self.room)
        except NotFetched as error:
            self.requests += error.requests
            self.turns.requested(url, None, error.requests, error.received, error.started)
            if error.reason == KEPT_CLOSED:
                return self._answer(asked, renew=True)
            raise RefusedRequest(error.detail) from error
        self.requests += answer.requests
        if own:
            self.jar.take(url, answer.set_cookies, answer.ended)
            if self.submits:
                self.submitted += answer.set_cookies
        self.turns.requested(url, answer, answer.requests, answer.received, answer.started)
        return answer, bytes(self.room[HEAD_ROOM : HEAD_ROOM + answer.body_size])

    def _keep(self, resource: Resource) -> None:
        """Raises RefusedRequest if it is too much for the page."""
        sent = resource.head.request.decode("latin-1")
        if any(each is resource for each in self.resources) or self.has_secret(resource.url) or self.has_secret(sent):
            return
        self.size += len(msgpack.encode(resource.head)) + len(resource.body)
        if self.size > self.settings.max_bytes:
            raise RefusedRequest(f"more than {self.settings.max_bytes:,} bytes")
        self.resources.append(resource)

    def _response(self, answer: Answer, body: bytes) -> Response:
        headers = shown(answer.head.headers)
        if answer.status in REDIRECT_STATUSES and headers.get(LOCATION):  # its body is not shown
            return Response(status=answer.status, headers=headers, body=b"")
        if answer.refused or answer.incomplete:
            raise RefusedRequest("incomplete")
        try:
            plain = decode(body, coding(answer.head), self.fetch.max_decoded, self.fetch.max_ratio)
        except CodingError as error:
            raise RefusedRequest(str(error)) from error
        return Response(status=answer.status, headers=headers, body=plain)


def _resource(url: str, answer: Answer, body: bytes) -> Resource:
    return Resource(url=url, head=answer.head, body=body, started=answer.started, truncated=_truncated(answer))


def _posted(asked: Asked, answer: Answer, body: bytes) -> Resource:
    """The answer to a POST beside its request, without which it would stand for the answer to a GET in the archive."""
    head = structs.replace(answer.head, request=answer.head.request + asked.body)
    return structs.replace(_resource(asked.url, answer, body), head=head)


def _location(response: Response) -> str:
    """Where a redirect leads, "" if it is none."""
    return reference(response.headers.get(LOCATION, "")) if response.status in REDIRECT_STATUSES else ""


def _truncated(answer: Answer) -> str:
    """Return why an answer is incomplete, or may be, in the words of WARC-Truncated; "" if it is complete."""
    return "length" if answer.refused else "disconnect" if answer.incomplete or answer.unclosed else ""


def room(max_body: int) -> memoryview:
    """Return memory for one answer; it is taken when it is written."""
    return memoryview(mmap.mmap(-1, HEAD_ROOM + max_body))
