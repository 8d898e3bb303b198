"""One page in the browser: its requests are answered, its scripts run, its document is taken."""

from __future__ import annotations

import contextlib
import html
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import TypeAlias

import re2
from msgspec import structs
from playwright.sync_api import BrowserContext, Cookie, Dialog, Error, Page, Route, TimeoutError
from playwright.sync_api import Request as BrowserRequest

from ttcrawl.browser.asked import GET, POST, Asked, sent
from ttcrawl.browser.cache import Response
from ttcrawl.browser.clicks import Clicks
from ttcrawl.browser.document import Document
from ttcrawl.browser.document_scripts import DOCUMENT, WATCH
from ttcrawl.browser.perform import perform
from ttcrawl.browser.pictures import Limits, pictures
from ttcrawl.browser.requests import PageRequests, RefusedRequest
from ttcrawl.browser.scripts import SCROLL, UP
from ttcrawl.browser.steps import PAUSE, SUBMIT, Step, written
from ttcrawl.browser.window_scripts import WINDOW
from ttcrawl.browser.world import World
from ttcrawl.ring.rendering import Rendering
from ttcrawl.web.url import resolve

#: Seconds without a request, and without a timer that is due, after which the scripts of a page have done what they do
#: without a user, by timers of the page: where its scripts are slow, or the machine is busy, these last longer.
QUIET = 0.5

#: The same after a click, and the seconds within which timers are due. Content that is later is found with the next
#: click, or at the end.
QUIET_AFTER_CLICK, DUE_AFTER_CLICK = 0.25, 1.0

#: Seconds after which a click has had its effect, or has begun what will have it.
MOMENT = 0.03

#: Dialogs of a page that are dismissed; later ones are accepted: some scripts ask until they are.
DISMISSED = 10

#: How often a page may load itself again after its scripts have set a cookie.
RELOADS = 3

#: Maximum views of a page for which it is scrolled to its end once.
VIEWS = 30

#: Seconds between two looks whether a page that loads has left for another URL: then it never ends loading.
LOOK = 0.25

#: Seconds that a timer of the page lasts.
STEP = 0.05

#: Most of these timers between two looks for requests: looks cost more than timers, and become rarer without requests.
TIMERS = 4

#: Bytes of a page's results besides its records, at most.
ROOM = 1 << 20

#: Maximum URLs that are kept of those to which scripts send the browser, or which they make its address.
TARGETS = 100

#: The start tag of the head in a document that a browser has written out, with all values in double quotes.
_HEAD = re2.compile(r'<head(?: [^\s"=]+="[^"]*")*>')

#: Is called after each step with it, why it failed ("": it did not), and the page.
AfterStep: TypeAlias = Callable[[Step, str, Page], None]


@dataclass(slots=True, kw_only=True)
class OpenPage:
    """A page that is being rendered, in a context of its own."""

    url: str
    document: Document
    requests: PageRequests
    until: float  # by time.monotonic()
    crashed: Callable[[], None]  # to be called when its process has ended: no call to it returns any more
    steps: tuple[Step, ...] = ()
    after_step: AfterStep | None = None
    _opened: bool = False
    _reloads: int = 0
    _dialogs: int = 0
    _posted: set[str] = field(default_factory=set)  # where steps sent forms: no URL that a GET would answer
    _submitted: tuple[str, Document] | None = None  # where the form of a step led
    _sent_away: bool = False  # whether its scripts sent the browser to another URL
    _active: bool = False  # whether there was a request lately
    _targets: dict[str, None] = field(default_factory=dict)  # in order
    _failed: list[str] = field(default_factory=list)  # steps

    def render(self, context: BrowserContext) -> Rendering:
        """Raises playwright's Error if the browser dies or is ended."""
        context.route("**/*", lambda route: self._answer(route))  # Playwright takes no bound method
        context.add_init_script(WINDOW)
        page = context.new_page()
        context.on("page", lambda window: window.close())
        page.on("dialog", lambda dialog: self._end_dialog(dialog))
        page.on("crash", lambda _: self.crashed())
        page.on("framenavigated", lambda frame: self._note(frame.url) if frame.parent_frame is None else None)
        self._load(page)
        world = World(context, page)
        same = self._settle(page, world)
        settings = self.requests.settings
        for step in self.steps:
            world = self._step(context, page, world, step)
        if not same:  # the document may be another one
            world = World(context, page)
        if settings.scrolls or settings.clicks:
            world.call_with_closed_roots(WATCH, settings.max_bytes)
        self._scroll(page, world)
        found = world.call_with_closed_roots(DOCUMENT)
        if settings.clicks and self._left() > 0:
            with contextlib.suppress(Error):  # a click ended the document: what was there before is taken
                clicks = Clicks(
                    page=page,
                    world=world,
                    left=self._left,
                    settle=lambda: self._settle_after_click(page, world),
                    stirs=lambda: self._stirs(world),
                )
                for each in clicks.click(settings.clicks):
                    self._note(each)
                self._settle(page, world)
                found = world.call_with_closed_roots(DOCUMENT)
        rendering = self._rendering(found["html"], found["address"], based=found["base"])
        room = settings.max_bytes - self.requests.size - len(rendering.dom) - ROOM
        limits = Limits(left=self._left, room=room)
        return structs.replace(rendering, pictures=pictures(page, world, settings, limits))

    def _step(self, context: BrowserContext, page: Page, world: World, step: Step) -> World:
        """Do a step. Return a world of the document that is there then."""
        most = self._left() if step.verb == PAUSE else min(self.requests.settings.wait, self._left())
        self.requests.submits = step.verb == SUBMIT
        if step.secret:
            self.requests.secrets += written(step.text(os.environ))
        failed = perform(page, step, most)
        if failed:
            self._failed.append(failed)
        self._settle_after_click(page, world)
        if step.verb == SUBMIT:
            with contextlib.suppress(TimeoutError):  # a page that leaves while it loads never ends loading
                page.wait_for_load_state("load", timeout=self._within(self.requests.settings.wait))
        world = World(context, page)
        if step.verb == SUBMIT:
            self._settle_after_click(page, world)
            self.requests.submitted += tuple(map(_line, context.cookies(self.url)))
        self.requests.submits = False
        if self.after_step is not None:
            self.after_step(step, failed, page)
        return world

    def _scroll(self, page: Page, world: World) -> None:
        """Scroll to the end while the page grows, and back, while it grows there: some lists grow upwards, and some
        content comes with a view of the beginning."""
        height, scrolls, most, upwards = 0, 0, self.requests.settings.scrolls, False
        while scrolls < most and self._left() > 0:
            now, above = world.call(SCROLL, VIEWS)
            if now == height:
                break
            height, scrolls, upwards = now, scrolls + 1, upwards or (above and not scrolls)
            self._settle(page, world)
        upwards, scrolls = upwards or scrolls > 1, 0
        while upwards and scrolls < most and self._left() > 0:
            world.call(UP, VIEWS)
            self._settle_after_click(page, world)
            now = world.call(UP, 0)
            upwards, height, scrolls = now != height, now, scrolls + 1

    def _end_dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs > DISMISSED:
            dialog.accept()
        else:
            dialog.dismiss()

    def _load(self, page: Page) -> None:
        """Wait until the page has loaded, as far as it does; within the limits, what is there is taken."""
        # in the place of the empty page, to which history.back() would lead
        with (
            contextlib.suppress(TimeoutError),
            page.expect_navigation(wait_until="commit", timeout=self._within(self._left())),
        ):
            page.evaluate("url => location.replace(url)", self.url)
        while not self._sent_away and self._left() > 0:
            with contextlib.suppress(TimeoutError):
                page.wait_for_load_state("load", timeout=self._within(LOOK))
                return

    def _within(self, seconds: float) -> float:
        """A timeout for Playwright."""
        return 1000 * max(0.001, min(seconds, self._left()))

    def _note(self, url: str) -> None:
        """Keep a URL to which scripts send the browser, or which they make its address."""
        plain = url.partition("#")[0]
        hidden = plain == self.url or plain in self._posted or self.requests.has_secret(plain)
        if len(self._targets) < TARGETS and not hidden:
            self._targets[plain] = None

    def _rendering(self, text: str, address: str, *, based: bool) -> Rendering:
        if address != self.url and not based and address.startswith(("http://", "https://")):
            # relative links depend on the address, which scripts have changed
            text = _with_base(text, address)
        for step in self.steps:
            if step.secret:  # frameworks write what is filled in into the attribute
                secret = html.escape(step.text(os.environ), quote=False).replace('"', "&quot;")
                text = text.replace(f'value="{secret}"', 'value=""')
        shown = () if address in self._posted or self.requests.has_secret(address) else (address,)
        targets = (resolve(self.url, each) for each in (*self._targets, *shown))
        return Rendering(
            dom=text.encode("utf-8", "replace"),
            encoding=self.document.encoding,
            moment=self.requests.clock(),
            targets=tuple(dict.fromkeys(each for each in targets if each and each != self.url)),
            resources=tuple(self.requests.resources),
            failed_steps=(*self._failed, *self._refused()),
        )

    def _refused(self) -> Iterator[str]:
        if self.requests.beyond:
            most = self.requests.settings.max_requests
            yield f"requests: the page has more than [browser] max_requests = {most:,}; the others got an error"

    def _left(self) -> float:
        return self.until - time.monotonic()

    def _settle_after_click(self, page: Page, world: World) -> None:
        self._settle(page, world, QUIET_AFTER_CLICK, DUE_AFTER_CLICK)

    def _stirs(self, world: World) -> bool:
        """Whether a page makes a request, or has a timer, a moment after something was done. Raises Error."""
        self._active = False
        world.wait(MOMENT, 1)
        return self._active or world.due(DUE_AFTER_CLICK) > 0

    def _settle(self, page: Page, world: World, quiet: float = QUIET, due: float = float("inf")) -> bool:
        """Wait until the page makes no request and has no timer that ends within `due` seconds, within the limits.

        Return whether it still has its document.
        """
        wait = self.requests.settings.wait
        last = time.monotonic() + min(due, wait)
        end = min(last + wait, self.until)
        same = True
        while time.monotonic() < end:
            same = self._pass(page, world, quiet, end) and same
            left = world.due(max(0.0, last - time.monotonic())) if same else 0.0
            if not left:
                break
            page.wait_for_timeout(1000 * min(left, max(0.0, end - time.monotonic())))
        return same

    def _pass(self, page: Page, world: World, quiet: float, end: float) -> bool:
        """Wait until the page has made no request for some seconds. Return whether it still has its document."""
        passed, timers, same = 0, 0, True
        while (left := round(quiet / STEP) - passed) > 0 and time.monotonic() < end:
            self._active = False
            timers = min(timers + 1, TIMERS, left)
            try:
                world.wait(STEP, timers)
            except Error:  # another document has taken its place, if the browser is still there
                same = False
                page.wait_for_timeout(1000 * STEP * timers)
            passed, timers = (0, 0) if self._active else (passed + timers, timers)
        return same

    def _answer(self, route: Route) -> None:
        self._active = True
        with contextlib.suppress(Error):  # the page has gone
            self._decide(route)
        self._active = True  # what comes next begins with the answer

    def _decide(self, route: Route) -> None:
        request = route.request
        if not request.is_navigation_request():
            try:
                response = self.requests.get(_asked(request))
            except RefusedRequest:
                route.abort("blockedbyclient")
                return
        elif not self._opened:
            self._opened, response = True, self.document.response
        elif self._submits(request):
            try:
                response = self._submit(request)
            except RefusedRequest:
                route.abort("blockedbyclient")
                return
        elif (document := self._again(request)) is not None:
            self.document, response = document, document.response
        else:
            # a frame with a URL, or the page itself elsewhere: URLs that robots.txt and the crawl decide about
            if request.frame.parent_frame is None:
                self._sent_away = True
                if request.method == "GET":
                    self._note(request.url)
            route.abort("aborted")
            return
        route.fulfill(status=response.status, headers=response.headers, body=response.body)

    def _submits(self, request: BrowserRequest) -> bool:
        """Whether a request sends the form of a step, or is for the page to which that has led."""
        if not self.requests.submits or request.frame.parent_frame is not None:
            return False
        led = self._submitted is not None and request.url.partition("#")[0] == self._submitted[0]
        return request.method == POST or (led and request.method == GET)

    def _submit(self, request: BrowserRequest) -> Response:
        """Raises RefusedRequest."""
        if request.method == POST:
            self._posted.add(request.url.partition("#")[0])
            url, document = self.requests.submit(_asked(request))
            if document is None:
                raise RefusedRequest(f"{url} is not a page")
            self._submitted = url, document
            if url != request.url.partition("#")[0]:  # the browser would follow a redirect by itself
                script = f"<script>location.replace({json.dumps(url).replace('<', '%3C')})</script>"
                return Response(status=200, headers={"content-type": "text/html"}, body=script.encode())
        assert self._submitted is not None
        (_, self.document), self._submitted = self._submitted, None
        return self.document.response

    def _again(self, request: BrowserRequest) -> Document | None:
        """The page, if it loads itself again after its scripts have set a cookie; else None."""
        frame = request.frame
        if frame.parent_frame is not None or request.method != GET or request.url.partition("#")[0] != self.url:
            return None
        cookies = tuple(map(_line, frame.page.context.cookies(self.url)))
        if not self.requests.keeps_cookies or cookies == self.requests.set_cookies or self._reloads == RELOADS:
            return None
        self._reloads += 1
        return self.requests.again(cookies)


def _asked(request: BrowserRequest) -> Asked:
    return Asked(
        url=request.url,
        method=request.method,
        kind=request.resource_type,
        headers=sent(request.headers),
        body=request.post_data_buffer or b"",
    )


def _line(cookie: Cookie) -> str:
    """A cookie of the browser as a Set-Cookie line (RFC 6265 section 4.1)."""
    parts = [f"{cookie.get('name')}={cookie.get('value')}", f"Path={cookie.get('path')}"]
    if (domain := cookie.get("domain", "")).startswith("."):
        parts.append(f"Domain={domain[1:]}")
    if (expires := cookie.get("expires", -1)) > 0:
        parts.append(f"Expires={formatdate(expires, usegmt=True)}")
    if cookie.get("secure"):
        parts.append("Secure")
    return "; ".join(parts)


def _with_base(text: str, address: str) -> str:
    """Return the text of a document with a `base` element (HTML standard, section 4.2.3)."""
    head = _HEAD.search(text)
    return f'{text[: head.end()]}<base href="{html.escape(address)}">{text[head.end() :]}' if head else text
