"""The seen set: a Bloom filter in front of the exact index.

The filter only ever answers "surely new", which saves a look-up; "maybe seen" is decided by the index, so that no URL
is lost to a false positive (B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, CACM 13(7), 1970).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import xxhash
from pybloom_live import ScalableBloomFilter

from ttcrawl import config
from ttcrawl.store.regular import open_regular

#: In front of the filter in its file: the last URL it speaks of, and the xxh3 of what follows.
HEAD = struct.Struct("<qQ")

#: URLs that may be new before the filter is saved.
FRESH = 200_000

CHUNK = 1 << 20  # bytes


@dataclass(slots=True)
class SeenFigures:
    """`tests` asked; `maybe` answers "maybe seen", of them `false` about URLs that were new."""

    tests: int = 0
    maybe: int = 0
    false: int = 0


class Seen:
    """The keys of all URLs met. Kept in a file beside the database, because making it anew takes 5 to 9 us a key."""

    def __init__(self, settings: config.Seen, figures: SeenFigures | None = None) -> None:
        self._filter = ScalableBloomFilter(settings.capacity, settings.error_rate, ScalableBloomFilter.LARGE_SET_GROWTH)
        self._saved = 0
        self.figures = figures or SeenFigures()

    def surely_new(self, key: int) -> bool:
        """True: this key was never asked about before. False: it may have been. Either way it counts as seen now."""
        self.figures.tests += 1
        maybe: bool = self._filter.add(key)
        self.figures.maybe += maybe
        return not maybe

    def was_new(self) -> None:
        """The index says that the last "maybe seen" was wrong."""
        self.figures.false += 1

    def load(self, path: Path, keys_after: Callable[[int], Iterable[int]]) -> None:
        """Take over the file, if it is there and whole, and what `keys_after(id)` gives: all that was met since."""
        try:
            with open(path, "rb") as file:
                saved, checksum = HEAD.unpack(file.read(HEAD.size))
                if _checksum(file) == checksum:
                    file.seek(HEAD.size)
                    self._filter = ScalableBloomFilter.fromfile(file)
                    self._saved = saved
        except (OSError, struct.error):
            self._saved = 0
        for key in keys_after(self._saved):
            self._filter.add(key)

    def save(self, path: Path, last_id: int) -> None:
        """Write the file, which then speaks of the URLs up to `last_id`: to be called right after a commit."""
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)  # whatever it is, a link too
        number = open_regular(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        with open(number, "w+b") as file:  # not made in memory: it is as large as the filter
            file.write(HEAD.pack(0, 0))
            self._filter.tofile(file)
            file.seek(HEAD.size)
            head = HEAD.pack(last_id, _checksum(file))
            file.seek(0)
            file.write(head)
        os.replace(fresh, path)
        self._saved = last_id

    def due(self, last_id: int) -> bool:
        """So much is new that making it anew would take seconds; ever rarer, so that saving costs little a key."""
        return last_id - self._saved > max(FRESH, self._saved // 32)


def _checksum(file: BinaryIO) -> int:
    """xxh3 of all that follows."""
    digest = xxhash.xxh3_64()
    while part := file.read(CHUNK):
        digest.update(part)
    return digest.intdigest()
