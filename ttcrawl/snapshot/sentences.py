"""The state of a crawl in words, for people who look at it. Pure."""

from __future__ import annotations

from ttcrawl.output.moments import moment
from ttcrawl.output.number import counted
from ttcrawl.output.timespan import timespan
from ttcrawl.snapshot.status import Status

#: What hosts wait for, as `ttcrawl status` counts them -> in words.
CAUSES = {
    "due": "due now",
    "delay": "between two requests",
    "robots.txt first": "whose robots.txt is read first",
    "backed off": "backed off",
}

#: How a crawl has ended -> in words.
ENDS = {
    "done": "no URL is queued.",
    "killed": "all that it had committed is there, and ttcrawl resume continues.",
    "interrupted": "by its user.",
    "visited": "all URLs that were due are visited.",
    "min_disk": "the disk is nearly full.",
}


def duration(seconds: float) -> str:
    """Seconds in words.

    >>> duration(0.25), duration(90)
    ('0.2 s', '0:01:30')
    """
    return f"{seconds:,.1f} s" if seconds < 10 else timespan(seconds)


def state_word(state: str) -> str:
    """The state in a word.

    >>> [state_word(each) for each in ("running", "max_pages", "failed: no disk")]
    ['running', 'stopped', 'failed']
    """
    word = state.partition(":")[0]
    return word if word in ("running", "done", "killed", "failed") else "stopped"


def sentences(status: Status) -> list[str]:
    """What it does or how it ended, what it waits for, and when it ends at the earliest."""
    if not status.process:
        return [_end(status.state), *_queued(status)]
    return [_activity(status), *_waits(status), *_ends(status)]


def _end(state: str) -> str:
    if state in ENDS:
        return ENDS[state]
    return f"{state.partition(': ')[2]}." if state_word(state) == "failed" else f"by the limit {state}."


def _activity(status: Status) -> str:
    requests, pages = status.pace.requests_per_second, status.pace.pages_per_second
    if requests is None or pages is None:
        return "it has begun."
    if not requests:
        return "no request in the last minute."
    return f"{requests:,.1f} requests and {pages:,.1f} pages a second in the last minute."


def _waits(status: Status) -> list[str]:
    waiting = dict(status.pace.waiting)
    if not waiting:
        return []
    until = f" until {moment(status.pace.backed_off_until)[11:19]} UTC" if "backed off" in waiting else ""
    parts = [
        f"{hosts:,} {CAUSES.get(cause, cause)}{until if cause == 'backed off' else ''}"
        for cause, hosts in waiting.items()
    ]
    return [f"Hosts with queued URLs: {'; '.join(parts)}."]


def _ends(status: Status) -> list[str]:
    left, bound = status.pace.seconds_left, status.pace.bound
    if not status.queued:
        return ["Nothing is queued: it ends when the requests in flight are done."]
    if left is None:
        return ["When it ends is unknown: it has no rate yet."]
    return [f"It ends in {duration(left)} at the earliest, if it discovers no more URLs ({bound})."]


def _queued(status: Status) -> list[str]:
    if not status.queued:
        return []
    return [f"{counted(status.queued, 'URL', 'is', 'are')} queued on {counted(status.hosts_queued, 'host')}."]
