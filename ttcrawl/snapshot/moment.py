"""A crawl at one moment for people who look at it: its status, how it has grown, and its last problems."""

from __future__ import annotations

from ttcrawl.frozen import frozen
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.status import Status, status_of

#: Hosts and problems that are listed.
HOSTS, PROBLEMS = 20, 8

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


def moment_of(view: View, process: str, now: float) -> Moment:
    """The crawl as of a snapshot; `process` as of `status_of`."""
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
