"""Which ring owns a host: registrable domain -> bucket -> ring. Hosts of a split domain have own buckets. Pure.

A bucket belongs to the ring with the highest weight (rendezvous hashing: Thaler, Ravishankar, 1998), so a new ring
takes its share of the buckets from all others alike, and no bucket moves between the others.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import xxhash

from ttcrawl.web.url import registrable_domain, split_port

#: Buckets of a table. With fewer, a ring of a large cluster gets an uneven share: with 65,536 the fullest of 100 rings
#: has 1.09 times the mean.
BUCKETS = 65_536

#: Hosts whose owner is remembered.
_REMEMBERED = 100_000


def bucket_of(name: str, buckets: int = BUCKETS) -> int:
    """Return the bucket of a registrable domain, or of a host: the same in every process and on every machine."""
    return xxhash.xxh3_64_intdigest(name.encode()) % buckets


@lru_cache(maxsize=4)
def owners(rings: tuple[int, ...], buckets: int = BUCKETS) -> tuple[int, ...]:
    """Return the ring of each bucket. Raises ValueError without a ring.

    The weights of a ring are the bytes of SHAKE128 (FIPS 202) of its number, eight for each bucket: a digest for each
    bucket and ring would take twelve times as long. A change asks for the same few tables several times.
    """
    members = sorted(rings)
    if not members:
        raise ValueError("a table needs a ring")
    # the highest ring first: of equal weights, `index` finds it
    falling = members[::-1]
    weights = zip(*(_weights(ring, buckets) for ring in falling), strict=True)
    return tuple(falling[of_bucket.index(max(of_bucket))] for of_bucket in weights)


def _weights(ring: int, buckets: int) -> array[int]:
    weights = array("Q", hashlib.shake_128(b"%d" % ring).digest(8 * buckets))
    if sys.byteorder == "big":
        weights.byteswap()
    return weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The owner of every bucket. A change makes a table with the next epoch."""

    epoch: int
    rings: tuple[int, ...]
    owner_of: tuple[int, ...] = field(repr=False)  # bucket -> ring
    split: frozenset[str] = frozenset()  # registrable domains whose hosts are divided among the rings
    _known: dict[str, int] = field(default_factory=dict, repr=False, compare=False)  # host -> ring

    def ring_of(self, host: str) -> int:
        """Return the ring that owns a host, or an IP address."""
        ring = self._known.get(host)
        if ring is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            domain = registrable_domain(host)
            name = split_port(host)[0] if domain in self.split else domain
            ring = self._known[host] = self.owner_of[bucket_of(name, len(self.owner_of))]
        return ring

    def moved(self, later: Table) -> dict[int, tuple[int, int]]:
        """Return bucket -> (ring before, ring after) of the buckets that have another owner in a later table."""
        pairs = enumerate(zip(self.owner_of, later.owner_of, strict=True))
        return {bucket: pair for bucket, pair in pairs if pair[0] != pair[1]}


def table(rings: Iterable[int], epoch: int = 0, buckets: int = BUCKETS, split: frozenset[str] = frozenset()) -> Table:
    """Return the table of a set of rings. Raises ValueError if there is none."""
    members = tuple(sorted(set(rings)))
    return Table(epoch=epoch, rings=members, owner_of=owners(members, buckets), split=split)
