"""The life of a URL as events in order of time. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.inspect.why import life_text
from ttcrawl.inspect.why.facts import Entry, Life, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What happened to the URL at a moment. `time` is None for what has no moment of its own."""

    time: float | None
    what: str
    details: tuple[str, ...] = ()
    url: str = ""  # another URL that had to do with it


def timeline(of_url: Life) -> list[Event]:
    """Discovery, decisions, requests and answers in order of time, in the words of `ttcrawl why`.

    What has no moment yet comes last. Nothing for a URL that was never discovered.
    """
    events = _events(of_url.entry, of_url) if of_url.entry else ()
    return sorted(events, key=lambda each: float("inf") if each.time is None else each.time)


def _events(entry: Entry, of_url: Life) -> Iterator[Event]:
    first, *rest = life_text.discovered(entry, of_url.linked)
    yield Event(
        time=entry.row.discovered,
        what="discovered" if entry.origin.found_on else first.partition(", ")[2] or "discovered",
        details=tuple(rest),
        url=entry.origin.found_on or "",
    )
    if entry.robots_first is not None and entry.requests:
        yield _request(entry.robots_first, "robots.txt of its host")
    yield from (_request(each, "") for each in entry.requests)
    if entry.queue is not None:
        yield Event(time=None, what="waits", details=tuple(life_text.queue_lines(entry.queue)))
    yield _decision(entry)


def _request(request: Request, label: str) -> Event:
    line, *more = life_text.request_lines(request, label)
    return Event(time=request.started, what=line.partition("  ")[2], details=tuple(each.strip() for each in more))


def _decision(entry: Entry) -> Event:
    by = (f"by {entry.row.rule}",) if entry.row.rule else ()
    verdict = tuple(life_text.verdict_lines(entry.decided.robots)) if entry.decided.robots else ()
    now = entry.decided.now
    today = (f"the current rules decide otherwise: {life_text.ruled(now)}",) if now else ()
    answer = entry.answer
    target = answer.target.url if answer is not None and answer.target is not None else ""
    what = f"{life_text.outcome(entry.row.state, entry.row.reason)}: {life_text.reason(entry)}"
    return Event(time=entry.row.processed, what=what, details=(*by, *today, *verdict), url=target)
