"""Changes that sitemaps and feeds announce: pages whose date is later than their last visit become due.

A site may give other dates without changing its pages. So the visits to announced pages are counted by host, and of a
host whose dates were wrong more often than right, few pages become due (`ttcrawl.recrawl.belief`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, islice
from operator import attrgetter

from ttcrawl import config
from ttcrawl.ring.messages import Link
from ttcrawl.store.recrawls import Announced, Recrawls

_SITE, _OLDEST = attrgetter("site"), attrgetter("site", "visited", "url")


def announce(
    links: Sequence[Link], settings: config.Revisit, table: Recrawls, is_active: Callable[[int], bool]
) -> bool:
    """Make pages due that a sitemap or feed calls changed, those first that were not visited for the longest time.
    Return whether there are any.

    `is_active`: whether a URL is being visited: then its visit shows what has changed.
    """
    moments = {link.key: link.changed for link in links if link.changed}
    announced = sorted((each for each in table.older(moments) if not is_active(each.url)), key=_OLDEST)
    for site, pages in groupby(announced, key=_SITE):
        for page in islice(pages, table.belief(site).allowance):
            table.announce(page.url, _earliest(page, settings), moments[page.key])
    return bool(announced)


def _earliest(page: Announced, settings: config.Revisit) -> float:
    """Return the moment of the next visit that the signal asks for."""
    moment = page.visited + settings.shortest
    if settings.obey_expiry and page.fresh_until is not None:
        moment = max(moment, min(page.fresh_until, page.visited + settings.longest))
    return moment


def checked(table: Recrawls, site: int, *, hit: bool) -> None:
    """Count a visit to an announced page of a host. `hit`: it has found a change."""
    table.believe(site, table.belief(site).after(hit=hit))
