"""When to take a sample of the growth series: at every page first, then ever more rarely.

So a series of a million pages has a few thousand samples, and is fine enough at each scale of a logarithmic axis.
"""

from __future__ import annotations

#: Distance between samples, as a share of the pages so far.
STEP = 1 / 500


def next_sample(pages: int) -> int:
    """Return the number of pages at which the sample after the one at `pages` is taken.

    >>> [next_sample(n) for n in (0, 1, 499, 1000, 1_000_000)]
    [1, 2, 500, 1002, 1002000]
    """
    return max(pages + 1, int(pages * (1 + STEP)))
