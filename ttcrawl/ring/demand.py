"""Whether answers have waited for parse processes long enough that one more process is worth its start."""

from __future__ import annotations

#: Seconds during which answers must wait without a break: about what a process takes to start.
LASTING = 0.1


class Demand:
    """Told now and then whether answers wait; the clock is passed in, seconds."""

    def __init__(self, lasting: float = LASTING) -> None:
        self._lasting = lasting
        self._since: float | None = None

    def lasts(self, *, waiting: bool, now: float) -> bool:
        """Whether answers have waited at every call for that long. After True it begins again."""
        if not waiting:
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since >= self._lasting:
            self._since = None
            return True
        return False
