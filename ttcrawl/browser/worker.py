"""A fetch process with browsers: it fetches as over urllib3, and gives pages to a browser, one for each thread."""

from __future__ import annotations

import socket
from dataclasses import replace

from msgspec import msgpack, structs

from ttcrawl.browser.chromium import DIED, Browser, BrowserFailed
from ttcrawl.browser.patterns import compiled
from ttcrawl.browser.requests import PageRequests, Response, room, shown
from ttcrawl.config import Config
from ttcrawl.fetch import worker
from ttcrawl.fetch.http import Transport
from ttcrawl.parse.coding.decode import CodingError, decode
from ttcrawl.parse.head import coding, first_values, values
from ttcrawl.ring.channel import live_and_die_with_the_crawl
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, HEADS, PAGE, Failed, Fetched, Head, Request, Resolved
from ttcrawl.ring.rendering import Rendering
from ttcrawl.ring.slots import Slots
from ttcrawl.vocabulary.reason import BROWSER, filled
from ttcrawl.web.address import Pairs
from ttcrawl.web.mime.kind import HTML, family, mime_type

#: How often a page is tried, each time in a new browser: the first one may have died of something else.
ATTEMPTS = 2

SIZE = "size"


def main(connection: socket.socket, slots: Slots, config: Config, clock: Clock, granted: Pairs) -> None:
    """Main loop of a fetch process with browsers."""
    live_and_die_with_the_crawl()
    slots.map()
    Browser(config.browser, config.agent.header).close()  # the crawl does not begin with one that does not start
    # a request must not outlive its page by much, and nothing is requested twice
    limits = replace(
        config.fetch,
        total_timeout=min(config.fetch.total_timeout, config.browser.max_time),
        head_first=False,
        types="",
        cookies="no",
    )
    transport, inner = Transport(config, clock, granted), Transport(replace(config, fetch=limits), clock, granted)
    renderers: list[Renderer] = []

    def begin() -> worker.Fetch:
        renderer = Renderer(config, transport, inner, clock)
        renderers.append(renderer)
        return renderer.fetch

    def enforce() -> None:
        transport.enforce()
        inner.enforce()
        for each in renderers:
            each.enforce()

    worker.serve(connection, slots, config, clock, transport, begin, enforce)


class Renderer:
    """The work of one thread: a request, and if its answer is a page of the patterns, its browser."""

    def __init__(self, config: Config, transport: Transport, inner: Transport, clock: Clock) -> None:
        """`inner` makes the requests of a page's scripts."""
        self._config, self._transport, self._inner, self._clock = config, transport, inner, clock
        self._chosen = compiled(config.browser.use)
        self._room = room(config.fetch.max_body)
        self._browser: Browser | None = None

    def enforce(self) -> None:
        """To be called often, from another thread."""
        if (browser := self._browser) is not None:
            browser.enforce()

    def fetch(self, request: Request, slot: memoryview) -> Fetched | Resolved | Failed:
        """One request, one outcome; behind the body in `slot` is the rendering of a page."""
        fetched = worker.fetch(self._transport, request, slot, self._clock)
        if not isinstance(fetched, Fetched) or not self._wanted(request, fetched):
            return fetched
        head = HEADS.decode(slot[: fetched.head_size])
        document = self._document(request, head, bytes(slot[HEAD_ROOM : HEAD_ROOM + fetched.body_size]))
        return fetched if document is None else self._rendered(request, fetched, document, slot)

    def _wanted(self, request: Request, fetched: Fetched) -> bool:
        complete = fetched.body_size and not (fetched.refused or fetched.incomplete) and fetched.method == "GET"
        page = request.kind == PAGE and not request.sitemap and 200 <= fetched.status < 300
        return bool(page and complete) and self._chosen(request.url)

    def _document(self, request: Request, head: Head, body: bytes) -> Response | None:
        """The page as the browser gets it; None: it is not HTML, or cannot be decoded."""
        try:
            plain = decode(body, coding(head), self._config.fetch.max_decoded, self._config.fetch.max_ratio)
        except CodingError:
            return None
        nosniff = first_values(head).get("x-content-type-options", "").strip().lower() == "nosniff"
        mime = mime_type(values(head, "content-type"), plain, request.url, nosniff=nosniff)
        if family(mime, plain) != HTML:
            return None
        headers = shown(head.headers)
        return Response(status=head.status, headers={"content-type": mime} | headers, body=plain)

    def _rendered(self, request: Request, fetched: Fetched, document: Response, slot: memoryview) -> Fetched | Failed:
        sent, received = fetched.requests, max(fetched.received, fetched.body_size)
        failure = BrowserFailed("", "")
        for _ in range(ATTEMPTS):
            requests, rendering = self._requests(request), None
            try:
                rendering = self._render(request.url, document, requests)
            except BrowserFailed as error:
                failure = error
            except Exception as error:  # an error loses at most this page, and this browser
                failure = BrowserFailed(DIED, str(error))
            sent, received = sent + requests.requests, received + requests.received
            if rendering is not None:
                break
            self._end()
        packed = msgpack.encode(rendering)
        if rendering is None or len(packed) > self._config.browser.max_bytes:
            return Failed(
                token=request.token,
                reason=filled(BROWSER, failure.part if rendering is None else SIZE),
                detail=failure.detail if rendering is None else "",
                started=fetched.started,
                ended=self._clock(),
                requests=sent,
                received=received,
            )
        start = HEAD_ROOM + fetched.body_size
        slot[start : start + len(packed)] = packed
        return structs.replace(
            fetched,
            digest=b"",  # pages with the same bytes may differ after their scripts
            parse_context=0,
            header_context=0,
            ended=self._clock(),  # the delay of the host begins after the last request
            requests=sent,
            received=received,
            rendered=len(packed),
        )

    def _requests(self, request: Request) -> PageRequests:
        return PageRequests(
            page=request,
            settings=self._config.browser,
            fetch=self._config.fetch,
            transport=self._inner,
            clock=self._clock,
            room=self._room,
            until=self._clock() + self._config.browser.max_time,
        )

    def _render(self, url: str, document: Response, requests: PageRequests) -> Rendering:
        if self._browser is None:
            self._browser = Browser(self._config.browser, self._config.agent.header)
        return self._browser.render(url, document, requests)

    def _end(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()
