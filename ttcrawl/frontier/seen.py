"""The seen set: a Bloom filter in front of the exact index.

The filter only ever answers "surely new", which saves a look-up; "maybe seen" is decided by the index, so that no URL
is lost to a false positive (B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, CACM 13(7), 1970).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pybloom_live import ScalableBloomFilter

from ttcrawl import config


@dataclass(slots=True)
class SeenFigures:
    """`tests` asked; `maybe` answers "maybe seen", of them `false` about URLs that were new."""

    tests: int = 0
    maybe: int = 0
    false: int = 0


class Seen:
    def __init__(self, settings: config.Seen, urls: Iterable[str] = ()) -> None:
        self._filter = ScalableBloomFilter(settings.capacity, settings.error_rate, ScalableBloomFilter.SMALL_SET_GROWTH)
        self.figures = SeenFigures()
        for url in urls:
            self._filter.add(url)

    def surely_new(self, url: str) -> bool:
        """True: this URL was never asked about before. False: it may have been. Either way it counts as seen now."""
        self.figures.tests += 1
        maybe: bool = self._filter.add(url)
        self.figures.maybe += maybe
        return not maybe

    def was_new(self) -> None:
        """The index says that the URL answered "maybe seen" about last was new."""
        self.figures.false += 1
