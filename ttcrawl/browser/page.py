"""One page in the browser: its requests are answered, its scripts run, its document is taken."""

from __future__ import annotations

import contextlib
import html
import time
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page, Route, TimeoutError

from ttcrawl.browser.requests import PageRequests, RefusedRequest, Response
from ttcrawl.browser.scripts import DOCUMENT, SCROLL
from ttcrawl.ring.rendering import Rendering
from ttcrawl.web.url import resolve

#: Seconds without a request after which the scripts of a page have done what they do without a user.
QUIET = 0.5

#: Seconds between two looks for requests.
STEP = 0.05

#: Maximum URLs that are kept of those to which scripts send the browser.
TARGETS = 100


@dataclass(slots=True, kw_only=True)
class OpenPage:
    """A page that is being rendered, in a context of its own."""

    url: str
    document: Response
    requests: PageRequests
    until: float  # by time.monotonic()
    _opened: bool = False
    _active: float = 0.0  # when the last request ended
    _targets: list[str] = field(default_factory=list)

    def render(self, context: BrowserContext) -> Rendering:
        """Raises playwright's Error if the browser dies or is ended."""
        context.route("**/*", lambda route: self._answer(route))  # a bound method is no handler for Playwright
        page = context.new_page()
        context.on("page", lambda window: window.close())
        page.on("dialog", lambda dialog: dialog.dismiss())
        with contextlib.suppress(TimeoutError):  # what is there is taken
            page.goto(self.url, wait_until="load", timeout=1000 * max(0.001, self._left()))
        self._settle(page)
        settings, world = self.requests.settings, _World(context, page)
        height, scrolls = -1, 0
        while scrolls < settings.scrolls and self._left() > 0 and (now := world.call(SCROLL)) != height:
            height, scrolls = now, scrolls + 1
            self._settle(page)
        found = world.call(DOCUMENT)
        return self._rendering(found["html"], found["address"], based=found["base"])

    def _rendering(self, text: str, address: str, *, based: bool) -> Rendering:
        if address != self.url and not based and address.startswith(("http://", "https://")):
            # relative links depend on the address, which scripts have changed
            text = text.replace("<head>", f'<head><base href="{html.escape(address)}">', 1)
        targets = (resolve(self.url, each) for each in (*self._targets, address))
        return Rendering(
            dom=text.encode("utf-8", "replace"),
            moment=self.requests.clock(),
            targets=tuple(dict.fromkeys(each for each in targets if each and each != self.url)),
            resources=tuple(self.requests.resources),
        )

    def _left(self) -> float:
        return self.until - time.monotonic()

    def _settle(self, page: Page) -> None:
        """Wait until the page makes no request, within the limits."""
        end = time.monotonic() + min(self.requests.settings.wait, max(0.0, self._left()))
        self._active = time.monotonic()
        while (now := time.monotonic()) < end and now - self._active < QUIET:
            page.wait_for_timeout(1000 * STEP)

    def _answer(self, route: Route) -> None:
        with contextlib.suppress(Error):  # the page has gone
            self._decide(route)
        self._active = time.monotonic()

    def _decide(self, route: Route) -> None:
        request = route.request
        if not request.is_navigation_request():
            try:
                response = self.requests.get(request.url, request.method, request.resource_type, request.headers)
            except RefusedRequest:
                route.abort("blockedbyclient")
                return
        elif not self._opened:
            self._opened, response = True, self.document
        else:
            # a frame with a URL, or the page itself elsewhere: URLs that robots.txt and the crawl decide about
            if request.frame.parent_frame is None and len(self._targets) < TARGETS:
                self._targets.append(request.url)
            route.abort("aborted")
            return
        route.fulfill(status=response.status, headers=response.headers, body=response.body)


class _World:
    """A world for our scripts: they share the document with the page, and no object or function."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._session = context.new_cdp_session(page)
        frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self._context = self._session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]

    def call(self, function: str) -> Any:
        """Raises Error if it does not return."""
        asked = {"contextId": self._context, "returnByValue": True, "expression": f"({function})()"}
        answer = self._session.send("Runtime.evaluate", asked)
        if "exceptionDetails" in answer:
            raise Error(str(answer["exceptionDetails"].get("text", "")))
        return answer["result"].get("value")
