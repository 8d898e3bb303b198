"""A fetch process with browsers: it fetches as over urllib3, and gives pages to a browser, one for each thread."""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import xxhash
from msgspec import msgpack, structs

from ttcrawl.browser.cache import Cache
from ttcrawl.browser.chromium import Browser, BrowserFailed
from ttcrawl.browser.document import Document, document_of
from ttcrawl.browser.processes import Drivers
from ttcrawl.browser.requests import PageRequests, room
from ttcrawl.browser.shape import Shape, shape_of
from ttcrawl.browser.steps import compile_post, compile_use
from ttcrawl.browser.turns import HostDelays, Turns
from ttcrawl.config import Config
from ttcrawl.fetch import worker
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.ring.browsing import (
    AGAIN,
    CONFIGURED,
    DIED,
    NO_SCRIPTS,
    RENDERED,
    SAMPLE,
    SHELL,
    SIZE,
    STATIC,
    TEMPLATE,
    Choice,
    Plan,
)
from ttcrawl.ring.channel import live_and_die_with_the_crawl
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.host_clocks import HostClocks
from ttcrawl.ring.host_desk import DeskLine, SharedHosts
from ttcrawl.ring.messages import HEAD_ROOM, HEADS, PAGE, Failed, Fetched, Request
from ttcrawl.ring.slots import Slots
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.web.address import Pairs
from ttcrawl.web.cookies.jar import Jar
from ttcrawl.web.robots import parse

#: How often a page is tried, each time in a new browser: the first one may have died of something else.
ATTEMPTS = 2

#: How often the first browser is started.
STARTS = 3

#: Of the digests of documents: no answer that has the bytes of a document has its digest, too. The archive has
#: no such answer to which a revisit record could refer.
SEED = 1

#: Different texts of robots.txt whose rules are remembered.
ROBOTS_TEXTS = 100


def main(
    connection: socket.socket,
    slots: Slots,
    config: Config,
    clock: Clock,
    granted: Pairs,
    entrance: socket.socket | None = None,
) -> None:
    """Main loop of a fetch process with browsers. `entrance`: of the desk that decides about hosts, if there is one."""
    live_and_die_with_the_crawl()
    slots.map()
    every = for_scripts(config)
    transport, inner = Transport(config, clock, granted), Transport(every, clock, granted)
    clocks: SharedHosts
    if entrance is not None:
        clocks = DeskLine(entrance, clock)
    else:
        clocks = HostClocks(slots.rest, slots.rest_file, ahead=clock() - time.monotonic())
    shared, renderers = Shared(config, inner, clocks, clock), list[Renderer]()

    drivers = Drivers()
    asyncio.set_event_loop_policy(drivers)

    def begin() -> worker.Fetch:
        renderer = Renderer(config, transport, shared, clock, drivers)
        renderers.append(renderer)
        if renderer is renderers[0]:  # the crawl does not begin with a browser that does not start
            renderer.begin()
        return renderer.fetch

    def enforce() -> None:
        transport.enforce()
        inner.enforce()
        for each in renderers:
            each.enforce()

    worker.serve(connection, slots, config, clock, transport, begin, enforce)


def for_scripts(config: Config) -> Config:
    """The configuration of requests in which no page is looked for: all types, nothing twice.

    Such a request must not outlive its page by much.
    """
    limits = replace(
        config.fetch,
        total_timeout=min(config.fetch.total_timeout, config.browser.max_time),
        head_first="no",
        types="",
    )
    return replace(config, fetch=limits, files=replace(config.files, download=True))


class Shared:
    """What the threads of a process share for the requests of scripts; `transport` makes these requests."""

    def __init__(self, config: Config, transport: Transport, clocks: SharedHosts | None, clock: Clock) -> None:
        """`clocks`: None if delays are not obeyed."""
        self._config = config
        self._transport = transport
        self._clock = clock
        self._cache, self._delays = Cache(config.browser.cache), HostDelays(config)
        self._clocks = clocks if config.politeness.obey_delay else None
        read = partial(parse, agent=config.agent.name, reading=config.politeness.robots)
        self._may_post = compile_post(config.browser.post)
        self._read_robots = lru_cache(maxsize=ROBOTS_TEXTS)(read)

    def turns(self, request: Request) -> Turns:
        return Turns(
            page=request,
            delays=self._delays,
            clocks=self._clocks,
            clock=self._clock,
            backoff=self._config.politeness.backoff,
        )

    def requests(self, request: Request, turns: Turns, room: memoryview, set_cookies: tuple[str, ...]) -> PageRequests:
        """`set_cookies`: by the answer of the page."""
        jar = Jar("no" if self._config.fetch.cookies == "no" else "kept", request.cookies)
        jar.take(request.url, set_cookies, self._clock())
        return PageRequests(
            page=request,
            settings=self._config.browser,
            fetch=self._config.fetch,
            transport=self._transport,
            cache=self._cache,
            turns=turns,
            jar=jar,
            read_robots=self._read_robots,
            may_post=self._may_post,
            clock=self._clock,
            room=room,
            until=self._clock() + self._config.browser.max_time,
        )


class Renderer:
    """The work of one thread: a request, and its browser if its answer is a page that needs one."""

    def __init__(self, config: Config, transport: Transport, shared: Shared, clock: Clock, drivers: Drivers) -> None:
        self._config = config
        self._transport = transport
        self._shared = shared
        self._clock = clock
        self._drivers = drivers
        self._chosen = compile_use(config.browser.use)
        self._room = room(config.fetch.max_body)
        self._browser: Browser | None = None

    def begin(self) -> None:
        """Start the browser. Raises as Browser.start does, if several in a row do not start."""
        for left in reversed(range(STARTS)):
            try:
                self._started()
                return
            except BrowserFailed:
                self._end()
                if not left:
                    raise

    def _started(self) -> Browser:
        """Return the browser, which belongs to the thread that calls this first. Raises as Browser.start does."""
        if self._browser is None:
            self._browser = Browser(self._config.browser, self._config.agent.header, self._drivers)
            self._browser.start()
        return self._browser

    def enforce(self) -> None:
        """To be called often, from another thread."""
        if (browser := self._browser) is not None:
            browser.enforce()

    def fetch(self, request: Request, slot: memoryview) -> Fetched | Failed:
        """One request, one outcome; behind the body in `slot` is the rendering of a page."""
        turns = self._shared.turns(request)
        turns.begin()
        try:
            return self._fetch(request, slot, turns)
        finally:
            turns.leave()

    def _fetch(self, request: Request, slot: memoryview, turns: Turns) -> Fetched | Failed:
        fetched = worker.fetch(self._transport, request, slot, self._clock)
        if not isinstance(fetched, Fetched) or not self._wanted(request, fetched):
            return fetched
        head = HEADS.decode(slot[: fetched.head_size])
        body = bytes(slot[HEAD_ROOM : HEAD_ROOM + fetched.body_size])
        document = document_of(request.url, head, body, self._config.fetch)
        if document is None:
            return fetched
        read, choice = RENDERED, Choice(reason=CONFIGURED)
        if document.without_scripts:
            read, choice = STATIC, Choice(reason=NO_SCRIPTS)
        elif request.plan is not None:
            read, choice = decide(request.plan, shape_of(document.response.body))
        if read == STATIC:
            return structs.replace(fetched, choice=choice)
        return self._rendered(request, fetched, document, slot, turns, choice)

    def _wanted(self, request: Request, fetched: Fetched) -> bool:
        complete = fetched.body_size and not (fetched.refused or fetched.incomplete) and fetched.method == "GET"
        page = request.kind == PAGE and not request.sitemap and 200 <= fetched.status < 300
        page = page and fetched.status not in NO_CONTENT_STATUSES
        page = page and not request.url.startswith("ftp:")  # Chromium speaks no FTP
        return bool(page and complete) and (request.plan is not None or self._chosen(request.url))

    def _rendered(
        self, request: Request, fetched: Fetched, document: Document, slot: memoryview, turns: Turns, choice: Choice
    ) -> Fetched:
        """Return the answer with its rendering; without one if the browser fails: most pages say something without."""
        began, failure = self._clock(), ""
        for _ in range(ATTEMPTS):
            requests, rendering = self._shared.requests(request, turns, self._room, fetched.set_cookies), None
            try:
                rendering = self._started().render(request.url, document, requests)
            except BrowserFailed as error:
                failure = error.reason
            except Exception:  # an error loses at most this reading of the page, and this browser
                failure = DIED
            if rendering is not None:
                break
            self._end()
        turns.leave()  # what follows needs no host
        sent: dict[str, Any] = {
            "ended": turns.own_ended,
            "requests": fetched.requests + turns.own_requests,
            "received": max(fetched.received, fetched.body_size) + turns.own_received,
            "script_visits": tuple(turns.done),
            "set_cookies": fetched.set_cookies + requests.set_cookies + requests.submitted,
        }
        cost = structs.replace(
            choice,
            seconds=self._clock() - began,
            requests=turns.own_requests + sum(each.requests for each in turns.done),
            received=turns.own_received + sum(each.received for each in turns.done),
        )
        packed = msgpack.encode(rendering)
        if rendering is None or len(packed) > self._config.browser.max_bytes:
            failed = structs.replace(cost, reason=failure if rendering is None else SIZE)
            return structs.replace(fetched, choice=failed, **sent)
        start = HEAD_ROOM + fetched.body_size
        slot[start : start + len(packed)] = packed
        return structs.replace(
            fetched,
            digest=b"",  # pages with the same bytes may differ after their scripts
            parse_context=0,
            header_context=0,
            rendered=len(packed),
            choice=structs.replace(cost, document=xxhash.xxh3_128_digest(rendering.dom, SEED)),
            **sent,
        )

    def _end(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()


def decide(plan: Plan, shape: Shape) -> tuple[str, Choice]:
    """Return how a page is read, STATIC, RENDERED or SAMPLE, and why."""
    if plan.again:
        return RENDERED, Choice(reason=AGAIN, signature=shape.signature, templated=True)
    if not shape.scripts:
        return STATIC, Choice(reason=NO_SCRIPTS)
    if shape.shell:
        return RENDERED, Choice(reason=SHELL)
    known = {each.signature: each.read for each in plan.templates}
    signature = 0 if plan.full and shape.signature not in known else shape.signature
    read = known.get(signature, SAMPLE)
    reason = SAMPLE if read == SAMPLE else TEMPLATE
    return read, Choice(reason=reason, signature=signature, templated=True)
