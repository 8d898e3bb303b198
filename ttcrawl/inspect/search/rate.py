"""How often a visitor of a public search may ask. Pure: the clock is passed in."""

from __future__ import annotations

import threading
from collections import deque

#: Visitors that are remembered; the one who asked longest ago is forgotten first.
MOST_VISITORS = 10_000


class Rate:
    """At most `most` times in `seconds` for each visitor."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, visitor: str, now: float) -> float:
        """Seconds until the visitor may ask; 0: now, and this counts.

        >>> rate = Rate(2, 60)
        >>> [rate.wait("a", now) for now in (0.0, 1.0, 2.0, 60.0)], rate.wait("b", 2.0)
        ([0.0, 0.0, 58.0, 0.0], 0.0)
        """
        with self._lock:
            times = self._times.pop(visitor, None) or deque(maxlen=self._most)
            self._times[visitor] = times
            if len(self._times) > MOST_VISITORS:
                del self._times[next(iter(self._times))]
            if len(times) == self._most and now - times[0] < self._seconds:
                return self._seconds - (now - times[0])
            times.append(now)
            return 0.0
