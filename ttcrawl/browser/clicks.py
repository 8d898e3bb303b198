"""Clicks on what looks like a button or a menu, for the content that a page shows only then."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl import config
from ttcrawl.browser.click_scripts import BACK, CLICK, FIRST, HOVER, NEXT, OFFERED, WATCH
from ttcrawl.browser.labels import harmless
from ttcrawl.browser.world import World


def click(
    world: World, settings: config.Browser, left: Callable[[], float], settle: Callable[[], object]
) -> tuple[str, ...]:
    """Click one element after the other, in the order of the document, and return the addresses that clicks made.

    `left`: the seconds that are left for the page; `settle`: waits until it makes no request. Raises playwright's
    Error if a click ends the document.
    """
    world.call_with_closed_roots(WATCH, settings.max_bytes)
    windows, addresses = world.windows(), list[str]()
    world.call(HOVER)
    settle()
    first = ""
    for _ in range(settings.clicks):
        world.call(NEXT)
        offered = world.call(OFFERED)
        position = next((n for n, (shown, names) in enumerate(offered) if harmless(shown, names)), None)
        if position is None or left() <= 0:
            break
        before, length = world.call(CLICK, position)
        first = first or before
        settle()
        after, back = world.call(BACK, before, length)
        addresses.append(after)
        if back:
            settle()
    if first and world.call(FIRST, first):
        settle()
    return tuple(dict.fromkeys(each.split("#")[0] for each in (*addresses, *windows)))
