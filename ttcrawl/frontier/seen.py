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
    """The keys of all URLs met; made with those, and the figures, of earlier runs."""

    def __init__(self, settings: config.Seen, keys: Iterable[int] = (), figures: SeenFigures | None = None) -> None:
        self._filter = ScalableBloomFilter(settings.capacity, settings.error_rate, ScalableBloomFilter.SMALL_SET_GROWTH)
        self.figures = figures or SeenFigures()
        for key in keys:
            self._filter.add(key)

    def surely_new(self, key: int) -> bool:
        """True: this key was never asked about before. False: it may have been. Either way it counts as seen now."""
        self.figures.tests += 1
        maybe: bool = self._filter.add(key)
        self.figures.maybe += maybe
        return not maybe

    def was_new(self) -> None:
        """The index says that the last "maybe seen" was wrong."""
        self.figures.false += 1
