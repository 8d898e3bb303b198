"""Which entry is fetched first among URLs of the same distance from the seeds. Pure."""

from __future__ import annotations

import math

from ttcrawl.web.sitemaps.entry import USUAL

#: Steps for a whole of priority: a tenth of it is TENTH * 2, and what the date adds or takes is less than half of that.
STEPS = 800
TENTH = STEPS // 20

#: The age that counts as none named, hours; a quarter of each doubling or halving is a step.
MONTH = 720.0


def rank(priority: float, changed: float | None, now: float) -> int:
    """Smaller is first, 0 as a link on a page: priority to a tenth decides, then what changed later; -439 to 439.

    `changed` and `now` are seconds since the epoch. That pages that changed a short time ago are likely to change, or
    to be new, is why the step is one of the logarithm of their age (Cho, Garcia-Molina, 2003).

    >>> [rank(0.5, None, 0.0), rank(1.0, None, 0.0), rank(0.5, 0.0, 3600.0), rank(0.5, 0.0, 3e8)]
    [0, -400, -38, 27]
    """
    steps = STEPS * (USUAL - min(max(priority, 0.0), 1.0))
    if changed is None:
        return round(steps)
    hours = max((now - changed) / 3600.0, 1.0)
    return round(steps) + max(1 - TENTH, min(TENTH - 1, round(4 * math.log2(hours / MONTH))))
