"""Rows that are read at once and handed out later: whoever waits between two of them keeps no snapshot of a crawl."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import BinaryIO, TypeVar

from msgspec import msgpack

R = TypeVar("R")


@contextmanager
def spooled(rows: Iterable[R], kind: type[R]) -> Iterator[Iterator[R]]:
    """All rows, written to a temporary file without a name. `kind`: their dataclass, or str."""
    with tempfile.TemporaryFile() as file:
        encode, ends = msgpack.Encoder().encode, [0]
        for row in rows:
            ends.append(ends[-1] + file.write(encode(row)))
        file.seek(0)
        yield _read(file, ends, kind)


def _read(file: BinaryIO, ends: list[int], kind: type[R]) -> Iterator[R]:
    decode = msgpack.Decoder(kind).decode
    for begin, end in pairwise(ends):
        yield decode(file.read(end - begin))
