"""The latest moment of a crawl, read for all who look at it together: a crawl that runs pays for one reader."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from ttcrawl.snapshot.limited import limited_view
from ttcrawl.snapshot.moment import Moment, moment_of
from ttcrawl.store.lock import crawled_by

#: Seconds that the queries may take: to count a queue of ten million URLs takes one.
SECONDS = 10.0

#: Seconds between two readings, at least and at most; and the share of a processor that reading takes in between.
LEAST, MOST, SHARE = 1.0, 10.0, 1 / 50


@dataclass(slots=True)
class Latest:
    """The latest moment of a crawl. Threads that ask at the same time wait for one of them to read."""

    directory: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _moment: Moment | None = None
    _due: float = 0.0  # on the monotonic clock

    def read(self) -> Moment:
        """Raises NotACrawl, CrawlFailedError, TooSlow."""
        with self._lock:
            process = crawled_by(self.directory)
            if self._moment is None or time.monotonic() >= self._due or self._moment.status.process != process:
                begun = time.thread_time()
                with limited_view(self.directory, SECONDS) as view:
                    self._moment = moment_of(view, process, time.time())
                pause = (time.thread_time() - begun) / SHARE
                self._due = time.monotonic() + min(max(pause, LEAST), MOST)
            return self._moment
