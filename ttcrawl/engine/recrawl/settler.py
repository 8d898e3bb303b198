"""How the answer to a visit changes a URL that was answered before, and when it is visited next.

What is stored stays until another answer comes. A visit without an answer about the page (none at all, a server error,
an incomplete one) changes nothing. After 404 or another 4xx the page stays too, until it has been requested a few times
more.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.engine.recrawl.announcements import checked
from ttcrawl.engine.recrawl.another import AnotherAnswer
from ttcrawl.engine.recrawl.lost_links import LostLinks
from ttcrawl.engine.recrawl.moves import PERMANENT, Moves
from ttcrawl.engine.recrawl.pace import Pace
from ttcrawl.engine.settle.retries import reason_of, wait_of
from ttcrawl.engine.settle.urls import UrlSettler
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Turn
from ttcrawl.frontier.visit import Visit
from ttcrawl.recrawl import rate
from ttcrawl.recrawl.json_text import evidence_of, text_of
from ttcrawl.recrawl.undated import digester
from ttcrawl.recrawl.validators import (
    AGAIN,
    BROKEN,
    OK,
    UNCONDITIONAL,
    UNMODIFIED,
    Answer,
    judge,
    modified_at,
    settled,
)
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Failed, Fetched, Link, Moved, NotModified, Page, Same
from ttcrawl.store.recrawls import unpacked
from ttcrawl.store.rows import Latest
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import Code, family
from ttcrawl.web.sitemaps.read import FORMS

#: Outcomes of a visit, besides those of `validators`. SILENT: no answer about the page. GONE: it is not there.
UNCHANGED, CHANGED, SILENT, GONE = "unchanged", "changed", "silent", "gone"

#: Visits in a row that must find that a page is not there, and seconds from the first of them to the second. Each time
#: the next one comes after PATIENCE times as long.
CONFIRMATIONS, SOON, PATIENCE = 4, 3600.0, 4

TOO_MANY_REQUESTS = 429

#: Statuses by which a page is gone, if several visits in a row find them.
NOT_THERE = (404, 410)


class Finding(Struct, frozen=True, kw_only=True):
    """What a visit shows.

    `content`: a reader sees something else; `ago`: seconds since then, None: unknown. `error`: the answer is 4xx.
    """

    outcome: str
    content: bool = False
    ago: float | None = None
    error: bool = False


class Ended(Protocol):
    """Called with the id of a URL, and whether it was requested, at the end of a visit."""

    def __call__(self, url: int, next_visit: float, *, requested: bool) -> None: ...


class RecrawlSettler:
    """`wall` is the clock on the wall."""

    def __init__(
        self,
        shared: Shared,
        urls: UrlSettler,
        another: AnotherAnswer,
        wall: Clock,
        pace: Pace,
        moves: Moves,
        links: LostLinks,
        ended: Ended,
    ) -> None:
        self._config = shared.config
        self._store = shared.store
        self._frontier = shared.frontier
        self._counters = shared.counters
        self._clock = shared.clock
        self._urls = urls
        self._another = another
        self._wall = wall
        self._pace = pace
        self._moves = moves
        self._links = links
        self._ended = ended
        self._digest = digester(shared.config.revisit.ignore)

    def answered(
        self, at: Host, queued: Queued, flight: Flight[Turn], outcome: Page | Same | Moved | NotModified | Failed
    ) -> bool:
        """Process the outcome of a request, and return whether its answer takes the place of the one before."""
        visit = queued.visit
        assert isinstance(visit, Visit)
        finding = self._finding(visit, flight, outcome)
        if not flight.uncounted:
            visit.condition = UNCONDITIONAL  # if it is requested once more
        wait = wait_of(self._config.fetch, queued, flight, reason_of(flight, outcome))
        if wait is None and (finding.outcome == AGAIN or self._urls.must_repeat(queued, flight, outcome)):
            wait = 0.0
        if wait is not None:
            self._counters.retries += 1
            self._frontier.put_off(at, queued, self._clock() + wait)
            return False
        missing = 0 if finding.outcome in (CHANGED, UNCHANGED) else visit.row.missing + (finding.outcome == GONE)
        status = flight.fetched.status if flight.fetched else 0
        if finding.outcome == GONE and status in NOT_THERE:
            self._store.vanished.missing(queued.id, visit.row.visited, self._wall())
        elif visit.row.missing and finding.outcome == UNCHANGED:
            self._store.vanished.returned(queued.id)
        # the first request for a URL that was refused decides about it, however it ends
        changed = finding.outcome == CHANGED or missing >= CONFIRMATIONS or visit.was_refused
        if changed and not isinstance(outcome, NotModified):
            self._changed(at, queued, visit, flight, outcome)
            missing = 0
        else:
            self._frontier.settled(at, queued)
        until = _fresh_until(outcome)
        if finding.outcome == UNCHANGED:
            self._store.recrawls.confirmed(queued.id, until)
        self._plan(visit, finding, missing, until, not_modified=isinstance(outcome, NotModified))
        return changed

    def refuse(self, at: Host, queued: Queued, reason: Code) -> None:
        """End a visit that must not be made now, by robots.txt or because the host is silent. The page stays.

        Nothing was requested, so it counts as no visit.
        """
        visit = queued.visit
        assert isinstance(visit, Visit)
        self._frontier.settled(at, queued)
        settings, url = self._config.revisit, self._store.urls.row(visit.row.url)
        wait = settings.after_robots if family(reason) is Family.ROBOTS else settings.after_failure
        if not wait and visit.latest.status is None:
            wait = settings.longest
        wait = wait or self._pace.interval(evidence_of(visit.row.evidence), url.depth, url.site)
        row = replace(visit.row, next=self._wall() + wait, refused=reason)
        self._store.recrawls.save(row)
        self._ended(row.url, row.next, requested=False)

    # -- what an answer means -------------------------------------------------------------------------------------

    def _finding(
        self, visit: Visit, flight: Flight[Turn], outcome: Page | Same | Moved | NotModified | Failed
    ) -> Finding:
        fetched, latest = flight.fetched, visit.latest
        if isinstance(outcome, Failed) or fetched is None:
            return Finding(outcome=SILENT)
        if isinstance(outcome, Moved):
            same = (latest.status, latest.location) == (fetched.status, outcome.location)
            return Finding(outcome=UNCHANGED) if same else Finding(outcome=CHANGED, content=True)
        if isinstance(outcome, Page) and (fetched.incomplete or fetched.refused or outcome.refused):
            return Finding(outcome=SILENT)
        before, now = self._contents(visit, fetched, outcome)
        trust = replace(visit.trust, content=before)
        meaning, visit.trust = judge(trust, visit.condition, _answer(fetched, outcome, now))
        if meaning in (AGAIN, BROKEN):
            return Finding(outcome=AGAIN if meaning == AGAIN else SILENT)
        if meaning == UNMODIFIED:
            return Finding(outcome=UNCHANGED)
        return _of_status(visit.latest, fetched, outcome, content=not now or now != before)

    def _contents(self, visit: Visit, fetched: Fetched, outcome: Page | Same | NotModified) -> tuple[bytes, bytes]:
        """Return the digests of what a reader saw before and sees now, of another body; b"": unknown."""
        if isinstance(outcome, NotModified) or fetched.status != OK or _body(fetched, outcome) == visit.latest.digest:
            return b"", b""
        if isinstance(outcome, Page) and (text := outcome.reading.text) is not None and all(text.compared):
            return text.compared
        (title, main), (title_now, now) = self._store.recrawls.contents(visit.row.url), self._seen(outcome)
        if main is None or now is None:
            return b"", b""
        return self._digest(title, unpacked(main)), self._digest(title_now, unpacked(now))

    def _seen(self, outcome: Page | Same) -> tuple[str, bytes | None]:
        """Return the title and the main text, packed, of a page; of one with the same bytes as another: the other's."""
        if isinstance(outcome, Same):
            return self._store.recrawls.contents(outcome.original)
        text = outcome.reading.text
        return outcome.facts.title, None if text is None else text.packed if text.main is None else text.main

    # -- what becomes of it ---------------------------------------------------------------------------------------

    def _changed(
        self, at: Host, queued: Queued, visit: Visit, flight: Flight[Turn], outcome: Page | Same | Moved | Failed
    ) -> None:
        """Store another answer, and what follows from it for pages that have moved and for links that vanished."""
        self._before(visit, flight)
        linked = self._links.before(queued.id)
        self._another.put(at, queued, flight, outcome, visit.latest)
        self._links.changed(queued.id, linked, self._wall())
        if isinstance(outcome, Moved) and outcome.target is not None:
            self._redirects(visit, flight, outcome.target)
        elif not visit.confirms_gone and self._moves.appeared(visit.row.url, self._wall()):
            visit.row = replace(visit.row, evidence=self._store.recrawls.evidence(visit.row.url))

    def _before(self, visit: Visit, flight: Flight[Turn]) -> None:
        """Note whether a page is gone or back, before its answer is replaced."""
        status, url = flight.fetched.status if flight.fetched else 0, visit.row.url
        visit.confirms_gone = status in NOT_THERE and self._store.recrawls.was_there(url)
        if visit.confirms_gone and visit.latest.status is not None and visit.latest.status < 400:
            self._moves.confirm(visit.row, self._wall())
        elif not visit.confirms_gone:
            self._store.vanished.returned(url)

    def _redirects(self, visit: Visit, flight: Flight[Turn], target: Link) -> None:
        """Note that a page has moved by what its server says."""
        was_page = 200 <= (visit.latest.status or 0) < 300
        found = self._store.urls.find(target.key)
        if was_page and flight.fetched is not None and flight.fetched.status in PERMANENT and found is not None:
            self._moves.redirects(visit.row.url, found.url, found.id, visit.row, self._wall())

    # -- when it is visited next ---------------------------------------------------------------------------------------

    def _plan(
        self, visit: Visit, finding: Finding, missing: int, fresh_until: float | None, *, not_modified: bool
    ) -> None:
        """Decide when the URL is visited next."""
        row, now, evidence = visit.row, self._wall(), evidence_of(visit.row.evidence)
        settings = self._config.revisit
        # no interval is planned longer: the rest is a machine that was off, or a clock that was wrong
        seconds = min(max(0.0, now - row.visited), settings.furthest)
        first = visit.latest.status is None  # an answer after none is not a change
        changed = finding.content and not first
        if finding.outcome in (CHANGED, UNCHANGED) and not first:
            evidence = rate.changed(evidence, seconds, finding.ago) if changed else rate.unchanged(evidence, seconds)
        silent = finding.outcome == SILENT
        url = self._store.urls.row(row.url)
        interval = self._pace.interval(evidence, url.depth, url.site)
        if silent and (settings.after_failure or first):
            interval = settings.after_failure or settings.longest
        elif not missing and finding.error:
            interval = settings.after_error or settings.longest
        elif not missing and self._links.is_unlinked(row.url):
            interval = settings.longest
        if settings.signals and visit.latest.parser in FORMS:
            interval = min(interval, settings.interval)
        if row.announced is not None and not silent:
            checked(self._store.recrawls, url.site, hit=changed)
            self._pace.announced()
        if missing:
            interval = min(interval, SOON * PATIENCE ** (missing - 1))
        next_ = now + interval
        if settings.obey_expiry and not (missing or silent) and fresh_until is not None:
            next_ = max(next_, min(fresh_until, now + settings.longest))
        self._store.recrawls.save(
            replace(
                row,
                next=next_,
                visited=min(row.visited, now) if silent else now,
                visits=row.visits + 1,
                not_modified=row.not_modified + not_modified,
                changes=row.changes + changed * (finding.outcome == CHANGED),
                missing=missing,
                failures=row.failures + 1 if silent else 0,
                trust=text_of(visit.trust),
                evidence=text_of(evidence),
                announced=row.announced if silent else None,
                refused="",
            )
        )
        self._store.retention.visited(row.url, now)
        self._counters.visits += 1
        self._ended(row.url, next_, requested=True)


def _of_status(latest: Latest, fetched: Fetched, outcome: Page | Same | NotModified, *, content: bool) -> Finding:
    """Return what an answer with its own status and body means."""
    status = fetched.status
    if not 200 <= status < 500 or 300 <= status < 400 or status == TOO_MANY_REQUESTS:
        return Finding(outcome=SILENT)
    if status >= 400:
        if latest.status == status:
            return Finding(outcome=UNCHANGED, error=True)
        was_there = latest.status is not None and latest.status < 400
        return Finding(outcome=GONE if was_there else CHANGED, content=True, error=True)
    if (latest.status, latest.digest) == (status, _body(fetched, outcome)):
        return Finding(outcome=UNCHANGED)
    dated = "" if isinstance(outcome, NotModified) else settled(outcome.headers.last_modified, fetched.started)
    moment = modified_at(dated) if dated else None
    return Finding(outcome=CHANGED, content=content, ago=None if moment is None else fetched.started - moment)


def _fresh_until(outcome: Page | Same | Moved | NotModified | Failed) -> float | None:
    if isinstance(outcome, Page | Same):
        return outcome.headers.fresh_until
    return None if isinstance(outcome, Failed) else outcome.fresh_until


def _body(fetched: Fetched, outcome: Page | Same | NotModified) -> bytes:
    return outcome.digest if isinstance(outcome, Page) else fetched.digest


def _answer(fetched: Fetched, outcome: Page | Same | NotModified, content: bytes) -> Answer:
    return Answer(
        status=fetched.status,
        time=fetched.started,
        etag=outcome.etag if isinstance(outcome, NotModified) else outcome.headers.etag,
        last_modified="" if isinstance(outcome, NotModified) else outcome.headers.last_modified,
        body=_body(fetched, outcome),
        content=content,
        length=fetched.body_size,
    )
