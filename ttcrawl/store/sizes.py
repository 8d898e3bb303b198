"""How much new data of crawl.db stays in memory, and how much moves at once: the costs and limits of the store."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.store import filters, index


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """`new_urls` and `new_pages`: those of one round of a sweep. Memory has their keys (12 bytes each for those of
    pages), and twice as many rows are read on resume."""

    new_urls: int = index.ROUND
    new_pages: int = 100_000
    copied: int = 20_000  # keys copied to a larger filter with each commit, until it has all of them
    filters: tuple[int, ...] = filters.SIZES  # bits


#: For millions of pages.
USUAL = Sizes()
