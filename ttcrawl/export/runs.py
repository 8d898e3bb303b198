"""Sorts more records than memory holds: sorted runs in a temporary file, merged (Knuth, volume 3, section 5.4)."""

from __future__ import annotations

import heapq
import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import TypeAlias

from msgspec import msgpack

#: The number by which records are sorted, and what else belongs to a link.
Record: TypeAlias = tuple[int, int, str, str]

#: Records that are sorted in memory, and records of each run in memory while runs are merged.
RUN, PIECE = 1 << 17, 1 << 7

_first = itemgetter(0)
_pack, _unpack = msgpack.Encoder().encode, msgpack.Decoder(list[Record]).decode


class Runs:
    """Add all records, then read them once. The file is in the directory for temporary files, and has no name."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        self._records: list[Record] = []
        self._runs: list[list[int]] = []  # of each run: where its pieces end
        self._end = 0

    def add(self, records: Iterable[Record]) -> None:
        self._records += records
        if len(self._records) >= RUN:
            self._write()

    def __iter__(self) -> Iterator[Record]:
        """The records in order of their first number; those with the same, in the order in which they were added."""
        self._write()
        return heapq.merge(*map(self._read, self._runs), key=_first)

    def _write(self) -> None:
        self._records.sort(key=_first)
        ends = [self._end]
        with open(self._file.fileno(), "wb", closefd=False) as file:
            for begin in range(0, len(self._records), PIECE):
                ends.append(ends[-1] + file.write(_pack(self._records[begin : begin + PIECE])))
        self._runs.append(ends)
        self._records, self._end = [], ends[-1]

    def _read(self, ends: list[int]) -> Iterator[Record]:
        for begin, end in pairwise(ends):
            yield from _unpack(os.pread(self._file.fileno(), end - begin, begin))
