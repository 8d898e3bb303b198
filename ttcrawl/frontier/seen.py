"""The seen set: a Bloom filter in front of the exact index.

The filter only ever answers "surely new", which saves a look-up. For "maybe seen" the index decides, so no URL is lost
to a false positive (B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, CACM 13(7), 1970).

pybloom-live sizes the filters and stores them. The bits of a key are set here, all at once: keys are hashes already,
and `ScalableBloomFilter.add` hashes each of them again, twice.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import xxhash
from msgspec import Struct
from pybloom_live import BloomFilter, ScalableBloomFilter

from ttcrawl import config, core
from ttcrawl.store.regular import open_regular

#: Header of the filter's file: the id of the last URL in the filter, and the xxh3 of the rest of the file.
HEAD = struct.Struct("<qQ")

#: Seed of this hash: a file of an earlier version, with other bits for a key, is rebuilt.
FORMAT = 2

#: Minimum number of new URLs before the filter is saved.
FRESH = 200_000

CHUNK = 1 << 20  # bytes

#: Keys added at once on resume.
AT_ONCE = 10_000


class SeenFigures(Struct):
    """`tests`: queries; `maybe`: queries answered "maybe seen"; `false`: of `maybe`, about URLs that were new."""

    tests: int = 0
    maybe: int = 0
    false: int = 0


class Seen:
    """The keys of all discovered URLs, saved in a file beside the database: in Python, rebuilding takes 3 µs a key."""

    def __init__(self, settings: config.Seen, figures: SeenFigures | None = None) -> None:
        self._filter = ScalableBloomFilter(settings.capacity, settings.error_rate, ScalableBloomFilter.LARGE_SET_GROWTH)
        self._saved = 0
        self.figures = figures or SeenFigures()

    def surely_new(self, key: int) -> bool:
        """Add a key. Return True if it was never added before, False if it may have been."""
        return not self.maybe_seen((key,))[0]

    def maybe_seen(self, keys: Sequence[int]) -> bytes:
        """Add keys, one after the other. Return 1 for each that may have been added before, else 0."""
        maybe = self._add(keys)
        self.figures.tests += len(keys)
        self.figures.maybe += sum(maybe)
        return maybe

    def _add(self, keys: Sequence[int]) -> bytes:
        """Add keys to the filter; return for each whether it may have been there."""
        maybe = b""
        while len(maybe) < len(keys):
            filters = self._filter.filters
            if not filters or filters[-1].count >= filters[-1].capacity:
                self._grow()
            added = _maybe_seen(filters, keys[len(maybe) :], filters[-1].capacity - filters[-1].count)
            filters[-1].count += added.count(0)
            maybe += added
        return maybe

    def _grow(self) -> None:
        """Add a larger filter, as `ScalableBloomFilter.add` does."""
        scalable, filters = self._filter, self._filter.filters
        capacity = filters[-1].capacity * scalable.scale if filters else scalable.initial_capacity
        error_rate = filters[-1].error_rate if filters else scalable.error_rate
        filters.append(BloomFilter(capacity, error_rate * scalable.ratio))

    def was_new(self) -> None:
        """Count a false positive: the index did not have the last "maybe seen" key."""
        self.figures.false += 1

    def load(self, path: Path, keys_after: Callable[[int], Iterable[int]]) -> None:
        """Load the file, if it exists and is complete, and add `keys_after(id)`: the keys discovered since then."""
        try:
            with open(open_regular(path, os.O_RDONLY), "rb") as file:
                saved, checksum = HEAD.unpack(file.read(HEAD.size))
                if _checksum(file) == checksum:
                    file.seek(HEAD.size)
                    self._filter = ScalableBloomFilter.fromfile(file)
                    self._saved = saved
        except (OSError, struct.error):
            self._saved = 0
        keys = iter(keys_after(self._saved))
        while some := list(islice(keys, AT_ONCE)):
            self._add(some)

    def save(self, path: Path, last_id: int) -> None:
        """Write the file for the URLs up to `last_id`; call it right after a commit."""
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)  # whatever it is, even a link
        try:
            number = open_regular(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            with open(number, "w+b") as file:  # not built in memory: it is as large as the filter
                file.write(HEAD.pack(0, 0))
                self._filter.tofile(file)
                file.seek(HEAD.size)
                head = HEAD.pack(last_id, _checksum(file))
                file.seek(0)
                file.write(head)
            os.replace(fresh, path)
        except OSError as error:  # of a write, as on a full disk, which names no file
            error.filename, error.filename2 = str(path), None
            fresh.unlink(missing_ok=True)
            raise
        self._saved = last_id

    def due(self, last_id: int) -> bool:
        """Whether rebuilding the new keys would take seconds; ever rarer, so that saving costs little per key."""
        return last_id - self._saved > max(FRESH, self._saved // 32)


def _maybe_seen(filters: Sequence[BloomFilter], keys: Sequence[int], room: int) -> bytes:
    """Add keys to the last filter, `room` of them at most. Return for each until then whether it may be there."""
    if core.native is not None:
        return core.native.maybe_seen(
            tuple((each.bitarray, each.num_bits, each.num_slices) for each in filters), keys, room
        )
    maybe = bytearray()
    for key in keys:
        if not room:
            break
        seen = any(each.bitarray[_positions(each, key)].all() for each in filters)
        if not seen:
            filters[-1].bitarray[_positions(filters[-1], key)] = True
            room -= 1
        maybe.append(seen)
    return bytes(maybe)


def _positions(bloom: BloomFilter, key: int) -> list[int]:
    """Return the bits of a key: an arithmetic progression from two halves of this hash is as good as several hashes.

    Source: A. Kirsch and M. Mitzenmacher, Less hashing, same performance, Random Structures & Algorithms 33(2), 2008.
    """
    step, size = key >> 32 | 1, bloom.num_bits
    return [position % size for position in range(key, key + bloom.num_slices * step, step)]


def _checksum(file: BinaryIO) -> int:
    """Return the xxh3 of the rest of the file."""
    digest = xxhash.xxh3_64(seed=FORMAT)
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    return digest.intdigest()
