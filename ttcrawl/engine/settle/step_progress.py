"""Progress of a long step, for the user."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.ring.clock import Clock

#: Seconds before the first report, and between two reports.
LONG = 5.0


class StepProgress:
    """Call it often with the count done and the total."""

    def __init__(self, what: str, say: Callable[[str], None], clock: Clock) -> None:
        self._what, self._say, self._clock = what, say, clock
        self._said: float | None = None

    def __call__(self, done: int, of: int) -> None:
        now = self._clock()
        if self._said is None:
            self._said = now
        elif now - self._said >= LONG:
            self._said = now
            self._say(f"{self._what}: {done:,} of {of:,}")
