"""What a page is a duplicate of: a pure function of the first pages of its buckets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ttcrawl import config
from ttcrawl.engine.duplicates.order import Order, order
from ttcrawl.read.fingerprints import keys
from ttcrawl.ring.record import BYTES, NEAR, TEXT, Fingerprint
from ttcrawl.store.fingerprints import Mark, Printed

#: A candidate whose estimated similarity lies so many standard errors below what is asked for is not looked at: of
#: those that are similar enough one in 30,000 is lost so.
SIGMAS = 4.0


@dataclass(frozen=True, slots=True)
class Known:
    """A page as it is compared."""

    n: int
    id: int  # of its URL
    url: str
    order: Order
    asked: float
    reading: int
    body: bytes  # its digest
    print: Fingerprint

    @property
    def exact(self) -> dict[int, str]:
        """The keys of the buckets of pages that are the same, with what is."""
        ways = {keys.of_bytes(self.body): BYTES} if self.body else {}
        return ways | {keys.of_text(self.print.text): TEXT} if self.print.text else ways

    @property
    def near(self) -> tuple[int, ...]:
        """The keys of the buckets of pages that may be nearly the same."""
        return keys.unpacked(self.print.bands)


def known(row: Printed) -> Known:
    found = Fingerprint(text=row.text, bands=row.bands, signature=row.signature, shingles=row.shingles)
    place = order(row.depth, row.priority, row.url)
    return Known(row.n, row.id, row.url, place, row.asked, row.reading, row.body, found)


def floor(settings: config.Duplicates) -> float:
    """The estimate from which shingles are compared. Of a signature of k numbers the standard error at similarity s is
    sqrt(s (1 - s) / k) (A. Z. Broder, On the resemblance and containment of documents, 1997)."""
    s = settings.verify
    return s - SIGMAS * math.sqrt(s * (1 - s) / settings.permutations)


def mark(page: Known, firsts: Mapping[int, Known], settings: config.Duplicates) -> Mark | None:
    """`firsts`: the first page of each bucket that the page is in, by key; the page itself may be one of them.

    Among those that come before the page the same ones win, of these the first; else the first that is near enough.
    """
    if not firsts:
        return None
    if settings.exact:
        same = [(firsts[key].order, firsts[key].id, way) for key, way in page.exact.items() if key in firsts]
        first = min(same, default=None)
        if first is not None and first[0] < page.order:
            return Mark(original=first[1], same=first[2])
    if not settings.near:
        return None
    least = floor(settings)
    for each in _before(page, (firsts[key] for key in page.near if key in firsts)):
        similarity = _similarity(page.print, each.print, least)
        if similarity >= settings.verify:
            return Mark(original=each.id, same=NEAR, similarity=similarity)
    return None


def _before(page: Known, firsts: Iterable[Known]) -> list[Known]:
    """Those that come before the page, in order, each once."""
    return sorted({each.n: each for each in firsts if each.order < page.order}.values(), key=lambda each: each.order)


def _similarity(one: Fingerprint, other: Fingerprint, least: float) -> float:
    from ttcrawl.read.fingerprints.similarity import (  # with numpy, which a crawl without near ones does not need
        estimated,
        exact,
    )

    if len(one.signature) != len(other.signature):  # made with other settings, by an earlier run
        return exact(one.shingles, other.shingles)
    return exact(one.shingles, other.shingles) if estimated(one.signature, other.signature) >= least else 0.0
