"""What a page looks like: a screenshot, and a PDF."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playwright.sync_api import Error, FloatRect, Page, TimeoutError

from ttcrawl import config
from ttcrawl.browser.scripts import TOP
from ttcrawl.browser.world import World
from ttcrawl.ring.rendering import PDF, PNG, Picture

#: Maximum height of a screenshot, pixels: more of a long page is left out.
HEIGHT = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`left`: seconds for the pictures; `room`: bytes."""

    left: Callable[[], float]
    room: int


def pictures(page: Page, world: World, settings: config.Browser, limits: Limits) -> tuple[Picture, ...]:
    """Return those that the settings want. What needs more than there is, or has lost its document, is left out."""
    room = limits.room
    found = list[Picture]()
    if settings.screenshot or settings.pdf:
        with contextlib.suppress(Error):
            for picture in _taken(page, world.call(TOP), settings, limits):
                if len(picture.data) <= room:
                    room -= len(picture.data)
                    found.append(picture)
    return tuple(found)


def _taken(page: Page, height: int, settings: config.Browser, limits: Limits) -> Iterator[Picture]:
    """Take the pictures; `height`: of the document, pixels."""
    if settings.screenshot and limits.left() > 0:
        with contextlib.suppress(TimeoutError):  # the page never stands still
            size = page.viewport_size or {"width": 1280, "height": 720}
            clip = FloatRect(x=0, y=0, width=size["width"], height=min(HEIGHT, max(height, size["height"])))
            data = page.screenshot(full_page=True, clip=clip, timeout=1000 * max(0.001, limits.left()))
            yield Picture(type=PNG, data=data)
    if settings.pdf and limits.left() > 0:
        yield Picture(type=PDF, data=page.pdf(print_background=True))
