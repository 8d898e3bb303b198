"""What keeps a running crawl from its copy: in `ttcrawl status`, and a line for each change of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from ttcrawl.engine.reporting.mirror_position import write_trouble

#: Changes that are reported at most, within this many seconds. A server that comes and goes for days fills no disk.
MOST, WITHIN = 10, 3600.0


class Trouble:
    """The trouble of a copy, "" while there is none."""

    def __init__(self, directory: Path, say: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._directory = directory
        self._say, self._clock = say, clock
        self._present, self._reported = "", False
        self._moments: deque[float] = deque(maxlen=MOST)

    def begins(self, cause: str, *, passing: bool) -> None:
        """`passing`: it may end by itself. The phases of one outage, such as the end and the start of a server, are one
        line."""
        if cause != self._present:
            follows, self._present = bool(self._present), cause
            write_trouble(self._directory, cause)
            if not (passing and follows) and self._may_report():
                self._reported = True
                self._say(f"{cause}; the crawl is copied as soon as possible")

    def ends(self) -> None:
        """After a step that was copied."""
        if self._present:
            if self._reported:
                self._say("the crawl is copied again")
            self._present, self._reported = "", False

    def _may_report(self) -> bool:
        now = self._clock()
        if len(self._moments) == MOST and now - self._moments[0] < WITHIN:
            return False
        self._moments.append(now)
        return True
