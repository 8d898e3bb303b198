"""One browser for one thread: it is started, gives one page after the other, and is ended when it takes too much."""

from __future__ import annotations

import asyncio
import contextlib
import time

from playwright.sync_api import Error, sync_playwright

from ttcrawl import config
from ttcrawl.browser import processes
from ttcrawl.browser.cache import Response
from ttcrawl.browser.page import OpenPage
from ttcrawl.browser.program import DEFENCES_OFF, NOWHERE, no_sandbox, program, sandboxed, switches
from ttcrawl.browser.requests import PageRequests
from ttcrawl.browser.steps import compiled
from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.rendering import Rendering

#: Milliseconds until the browser must have started.
START = 20_000

DIED, STUCK, MEMORY = "died", "stuck", "memory"

#: The type of the process that has the requests of all pages.
NETWORK = "network.mojom.NetworkService"


class BrowserFailed(Exception):
    """The browser ended over a page; `part` says how: the end of the reason."""

    def __init__(self, part: str, detail: str) -> None:
        super().__init__(detail)
        self.part, self.detail = part, detail


class Browser:
    """`render` and `close` belong to the thread that made it; `enforce` to another one."""

    def __init__(self, settings: config.Browser, agent: str) -> None:
        """Raises BrowserFailed if it does not start, and CrawlFailedError if its sandbox does not work."""
        self._settings, self._agent = settings, agent
        self._steps = compiled(settings.steps)
        self._until, self._ended_by = 0.0, ""
        self._group = 0
        self._playwright = sync_playwright().start()
        # the loop of Playwright in this thread: if its driver is killed, calls raise Error, which is enough
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=program(settings),
                chromium_sandbox=sandboxed(settings),
                proxy={"server": NOWHERE["server"], "bypass": NOWHERE["bypass"]},
                ignore_default_args=DEFENCES_OFF,
                args=switches(),
                timeout=START,
            )
            self._system = self._browser.new_browser_cdp_session()
            # Playwright starts it as the leader of a group of processes
            (self._group,) = self._running("browser")
            self._network = self._begun(NETWORK)
        except Error as error:
            self._playwright.stop()
            if message := no_sandbox(str(error)):
                raise CrawlFailedError(message) from error
            raise BrowserFailed(DIED, _first_line(error)) from error

    def render(self, url: str, document: Response, requests: PageRequests) -> Rendering:
        """Run the scripts of a page. Raises BrowserFailed: then this browser is of no more use."""
        until = time.monotonic() + self._settings.max_time
        # a little later, for a page that only takes what there is
        self._until = until + 0.5 * self._settings.max_time
        try:
            context = self._browser.new_context(
                user_agent=self._agent, service_workers="block", accept_downloads=False, strict_selectors=False
            )
            page = OpenPage(
                url=url,
                document=document,
                requests=requests,
                until=until,
                crashed=lambda: self._kill(DIED),
                steps=self._steps(url),
            )
            rendering = page.render(context)
            # Chromium starts a new one, but requests have failed that would not have
            if self._network - self._running(NETWORK):
                raise BrowserFailed(DIED, "the network process of the browser ended")
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
            self._kill(STUCK)
        elif processes.memory(self._group) > self._settings.max_memory:
            self._kill(MEMORY)

    def _kill(self, part: str) -> None:
        """End the browser over its page: calls that wait for it raise Error."""
        self._ended_by = self._ended_by or part
        processes.end(self._group)

    def _running(self, type: str) -> set[int]:
        """Return the processes of a type, as the DevTools protocol names it. Raises Error."""
        running = self._system.send("SystemInfo.getProcessInfo")["processInfo"]
        return {each["id"] for each in running if each["type"] == type}

    def _begun(self, type: str) -> set[int]:
        """Return the processes of a type that begins a moment after the browser. Raises Error."""
        until = time.monotonic() + START / 1000
        while not (running := self._running(type)) and time.monotonic() < until:
            time.sleep(0.01)
        return running

    def close(self) -> None:
        """End all of its processes."""
        processes.end(self._group)
        with contextlib.suppress(Error):
            self._playwright.stop()


def _first_line(error: Error) -> str:
    return str(error).partition("\n")[0][:300]
