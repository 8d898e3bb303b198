"""The ring of a recorded web: it stands where the two pools do, answers from the record, and moves the virtual clock.

Fetching takes the recorded time. Parsing takes none: it is not on the path of a crawl that waits for its hosts. A URL
that the record lacks is requested all the same, and answers 404: `Visit.outcome` tells it apart.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import Any

from ttcrawl.frontier.turn import Turn
from ttcrawl.lab.candidates import Candidates
from ttcrawl.lab.record import Answer, Probe, RecordedUrl, RecordedWeb
from ttcrawl.lab.sending import Sending
from ttcrawl.lab.times import Times
from ttcrawl.ring.columns import Facts, Headers, Reading
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import (
    PAGE,
    PROBE,
    RESOLVE,
    ROBOTS,
    Archived,
    Failed,
    Fetched,
    IdenticalBody,
    Link,
    Moved,
    Outcome,
    Page,
    Probed,
    Request,
    Resolved,
    Robots,
    Same,
)
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.url import host, key

#: Seconds of a look-up; records do not have them.
LOOK_UP = 0.02

#: The least step of the clock, seconds: a wait that is shorter than its last digit would never end.
NUDGE = 1e-5

#: The address of a host that the record does not have, of a range for documentation (RFC 5737).
NOWHERE = "192.0.2.1"

_ARCHIVED = Archived(file="lab", offset=0, length=1)

#: What a URL answers that the record lacks.
UNRECORDED = Answer(status=404, reason="http 404")


class RecordedRing:
    """`room`: requests in flight at once. `candidates`: of a policy; they know links before the crawl process does."""

    def __init__(
        self,
        web: RecordedWeb,
        times: Times,
        sending: Sending,
        *,
        room: int,
        topical: bool,
        candidates: Candidates | None,
    ) -> None:
        self._web = web
        self._times = times
        self._sending = sending
        self._room = room
        self._topical = topical
        self._candidates = candidates
        self._arrivals: list[tuple[float, int, int, Any]] = []  # moment, serial, token, message (None: to be parsed)
        self._answers: dict[int, Answer] = {}
        self._probes: dict[str, int] = {}  # host -> probes that it has answered
        self._serial = count()
        self.flights: dict[int, Flight[Turn]] = {}
        self.now = web.began
        self.requests = 0
        self.received = 0  # bytes
        self.idle = 0.0  # seconds with no request in flight: every host waits for its delay

    def ready(self) -> None:
        """Return at once."""

    def close(self) -> None:
        """There is nothing to close."""

    def room(self) -> bool:
        return len(self.flights) < self._room

    def archived(self) -> dict[str, int]:
        return {}

    def in_flight(self) -> list[tuple[str, str, float]]:
        return []

    def launch(self, request: Request, turn: Turn) -> None:
        self.flights[request.token] = Flight(request=request, turn=turn)
        if request.kind == RESOLVE:
            record = self._web.hosts.get(request.url.removeprefix("dns:"))
            address = (record.address if record else "") or NOWHERE
            self._arrive(self.now + LOOK_UP, request.token, Resolved(token=request.token, addresses=(address,)))
            return
        seconds, size = self._times.of(request.url)
        started = max(self.now, request.not_before)
        ended = started + seconds
        answer = self._answer(request)
        self._answers[request.token] = answer
        self._arrive(ended, request.token, _fetched(request, answer, started, ended, size))

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        self.flights[token].identical = identical
        self._arrive(self.now, token, None)

    def receive(self, timeout: float) -> list[tuple[Any, Flight[Turn] | None]]:
        first = self._arrivals[0][0] if self._arrivals else float("inf")
        if first > self.now + max(0.0, timeout):
            wait = max(timeout, NUDGE)
            self.idle += 0.0 if self.flights else wait
            self.now += wait
            return []
        self.now = max(self.now, first)
        received: list[tuple[Any, Flight[Turn] | None]] = []
        while self._arrivals and self._arrivals[0][0] <= self.now:
            _, _, token, message = heapq.heappop(self._arrivals)
            flight = self.flights[token]
            if isinstance(message, Fetched):
                flight.fetched = message
                self._count(message.received)
            else:
                del self.flights[token]
                if isinstance(message, Failed):
                    self._count(0)
                message = message or self._outcome(flight)
            received.append((message, flight))
        return received

    def _count(self, size: int) -> None:
        self.requests += 1
        self.received += size

    def _arrive(self, moment: float, token: int, message: Any) -> None:
        heapq.heappush(self._arrivals, (moment, next(self._serial), token, message))

    # -- answers --------------------------------------------------------------------------------------------------

    def recorded(self, url: str) -> RecordedUrl | None:
        """Return the row of a URL whose answer is known."""
        known = self._web.urls.get(key(url))
        return known if known is not None and known.id in self._web.answered else None

    def _answer(self, request: Request) -> Answer:
        if request.kind == PROBE:
            return Answer(status=self._probe(request).status, reason="")
        if request.kind == ROBOTS:
            record = self._web.hosts.get(request.asker)
            if record is None:
                return UNRECORDED
            status = 200 if record.robots else record.status
            return Answer(status=None if status is None and record.reason else status or 404, reason=record.reason)
        known = self.recorded(request.url)
        return (self._web.answer(known.id) if known else None) or UNRECORDED

    def _outcome(self, flight: Flight[Turn]) -> Outcome:
        request, fetched = flight.request, flight.fetched
        assert fetched is not None
        answer = self._answers.pop(request.token)
        if request.kind == ROBOTS:
            return self._robots(request, answer)
        if request.kind != PAGE:
            probe = self._probe(request)
            return Probed(
                token=request.token,
                archived=_ARCHIVED,
                location=probe.location,
                digest=probe.digest,
                text=probe.text,
                shingles=probe.shingles,
                size=probe.size,
            )
        page = self.recorded(request.url)
        if answer.moved:
            moved = self._moved(request, answer)
            if page is not None and moved.target is not None and self._candidates is not None:
                self._candidates.add_redirect(page, moved.target)
            return moved
        links = self._sending.links(request, answer) if page else ()
        if page is not None and self._candidates is not None:
            self._candidates.add_links(page, answer, request.depth, self._sending.followed(answer))
        if flight.identical is not None and flight.identical.same:
            return Same(token=request.token, archived=_ARCHIVED, original=flight.identical.id, headers=Headers())
        return self._page(request, answer, links)

    def _page(self, request: Request, answer: Answer, links: tuple[Link, ...]) -> Page:
        page: Page = Page.sound(
            token=request.token,
            archived=_ARCHIVED,
            refused=answer.refused,
            digest=answer.digest,
            headers=Headers(),
            facts=Facts(type=answer.type, declared_type=answer.type, parser=answer.parser),
            counts=answer.counts,
            outlinks=answer.outlinks,
            links=links,
            reading=Reading(fingerprint=answer.fingerprint),
            uses_page_url=not answer.parse_context,
            topic=answer.topic if self._topical else None,
            link_scores=answer.scores,
        )
        return page

    def _moved(self, request: Request, answer: Answer) -> Moved:
        return Moved(
            token=request.token,
            archived=_ARCHIVED,
            location=answer.location,
            target=self._sending.target(request, answer),
        )

    def _robots(self, request: Request, answer: Answer) -> Robots:
        record = self._web.hosts.get(request.asker)
        sitemaps = [self._sending.sitemap(each) for each in record.sitemaps] if record else []
        return Robots(
            token=request.token,
            archived=_ARCHIVED,
            text=(record.robots or "") if record and answer.status == 200 else "",
            sitemaps=tuple(sitemaps),
            etag="",
            last_modified="",
        )

    def _probe(self, request: Request) -> Probe:
        """Return a recorded answer of a host to a URL that cannot exist; without one it is honest."""
        name = host(request.url)
        known = self._web.probes.get(name)
        return known[request.token % len(known)] if known else Probe()


def _fetched(request: Request, answer: Answer, started: float, ended: float, size: int) -> Fetched | Failed:
    if answer.status is None:
        return Failed(token=request.token, reason=Code(answer.reason), detail="", started=started, ended=ended)
    fetched: Fetched = Fetched.sound(
        token=request.token,
        status=answer.status,
        address=request.address,
        started=started,
        ended=ended,
        head_size=0,
        body_size=size,
        refused="",
        received=size,
        digest=answer.digest,
        parse_context=answer.parse_context,
        header_context=answer.parse_context,
    )
    return fetched
