"""How far a long piece of work has come, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.ring.clock import Clock

#: Seconds after which it is said, and between two times.
LONG = 5.0


class StepProgress:
    """To be called often with what is done and what there is."""

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
