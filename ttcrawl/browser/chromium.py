"""One browser for one thread: it is started, gives one page after the other, and is ended when it takes too much."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time

from playwright.sync_api import Playwright, TimeoutError, sync_playwright

from ttcrawl import config
from ttcrawl.browser import processes
from ttcrawl.browser.document import Document
from ttcrawl.browser.page import AfterStep, OpenPage
from ttcrawl.browser.program import START, launch, no_sandbox
from ttcrawl.browser.requests import PageRequests
from ttcrawl.browser.steps import compile_steps
from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.browsing import DIED, MEMORY, STUCK
from ttcrawl.ring.rendering import Rendering

#: The type of the process that has the requests of all pages.
NETWORK = "network.mojom.NetworkService"


class BrowserFailed(Exception):
    """The browser ended over a page; `reason` says how, in the words of ttcrawl.ring.browsing."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Browser:
    """`start`, `render` and `close` belong to one thread; `enforce` to another one."""

    def __init__(self, settings: config.Browser, agent: str, drivers: processes.Drivers) -> None:
        self._settings = settings
        self._agent = agent
        self._drivers = drivers
        self._steps = compile_steps(settings.steps)
        self._until, self._ended_by = 0.0, ""
        self._thread = self._group = 0
        self._playwright: Playwright | None = None

    def start(self) -> None:
        """Raises BrowserFailed if it does not start, and CrawlFailedError if its sandbox does not work."""
        self._thread = threading.get_ident()
        # a little later than Playwright gives up
        self._until = time.monotonic() + 1.5 * START
        try:
            self._launch()
        except Exception as error:
            if message := no_sandbox(str(error)):
                raise CrawlFailedError(message) from error
            raise self._failure(error) from error
        finally:
            self._until = 0.0

    def _launch(self) -> None:
        self._playwright = sync_playwright().start()
        # the loop of Playwright in this thread: if its driver is killed, calls raise Error, which is enough
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        self._browser = launch(self._playwright.chromium, self._settings)
        self._system = self._browser.new_browser_cdp_session()
        # Playwright starts it as the leader of a group of processes
        (self._group,) = self._running("browser")
        self._network = self._begun(NETWORK)

    def render(
        self, url: str, document: Document, requests: PageRequests, after_step: AfterStep | None = None
    ) -> Rendering:
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
                after_step=after_step,
            )
            rendering = page.render(context)
            # Chromium starts a new one, but requests have failed that would not have
            if self._network - self._running(NETWORK):
                raise BrowserFailed(DIED, "the network process of the browser ended")
            context.close()
        except BrowserFailed:
            raise
        except Exception as error:  # Playwright has no type for the death of its driver
            raise self._failure(error) from error
        finally:
            self._until = 0.0
        return rendering

    def _failure(self, error: Exception) -> BrowserFailed:
        reason = self._ended_by or (STUCK if isinstance(error, TimeoutError) else DIED)
        return BrowserFailed(reason, str(error).partition("\n")[0][:300])

    def enforce(self) -> None:
        """End the browser if it, or its page, is late or takes too much memory. To be called often."""
        if not self._until or self._ended_by:
            return
        if time.monotonic() > self._until:
            self._kill(STUCK)
        elif self._group and processes.memory(self._group) > self._settings.max_memory:
            self._kill(MEMORY)

    def _kill(self, reason: str) -> None:
        """End the browser with its driver: calls that wait for them raise an error."""
        self._ended_by = self._ended_by or reason
        self._end()

    def _end(self) -> None:
        self._drivers.end(self._thread)
        if self._group:
            processes.end(self._group)

    def _running(self, type: str) -> set[int]:
        """Return the processes of a type, as the DevTools protocol names it. Raises Error."""
        running = self._system.send("SystemInfo.getProcessInfo")["processInfo"]
        return {each["id"] for each in running if each["type"] == type}

    def _begun(self, type: str) -> set[int]:
        """Return the processes of a type that begins a moment after the browser. Raises Error."""
        until = time.monotonic() + START
        while not (running := self._running(type)) and time.monotonic() < until:
            time.sleep(0.01)
        return running

    def close(self) -> None:
        """End all of its processes."""
        self._end()
        if self._playwright is not None:
            with contextlib.suppress(Exception):  # its driver has ended
                self._playwright.stop()
