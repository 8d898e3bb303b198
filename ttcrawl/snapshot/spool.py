"""Rows that are read at once and handed out later: whoever waits between two of them keeps no snapshot of a crawl."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, TypeVar

from msgspec import msgpack

R = TypeVar("R")

#: Bytes of the length before each row.
PREFIX = 4


@contextmanager
def spooled(rows: Iterable[R], kind: type[R]) -> Iterator[Iterator[R]]:
    """All rows, written to a temporary file without a name. `kind`: their dataclass, or str."""
    with tempfile.TemporaryFile() as file:
        encode = msgpack.Encoder().encode
        for row in rows:
            packed = encode(row)
            file.write(len(packed).to_bytes(PREFIX, "little") + packed)
        file.seek(0)
        yield _read(file, kind)


def _read(file: BinaryIO, kind: type[R]) -> Iterator[R]:
    decode = msgpack.Decoder(kind).decode
    while prefix := file.read(PREFIX):
        yield decode(file.read(int.from_bytes(prefix, "little")))
