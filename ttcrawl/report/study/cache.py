"""Figures that an earlier command has computed from the same data: the file cache.msgpack in the crawl directory.

The file begins with a digest of the figures and of the state of the crawl (ttcrawl.report.study.state). If either has
changed, or the file is damaged, the digest is wrong and all figures are computed again. So a figure cannot be out of
date, a half-written file does no harm, and two commands may write at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ttcrawl.store.regular import is_regular, replace_file

T = TypeVar("T")

NAME = "cache.msgpack"
DIGEST = 32  # bytes
MOST_BYTES = 256 << 20  # a larger file was not written by ttcrawl


class Cache:
    """The figures in the file at `path`, if it has those of `state`. An empty state is unknown: nothing is cached."""

    def __init__(self, path: Path, state: bytes) -> None:
        self._path, self._state = path, state
        self._figures = _read(path, state)
        self._fresh: dict[str, bytes] = {}

    def get(self, name: str, kind: Any, compute: Callable[[], T]) -> T:
        """The figures `name`, of the type `kind`; `compute` is called if they are not cached.

        Computed figures take the same way through bytes, so both ways give equal figures.
        """
        with suppress(KeyError, msgspec.DecodeError):
            cached: T = msgspec.msgpack.decode(self._figures[name], type=kind)
            return cached
        packed = self._fresh[name] = msgspec.msgpack.encode(compute())
        fresh: T = msgspec.msgpack.decode(packed, type=kind)
        return fresh

    def save(self) -> None:
        """Write the computed figures beside those of other commands. A directory that cannot be written stays as is."""
        if self._fresh and self._state:
            figures = msgspec.msgpack.encode(_read(self._path, self._state) | self._fresh)
            with suppress(OSError):
                replace_file(self._path, _digest(self._state, figures) + figures)


def _read(path: Path, state: bytes) -> dict[str, bytes]:
    with suppress(OSError, msgspec.DecodeError):
        if state and is_regular(path) and path.stat().st_size <= MOST_BYTES:
            data = path.read_bytes()
            if data[:DIGEST] == _digest(state, data[DIGEST:]):
                return msgspec.msgpack.decode(data[DIGEST:], type=dict[str, bytes])
    return {}


def _digest(state: bytes, figures: bytes) -> bytes:
    return blake2b(figures, key=state, digest_size=DIGEST).digest()
