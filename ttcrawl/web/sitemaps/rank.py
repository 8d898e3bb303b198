"""The order of sitemap and feed entries among URLs of the same distance from the seeds. Pure."""

from __future__ import annotations

import math

from ttcrawl.web.sitemaps.entry import USUAL

#: Steps for a priority of 1: a tenth of it is TENTH * 2, and the date changes the rank by less than half of that.
STEPS = 800
TENTH = STEPS // 20

#: The age that counts as if no date were given, hours; each doubling or halving makes four steps.
MONTH = 720.0


def rank(priority: float, changed: float | None, now: float) -> int:
    """Smaller is first, 0 as for a link on a page: priority decides first, to a tenth, then the last change; -439 to
    439.

    `changed` and `now` are seconds since the epoch. The step is the logarithm of the age, because pages that changed
    recently are likely to change again, or to be new (Cho, Garcia-Molina, 2003).

    >>> [rank(0.5, None, 0.0), rank(1.0, None, 0.0), rank(0.5, 0.0, 3600.0), rank(0.5, 0.0, 3e8)]
    [0, -400, -38, 27]
    """
    steps = STEPS * (USUAL - min(max(priority, 0.0), 1.0))
    if changed is None:
        return round(steps)
    hours = max((now - changed) / 3600.0, 1.0)
    return round(steps) + max(1 - TENTH, min(TENTH - 1, round(4 * math.log2(hours / MONTH))))
