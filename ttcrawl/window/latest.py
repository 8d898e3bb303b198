"""What Now shows, read for all tabs together: a crawl that runs pays for one reader, however many look."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from ttcrawl.frozen import frozen
from ttcrawl.snapshot.status import Status, status_of
from ttcrawl.store.lock import crawled_by
from ttcrawl.window.viewed import Viewed

#: Hosts and problems that are listed.
HOSTS, PROBLEMS = 20, 8

#: Seconds that the queries may take: to count a queue of ten million URLs takes one.
SECONDS = 10.0

#: Seconds between two readings, at least and at most; and the share of a processor that reading takes in between.
LEAST, MOST, SHARE = 1.0, 10.0, 1 / 50

_GROWTH = "SELECT seconds, pages, distinct_urls, queued FROM growth ORDER BY pages"

#: Not a robots.txt that is missing, and not a request for a page that must be missing.
_PROBLEMS = """
    SELECT url, kind, ended, status, reason FROM visit WHERE id > (SELECT max(id) FROM visit) - 5000
    AND kind != 'probe' AND (status IS NULL OR status >= 400 OR reason != '')
    AND NOT (kind = 'robots' AND status BETWEEN 400 AND 499) ORDER BY id DESC LIMIT ?"""


@frozen
class Problem:
    """A request without an answer, or with one of 400 and more."""

    url: str
    kind: str
    ended: float
    status: int | None
    reason: str


@frozen
class Growth:
    """The series of the curves, up to this moment."""

    seconds: tuple[float, ...]
    pages: tuple[int, ...]
    urls: tuple[int, ...]  # discovered
    queued: tuple[int, ...]


@frozen
class Moment:
    """A crawl at one moment."""

    time: float  # seconds since the epoch
    status: Status
    growth: Growth
    problems: tuple[Problem, ...]  # the last first


@dataclass(slots=True)
class Latest:
    """The latest moment of a crawl. Threads that ask at the same time wait for one of them to read."""

    crawl: Viewed
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _moment: Moment | None = None
    _due: float = 0.0  # on the monotonic clock

    def read(self) -> Moment:
        """Raises NotACrawl, CrawlFailedError, TooSlow."""
        with self._lock:
            process = crawled_by(self.crawl.directory)
            if self._moment is None or time.monotonic() >= self._due or self._moment.status.process != process:
                begun = time.thread_time()
                self._moment = read(self.crawl, process)
                pause = (time.thread_time() - begun) / SHARE
                self._due = time.monotonic() + min(max(pause, LEAST), MOST)
            return self._moment


def read(crawl: Viewed, process: str) -> Moment:
    """The crawl now; `process` as of `status_of`."""
    now = time.time()
    with crawl.reading(SECONDS) as view:
        status = status_of(view, process, HOSTS, now)
        rows = view.execute(_GROWTH).fetchall()
        problems = [
            Problem(url=url, kind=kind, ended=ended, status=code, reason=reason)
            for url, kind, ended, code, reason in view.execute(_PROBLEMS, (PROBLEMS,))
        ]
    seconds, pages, urls, queued = zip(*rows, strict=True) if rows else ((), (), (), ())
    growth = Growth(
        seconds=(*seconds, status.seconds),
        pages=(*pages, status.pages),
        urls=(*urls, max(urls, default=0)),
        queued=(*queued, status.queued),
    )
    return Moment(time=now, status=status, growth=growth, problems=tuple(problems))
