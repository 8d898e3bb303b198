"""One browser for one thread: it is started, gives one page after the other, and is ended when it takes too much."""

from __future__ import annotations

import contextlib
import time

from playwright.sync_api import Error, sync_playwright

from ttcrawl import config
from ttcrawl.browser import processes
from ttcrawl.browser.cache import Response
from ttcrawl.browser.page import OpenPage
from ttcrawl.browser.program import NOWHERE, program, sandboxed, switches
from ttcrawl.browser.requests import PageRequests
from ttcrawl.browser.steps import compiled
from ttcrawl.ring.rendering import Rendering

#: Milliseconds until the browser must have started.
START = 20_000

DIED, STUCK, MEMORY = "died", "stuck", "memory"


class BrowserFailed(Exception):
    """The browser ended over a page; `part` says how: the end of the reason."""

    def __init__(self, part: str, detail: str) -> None:
        super().__init__(detail)
        self.part, self.detail = part, detail


class Browser:
    """`render` and `close` belong to the thread that made it; `enforce` to another one."""

    def __init__(self, settings: config.Browser, agent: str) -> None:
        """Raises BrowserFailed if it does not start."""
        self._settings, self._agent = settings, agent
        self._steps = compiled(settings.steps)
        self._until, self._ended_by = 0.0, ""
        self._group = 0
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=program(settings),
                chromium_sandbox=sandboxed(),
                proxy={"server": NOWHERE["server"], "bypass": NOWHERE["bypass"]},
                ignore_default_args=["--disable-popup-blocking"],
                args=switches(),
                timeout=START,
            )
            running = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        except Error as error:
            self._playwright.stop()
            raise BrowserFailed(DIED, _first_line(error)) from error
        # Playwright starts it as the leader of a group of processes
        self._group = next(each["id"] for each in running if each["type"] == "browser")

    def render(self, url: str, document: Response, requests: PageRequests) -> Rendering:
        """Run the scripts of a page. Raises BrowserFailed: then this browser is of no more use."""
        until = time.monotonic() + self._settings.max_time
        # a little later, for a page that only takes what there is
        self._until = until + 0.5 * self._settings.max_time
        try:
            context = self._browser.new_context(
                user_agent=self._agent, service_workers="block", accept_downloads=False, strict_selectors=False
            )
            steps = self._steps(url)
            page = OpenPage(url=url, document=document, requests=requests, until=until, steps=steps)
            rendering = page.render(context)
            context.close()
        except Error as error:
            raise BrowserFailed(self._ended_by or DIED, _first_line(error)) from error
        finally:
            self._until = 0.0
        return rendering

    def enforce(self) -> None:
        """End the browser if its page is late or takes too much memory. To be called often."""
        if not self._until or self._ended_by:
            return
        if time.monotonic() > self._until:
            self._ended_by = STUCK
        elif processes.memory(self._group) > self._settings.max_memory:
            self._ended_by = MEMORY
        if self._ended_by:
            processes.end(self._group)

    def close(self) -> None:
        """End all of its processes."""
        processes.end(self._group)
        with contextlib.suppress(Error):
            self._playwright.stop()


def _first_line(error: Error) -> str:
    return str(error).partition("\n")[0][:300]
