"""Whether the dates of sitemaps and feeds are believed: by what visits have found behind them."""

from __future__ import annotations

from msgspec import Struct

#: Announced pages that are visited before a host is believed or not, and pages of an unbelieved host that a sitemap
#: or feed makes due each time: they may win the belief back.
TRIAL, AGAIN = 10, 1

#: Signals that are remembered: beyond, all count half, so that the latest decide.
MOST = 100


class Belief(Struct, frozen=True):
    """`hits`: visits to announced pages that found a change; `misses`: that found none."""

    hits: int = 0
    misses: int = 0

    def after(self, *, hit: bool) -> Belief:
        """Return the belief after one more visit to an announced page."""
        hits, misses = self.hits + hit, self.misses + (not hit)
        return Belief(hits // 2, misses // 2) if hits + misses > MOST else Belief(hits, misses)

    @property
    def allowance(self) -> int | None:
        """The announced pages of the host that one sitemap or feed makes due; None: all of them.

        >>> [Belief(*each).allowance for each in ((0, 0), (9, 0), (5, 5), (4, 6))]
        [10, 1, None, 1]
        """
        checked = self.hits + self.misses
        if checked < TRIAL:
            return TRIAL - checked
        return None if self.hits >= self.misses else AGAIN
