"""A map of limited size for the most recently used keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

V = TypeVar("V")


class Table(Protocol[V]):
    """What a dict can do, and a table of numbers too."""

    def __len__(self) -> int: ...
    def __contains__(self, key: int, /) -> bool: ...
    def __setitem__(self, key: int, value: V, /) -> None: ...
    def get(self, key: int, otherwise: None, /) -> V | None: ...
    def pop(self, key: int, otherwise: None, /) -> V | None: ...


class Recent(Generic[V]):
    """From 64-bit hashes to values: at least the last `capacity` / 2 that were used, at most `capacity`.

    Two generations: a full young one becomes the old one, and unused entries of the previous old one are dropped. This
    takes half the memory of a list in order of use, and almost no time. `new` makes an empty generation.
    """

    def __init__(self, capacity: int, new: Callable[[], Table[V]] = dict) -> None:
        self._half = max(1, capacity // 2)
        self._new = new
        self._young, self._old = new(), new()

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: int) -> V | None:
        value = self._young.get(key, None)
        if value is None and (value := self._old.pop(key, None)) is not None:
            self.set(key, value)
        return value

    def set(self, key: int, value: V) -> None:
        if key not in self._young and len(self._young) >= self._half:
            self._young, self._old = self._new(), self._young
        self._old.pop(key, None)
        self._young[key] = value

    def forget(self, key: int) -> None:
        self._young.pop(key, None)
        self._old.pop(key, None)
