"""A clock that is the same in all processes of a crawl and never jumps."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

#: Seconds since the epoch.
Clock: TypeAlias = Callable[[], float]


class SteadyClock(Struct, frozen=True, kw_only=True):
    """Seconds since the epoch at the start of the crawl, continued by the monotonic clock of the machine.

    A correction of the system's time during a crawl can neither shorten a delay nor stop the crawl. All processes of a
    machine have the same monotonic clock, so times from fetch processes can be compared.
    """

    base: float

    @classmethod
    def start(cls) -> SteadyClock:
        return cls(base=time.time() - time.monotonic())

    def __call__(self) -> float:
        return self.base + time.monotonic()
