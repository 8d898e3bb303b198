"""How long work on a crawl reports its progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: progress(step, done, of) is called often; `of` is 0 if there is nothing to count.
Progress: TypeAlias = Callable[[str, int, int], None]


def silent(step: str, done: int, of: int) -> None:
    """Progress that is not shown."""
