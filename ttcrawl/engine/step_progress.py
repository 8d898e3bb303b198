"""Progress of a long step, for the user."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.ring.clock import Clock

#: Seconds before the first report, and between two reports.
LONG = 5.0


class StepProgress:
    """Call it often with the count done and the total."""

    def __init__(self, step: str, say: Callable[[str], None], clock: Clock) -> None:
        self._step = step
        self._say = say
        self._clock = clock
        self._last: float | None = None

    def __call__(self, done: int, of: int) -> None:
        now = self._clock()
        if self._last is None:
            self._last = now
        elif now - self._last >= LONG:
            self._last = now
            self._say(f"{self._step}: {done:,} of {of:,}")
