"""Small pictures of archived pages. Nothing leaves the browser: what the archive does not have is missing in them.

Scripts do not run: a page that they make is shown as its document was after them, and the others as a reader sees them
who waits for no script.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from playwright.sync_api import Browser, BrowserType, Error, Route, TimeoutError, sync_playwright

from ttcrawl import config
from ttcrawl.browser.cache import Response
from ttcrawl.browser.processes import Drivers
from ttcrawl.browser.program import launch, no_sandbox
from ttcrawl.errors import CrawlFailedError

#: The window, in pixels of a page, and how many pixels of the picture are one of them.
WIDTH, HEIGHT, SCALE = 1280, 800, 0.5

#: Of JPEG, of 100: letters of headings can be read, and a picture has about 30 KB.
QUALITY = 60

#: Seconds for a page to load, and for its picture.
SECONDS = 10.0

#: What changes how a page looks.
SEEN = frozenset(("stylesheet", "image", "font"))

#: Scripts have run before the document was taken.
NO_NOSCRIPT = b"<style>noscript { display: none !important }</style>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """HTML in UTF-8. `after_scripts`: it was taken from a browser."""

    url: str
    html: bytes
    after_scripts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thumbnail:
    """A JPEG. `missing`: style sheets, images and fonts that the page wants, and that the archive does not have."""

    url: str
    jpeg: bytes
    missing: int


def thumbnails(
    settings: config.Browser, documents: Iterable[Document], archived: Callable[[Document, str], Response | None]
) -> Iterator[Thumbnail]:
    """The pictures of documents; of a page that the browser cannot show there is none.

    `archived`: what answers the request of a document for a URL. Raises UsageError if there is no browser, and
    CrawlFailedError if its sandbox does not work.
    """
    asyncio.set_event_loop_policy(Drivers())
    with sync_playwright() as playwright:
        browser: Browser | None = None
        for document in documents:
            if browser is None or not browser.is_connected():
                browser = _started(playwright.chromium, settings)
            with contextlib.suppress(Error):
                yield _thumbnail(browser, document, partial(archived, document))
        if browser is not None:
            browser.close()


def _started(chromium: BrowserType, settings: config.Browser) -> Browser:
    try:
        return launch(chromium, settings)
    except Error as error:
        why = no_sandbox(str(error)) or f"the browser does not start: {str(error).partition(chr(10))[0][:300]}"
        raise CrawlFailedError(why) from error


def _thumbnail(browser: Browser, document: Document, archived: Callable[[str], Response | None]) -> Thumbnail:
    """Raises playwright's Error."""
    missing = set[str]()
    first = True

    def answer(route: Route) -> None:
        nonlocal first
        request = route.request
        if first:
            first = False
            end = NO_NOSCRIPT if document.after_scripts else b""
            route.fulfill(status=200, headers={"content-type": "text/html; charset=utf-8"}, body=document.html + end)
        elif request.is_navigation_request() and request.frame.parent_frame is None:  # a refresh: the page stays
            route.abort("aborted")
        elif (response := archived(request.url)) is not None:
            route.fulfill(status=response.status, headers=response.headers, body=response.body)
        else:
            if request.resource_type in SEEN:
                missing.add(request.url)
            route.abort("blockedbyclient")

    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=SCALE,
        java_script_enabled=False,
        service_workers="block",
        accept_downloads=False,
    )
    try:
        context.route("**/*", answer)
        page = context.new_page()
        with contextlib.suppress(TimeoutError):
            page.goto(document.url, timeout=1000 * SECONDS)
        data = page.screenshot(type="jpeg", quality=QUALITY, animations="disabled", timeout=1000 * SECONDS)
    finally:
        context.close()
    return Thumbnail(url=document.url, jpeg=data, missing=len(missing))
