"""A fetch process with browsers: it fetches as over urllib3, and gives pages to a browser, one for each thread."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import xxhash
from msgspec import msgpack, structs

from ttcrawl.browser.cache import Cache, Response
from ttcrawl.browser.chromium import DIED, Browser, BrowserFailed
from ttcrawl.browser.processes import Drivers
from ttcrawl.browser.requests import PageRequests, room, shown
from ttcrawl.browser.shape import Shape, shape_of
from ttcrawl.browser.steps import compile_use
from ttcrawl.browser.turns import HostDelays, Turns
from ttcrawl.config import Config
from ttcrawl.fetch import worker
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.parse.head import coding, first_values, is_nosniff, values
from ttcrawl.ring.browsing import (
    AGAIN,
    CONFIGURED,
    FAILED,
    NO_SCRIPTS,
    RENDERED,
    SAMPLE,
    SHELL,
    STATIC,
    TEMPLATE,
    Choice,
    Plan,
)
from ttcrawl.ring.channel import live_and_die_with_the_crawl
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.host_clocks import HostClocks
from ttcrawl.ring.messages import HEAD_ROOM, HEADS, PAGE, Failed, Fetched, Head, Request
from ttcrawl.ring.slots import Slots
from ttcrawl.vocabulary.reason import BROWSER, NO_CONTENT_STATUSES, filled
from ttcrawl.web.address import Pairs
from ttcrawl.web.coding.decode import CodingError, decode
from ttcrawl.web.cookies.jar import Jar
from ttcrawl.web.mime.kind import HTML, family, mime_type
from ttcrawl.web.robots import parse

#: How often a page is tried, each time in a new browser: the first one may have died of something else.
ATTEMPTS = 2

#: How often the first browser is started.
STARTS = 3

#: Of the digests of documents: no answer that has the bytes of a document has its digest, too. The archive has
#: no such answer to which a revisit record could refer.
SEED = 1

SIZE = "size"

#: Different texts of robots.txt whose rules are remembered.
ROBOTS_TEXTS = 100


def main(connection: socket.socket, slots: Slots, config: Config, clock: Clock, granted: Pairs) -> None:
    """Main loop of a fetch process with browsers."""
    live_and_die_with_the_crawl()
    slots.map()
    # a request must not outlive its page by much, and nothing is requested twice
    limits = replace(
        config.fetch,
        total_timeout=min(config.fetch.total_timeout, config.browser.max_time),
        head_first="no",
        types="",
    )
    every = replace(config, fetch=limits, files=replace(config.files, download=True))
    transport, inner = Transport(config, clock, granted), Transport(every, clock, granted)
    shared, renderers = Shared(config, inner, HostClocks(slots.rest, slots.file), clock), list[Renderer]()

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


class Shared:
    """What the threads of a process share for the requests of scripts; `transport` makes these requests."""

    def __init__(self, config: Config, transport: Transport, clocks: HostClocks, clock: Clock) -> None:
        self._config = config
        self._transport = transport
        self._clock = clock
        self._cache, self._delays = Cache(config.browser.cache), HostDelays(config)
        self._clocks = clocks if config.politeness.obey_delay else None
        read = partial(parse, agent=config.agent.name, reading=config.politeness.robots)
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
        document = self._document(request, head, bytes(slot[HEAD_ROOM : HEAD_ROOM + fetched.body_size]))
        if document is None:
            return fetched
        if request.plan is None:
            return self._rendered(request, fetched, document, slot, turns, Choice(reason=CONFIGURED))
        read, choice = decide(request.plan, shape_of(document.body))
        if read == STATIC:
            return structs.replace(fetched, choice=choice)
        rendered = self._rendered(request, fetched, document, slot, turns, choice)
        if isinstance(rendered, Fetched):
            return rendered
        # the answer is there, and most pages say something without their scripts
        return structs.replace(
            fetched,
            choice=structs.replace(choice, reason=FAILED, seconds=rendered.ended - fetched.ended),
            ended=rendered.ended,
            requests=rendered.requests,
            received=rendered.received,
            script_visits=rendered.script_visits,
        )

    def _wanted(self, request: Request, fetched: Fetched) -> bool:
        complete = fetched.body_size and not (fetched.refused or fetched.incomplete) and fetched.method == "GET"
        page = request.kind == PAGE and not request.sitemap and 200 <= fetched.status < 300
        page = page and fetched.status not in NO_CONTENT_STATUSES
        page = page and not request.url.startswith("ftp:")  # Chromium speaks no FTP
        return bool(page and complete) and (request.plan is not None or self._chosen(request.url))

    def _document(self, request: Request, head: Head, body: bytes) -> Response | None:
        """The page as the browser gets it; None: it is not HTML, or cannot be decoded."""
        try:
            plain = decode(body, coding(head), self._config.fetch.max_decoded, self._config.fetch.max_ratio)
        except CodingError:
            return None
        nosniff = is_nosniff(first_values(head))
        mime = mime_type(values(head, "content-type"), plain, request.url, nosniff=nosniff)
        if family(mime, plain) != HTML:
            return None
        headers = shown(head.headers)
        return Response(status=head.status, headers={"content-type": mime} | headers, body=plain)

    def _rendered(
        self, request: Request, fetched: Fetched, document: Response, slot: memoryview, turns: Turns, choice: Choice
    ) -> Fetched | Failed:
        began = self._clock()
        failure = BrowserFailed("", "")
        for _ in range(ATTEMPTS):
            requests, rendering = self._shared.requests(request, turns, self._room, fetched.set_cookies), None
            try:
                rendering = self._started().render(request.url, document, requests)
            except BrowserFailed as error:
                failure = error
            except Exception as error:  # an error loses at most this page, and this browser
                failure = BrowserFailed(DIED, str(error))
            if rendering is not None:
                break
            self._end()
        turns.leave()  # what follows needs no host
        sent: dict[str, Any] = {
            "ended": turns.own_ended,
            "requests": fetched.requests + turns.own_requests,
            "received": max(fetched.received, fetched.body_size) + turns.own_received,
            "script_visits": tuple(turns.done),
        }
        packed = msgpack.encode(rendering)
        if rendering is None or len(packed) > self._config.browser.max_bytes:
            return Failed(
                token=request.token,
                reason=filled(BROWSER, failure.part if rendering is None else SIZE),
                detail=failure.detail if rendering is None else "",
                started=fetched.started,
                **sent,
            )
        start = HEAD_ROOM + fetched.body_size
        slot[start : start + len(packed)] = packed
        return structs.replace(
            fetched,
            digest=b"",  # pages with the same bytes may differ after their scripts
            parse_context=0,
            header_context=0,
            rendered=len(packed),
            choice=structs.replace(
                choice,
                seconds=self._clock() - began,
                requests=turns.own_requests + sum(each.requests for each in turns.done),
                received=turns.own_received + sum(each.received for each in turns.done),
                document=xxhash.xxh3_128_digest(rendering.dom, SEED),
            ),
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
