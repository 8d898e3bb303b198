"""`ttcrawl try steps`: what [browser] steps do with one page, without a crawl."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Error, Page

from ttcrawl.browser.chromium import Browser, BrowserFailed
from ttcrawl.browser.document import Document, document_of
from ttcrawl.browser.processes import Drivers
from ttcrawl.browser.program import check
from ttcrawl.browser.requests import PageRequests, RefusedRequest, room
from ttcrawl.browser.steps import Step, compile_steps
from ttcrawl.browser.worker import Shared, for_scripts
from ttcrawl.config import Config
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.fetch import worker
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, HEADS, PAGE, Failed, Request
from ttcrawl.vocabulary.reason import REDIRECT_STATUSES
from ttcrawl.web.address import Pairs

#: Seconds between two looks whether a request or the browser is late, or takes too much memory.
LOOK = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A step that was tried; `failed`: why it failed, "" if it did not; `picture`: what the page looks like then."""

    step: str
    failed: str
    url: str
    title: str
    picture: str  # the path of a PNG; "": there is none


@dataclass(slots=True, kw_only=True)
class Pictures:
    """Takes a picture after each step."""

    directory: Path
    wait: float
    report: Callable[[Tried], None]
    _number: int = 0

    def take(self, step: Step, failed: str, page: Page) -> None:
        self._number += 1
        path = self.directory / f"{self._number:02}-{step.verb}.png"
        path.unlink(missing_ok=True)
        title = ""
        with contextlib.suppress(Error):
            page.screenshot(path=path, timeout=1000 * self.wait)
            title = page.title()
        picture = str(path) if path.exists() else ""
        self.report(Tried(step=str(step), failed=failed, url=page.url, title=title, picture=picture))


def try_steps(
    url: str, config: Config, granted: Pairs, clock: Clock, directory: Path, report: Callable[[Tried], None]
) -> None:
    """Do the steps for a canonical URL; after each, a picture is written to the directory, and reported.

    Raises UsageError if there is no step, and CrawlFailedError if the page, or its browser, is not to be had.
    """
    config = replace(config, politeness=replace(config.politeness, obey_delay=False))
    check(config, inline=False)
    if not compile_steps(config.browser.steps)(url):
        raise UsageError(f"no line of [browser] steps is for {url}: write one, PATTERN VERB ARGUMENT")
    transport = Transport(for_scripts(config), clock, granted)
    drivers = Drivers()
    browser = Browser(config.browser, config.agent.header, drivers)
    pictures = Pictures(directory=directory, wait=config.browser.wait, report=report)
    with _enforced(transport.enforce, browser.enforce):
        document, requests = _fetched(url, config, transport, clock)
        directory.mkdir(parents=True, exist_ok=True)
        asyncio.set_event_loop_policy(drivers)
        try:
            browser.start()
            browser.render(url, document, requests, pictures.take)
        except BrowserFailed as error:
            raise CrawlFailedError(f"{url}: the browser failed ({error.reason}): {error}") from None
        finally:
            browser.close()


def _fetched(url: str, config: Config, transport: Transport, clock: Clock) -> tuple[Document, PageRequests]:
    """Return the page, and what makes the requests of its scripts. Raises UsageError, CrawlFailedError."""
    request = Request(token=0, kind=PAGE, url=url, depth=0, not_before=0.0)
    shared, slot = Shared(config, transport, None, clock), room(config.fetch.max_body)
    turns = shared.turns(request)
    turns.begin()
    try:
        shared.requests(request, turns, slot, ()).check_robots(url)
    except RefusedRequest as error:
        raise CrawlFailedError(f"{error}: a crawl would not request it") from None
    fetched = worker.fetch(transport, request, slot, clock)
    if isinstance(fetched, Failed):
        raise CrawlFailedError(f"{url}: {fetched.reason}")
    head = HEADS.decode(slot[: fetched.head_size])
    if fetched.status in REDIRECT_STATUSES:
        where = next((value for name, value in head.headers if name.lower() == "location"), "")
        raise UsageError(f"{url} redirects to {where}: try the steps there")
    if why := fetched.refused or fetched.incomplete:
        raise CrawlFailedError(f"{url} has no complete answer: {why}")
    document = document_of(url, head, bytes(slot[HEAD_ROOM : HEAD_ROOM + fetched.body_size]), config.fetch)
    if document is None:
        raise CrawlFailedError(f"{url} is not an HTML page (status {fetched.status})")
    return document, shared.requests(request, turns, room(config.fetch.max_body), fetched.set_cookies)


@contextlib.contextmanager
def _enforced(*limits: Callable[[], None]) -> Iterator[None]:
    """Hold the limits meanwhile."""
    over = threading.Event()

    def enforce() -> None:
        while not over.wait(LOOK):
            for each in limits:
                each()

    thread = threading.Thread(target=enforce, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
