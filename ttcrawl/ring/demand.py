"""Whether answers have waited for parse processes long enough that one more process is worth its start."""

from __future__ import annotations

#: Seconds during which answers must wait without a break.
LASTING = 0.5


class Demand:
    """Told now and then whether answers wait; the clock is passed in, seconds."""

    def __init__(self) -> None:
        self._since: float | None = None

    def lasts(self, *, waiting: bool, now: float) -> bool:
        """Whether answers have waited at every call for LASTING seconds. After True it begins again."""
        if not waiting:
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since >= LASTING:
            self._since = None
            return True
        return False
