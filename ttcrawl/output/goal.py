"""Where a crawl ends, if that is known before: how much is done, and how long the rest takes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from ttcrawl.output.counters import Snapshot


class Done(NamedTuple):
    done: float
    of: float
    left: float | None  # seconds; None: unknown
    text: str


class Goal(Struct, frozen=True, kw_only=True):
    """`pages` and `seconds` are limits; 0: no limit. `listed`: sitemaps list all URLs, no page adds another one."""

    pages: int = 0
    seconds: float = 0.0
    listed: bool = False

    def done(self, begun: Snapshot, now: Snapshot, pages_per_second: float | None) -> Done | None:
        """What is nearest to its end since the snapshot with which this run has `begun`; None: no end is known."""
        ends = [each for each in self._all(begun, now, pages_per_second) if each.of > 0]
        return max(ends, key=lambda each: each.done / each.of, default=None)

    def _all(self, begun: Snapshot, now: Snapshot, rate: float | None) -> Iterator[Done]:
        if self.pages:
            done = min(now.fetched, self.pages)
            left = (self.pages - done) / rate if rate else None
            yield Done(done, self.pages, left, f"{done:,} of {self.pages:,} pages")
        if self.seconds:
            done_seconds = min(now.seconds - begun.seconds, self.seconds)
            text = f"{done_seconds:,.0f} of {self.seconds:,.0f} s"
            yield Done(done_seconds, self.seconds, self.seconds - done_seconds, text)
        if self.listed:
            done = max(0, now.in_scope - now.queued)
            left = now.queued / rate if rate else None
            yield Done(done, now.in_scope, left, f"{done:,} of {now.in_scope:,} listed URLs")


def time_left(seconds: float | None) -> str:
    """The time that is left in words, as exact as it can be known.

    >>> time_left(44.2), time_left(170), time_left(7325), time_left(9e13), time_left(None)
    ('45 s left', '3 min left', '2:03 h left', '1,041,666,666 d 16 h left', '')
    """
    if seconds is None:
        return ""
    if seconds < 100:
        return f"{math.ceil(seconds)} s left"
    if seconds < 6000:
        return f"{math.ceil(seconds / 60)} min left"
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    days, hours = divmod(hours, 24)
    return f"{days:,} d {hours} h left" if days else f"{hours}:{minutes:02} h left"
