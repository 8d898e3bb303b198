"""Which of several equal pages is the original: a pure function of the first pages of their buckets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from ttcrawl import config
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.similarity import estimated, exact, required
from ttcrawl.ring.columns import BYTES, NEAR, TEXT, Fingerprint
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.store.fingerprints import Mark, Printed

#: A candidate whose estimated similarity is this number of standard errors below the required one is skipped: of the
#: candidates that are similar enough, one in 30,000 is lost.
SIGMAS = 4.0

#: Smaller comes first. The URL replaces "first discovered", which depends on timing among pages of the same depth.
Order: TypeAlias = tuple[int, int, str]


def order(depth: int | None, rank: int, url: str) -> Order:
    """Return the order of a page. It depends neither on timing nor on the order of the queue."""
    return (NOT_FOLLOWED if depth is None else depth, rank, url)


class Known(Struct, frozen=True):
    """A page for comparison."""

    n: int
    id: int  # of its URL
    url: str
    order: Order
    time: float
    parse_context: int
    body: bytes  # its digest
    print: Fingerprint

    @property
    def exact(self) -> dict[int, str]:
        """The keys of the buckets of identical pages -> the feature that is identical."""
        features = {keys.of_bytes(self.body): BYTES} if self.body else {}
        return features | {keys.of_text(self.print.text): TEXT} if self.print.text else features

    @property
    def near(self) -> tuple[int, ...]:
        """The keys of the buckets of pages that may be near-duplicates."""
        return keys.unpacked(self.print.bands)


def known(row: Printed) -> Known:
    fingerprint = Fingerprint(text=row.text, bands=row.bands, signature=row.signature, shingles=row.shingles)
    order_of_row = order(row.depth, row.rank, row.url)
    return Known(row.n, row.id, row.url, order_of_row, row.time, row.parse_context, row.body, fingerprint)


def floor(settings: config.Duplicates) -> float:
    """Return the lowest estimate for which shingles are compared.

    The standard error of a signature of k numbers at similarity s is sqrt(s (1 - s) / k) (A. Z. Broder, On the
    resemblance and containment of documents, 1997).
    """
    s = settings.verify
    return s - SIGMAS * math.sqrt(s * (1 - s) / settings.permutations)


def mark(page: Known, firsts: Mapping[int, Known], settings: config.Duplicates) -> Mark | None:
    """Return the mark of a page. `firsts`: key -> first page of each of its buckets, which may be the page itself.

    Only pages that come before it count. The first identical one wins; else the first that is similar enough.
    """
    if not firsts:
        return None
    if settings.exact:
        same = [(firsts[key].order, firsts[key].id, feature) for key, feature in page.exact.items() if key in firsts]
        first = min(same, default=None)
        if first is not None and first[0] < page.order:
            return Mark(original=first[1], same=first[2])
    return similar(page, (firsts[key] for key in page.near if key in firsts), settings) if settings.near else None


def similar(page: Known, candidates: Iterable[Known], settings: config.Duplicates) -> Mark | None:
    """Return the mark by the first one of these pages that comes before the page and is similar enough."""
    least = floor(settings)
    for each in _before(page, candidates):
        if similarity := _similarity(page.print, each.print, least, settings.verify):
            return Mark(original=each.id, same=NEAR, similarity=similarity)
    return None


def same_feature(one: Known, other: Known, settings: config.Duplicates) -> str:
    """Return what two pages have in common: BYTES, TEXT or NEAR; "": they are different."""
    if settings.exact:
        for key, feature in one.exact.items():
            if key in other.exact:
                return feature
    if settings.near and set(one.near) & set(other.near):
        return NEAR if _similarity(one.print, other.print, floor(settings), settings.verify) else ""
    return ""


def _before(page: Known, firsts: Iterable[Known]) -> list[Known]:
    """Return those that come before the page, in order, each once."""
    return sorted({each.n: each for each in firsts if each.order < page.order}.values(), key=lambda each: each.order)


def _similarity(one: Fingerprint, other: Fingerprint, least: float, verify: float) -> float:
    """Return the similarity if it is surely `verify` or more, else 0.0. `least`: see `floor`."""
    # signatures of two lengths were made with different settings, in two runs
    if len(one.signature) == len(other.signature) and estimated(one.signature, other.signature) < least:
        return 0.0
    similarity = exact(one.shingles, other.shingles)
    return similarity if similarity >= required(one.shingles, other.shingles, verify) else 0.0
