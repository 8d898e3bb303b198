"""Whether a crawl needs the processors, or something else keeps them busy (Linux: proc(5))."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ttcrawl.store.lock import crawled_by

#: Seconds over which the crawl is measured.
WINDOW = 2.0

#: A crawl leaves processors to others if its threads run or wait for one less than this share of the time of all.
LIGHT = 0.25

_PROC = Path("/proc")


class CrawlLoad:
    def __init__(self, directory: Path, cores: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._directory = directory
        self._cores = cores
        self._clock = clock
        self._moment = clock()
        self._seconds = self._read()
        self._light = False

    def is_light(self) -> bool:
        """Whether the crawl left processors to others a moment ago. False: not, or nothing is known."""
        passed = self._clock() - self._moment
        if passed >= WINDOW:
            before, self._seconds, self._moment = self._seconds, self._read(), self._clock()
            wanted = sum(seconds - before.get(thread, 0.0) for thread, seconds in self._seconds.items())
            known = bool(before and self._seconds)
            self._light = known and wanted < LIGHT * self._cores * passed
        return self._light

    def _read(self) -> dict[str, float]:
        """Thread -> seconds that it had a processor or waited for one; {} if the system does not tell."""
        process = crawled_by(self._directory)
        try:
            return dict(_threads(process)) if process.isdecimal() else {}
        except (OSError, ValueError):
            return {}


def _threads(process: str) -> Iterator[tuple[str, float]]:
    """Of a process and of those that it has started, without this one. Raises OSError if one cannot be read."""
    try:
        threads = os.listdir(_PROC / process / "task")
    except FileNotFoundError:  # it has ended
        return
    for thread in threads:
        task = _PROC / process / "task" / thread
        try:
            ran, waited, _ = (task / "schedstat").read_text().split()
            children = (task / "children").read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        yield thread, (int(ran) + int(waited)) / 1e9
        for child in children:
            if child != str(os.getpid()):
                yield from _threads(child)
