"""How long work on a crawl reports its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

#: progress(step, done, of) is called often; `of` is 0 if there is nothing to count.
Progress: TypeAlias = Callable[[str, int, int], None]


def silent(step: str, done: int, of: int) -> None:
    """Progress that is not shown."""


def reported(items: Iterable[T], progress: Progress, step: str, of: int = 0, done: int = 0) -> Iterator[T]:
    """The items; the progress is told at every 256th one. `done`: items before the first."""
    for number, item in enumerate(items, done):
        if not number % 256:
            progress(step, number, of)
        yield item
