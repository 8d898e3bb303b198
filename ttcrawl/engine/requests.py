"""The request for a turn."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.engine.logins import headers_of
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.browsing import Plan
from ttcrawl.ring.forms import GET, Sending
from ttcrawl.ring.messages import CHECK, LOGIN, RESOLVE, Request
from ttcrawl.web.cookies.jar import Jar


class Requests:
    """Numbers the requests of a crawl process. `retries`: times that a URL is requested again after a failure.

    `compared`: whether the content of a URL is compared with others of its pattern in any case. `plan`: what is known
    of a page before it is requested; None: no crawl that learns. `meta`: what a hook handed to the URL with an id;
    None: no crawl with a hook for pages. `scripts`: pages may request more from their host.
    """

    def __init__(
        self,
        jar: Jar,
        retries: int,
        compared: Callable[[str], bool],
        plan: Callable[[Turn], Plan | None] | None = None,
        meta: Callable[[int], str] | None = None,
        *,
        scripts: bool = False,
    ) -> None:
        self._jar = jar
        self._retries = retries
        self._compared = compared
        self._plan = plan
        self._meta = meta
        self._scripts = scripts
        self._token = 0

    def request(self, turn: Turn, now: float) -> Request:
        """Return the request for a turn that was admitted."""
        self._token += 1
        queued, subject, look_up = turn.queued, turn.subject, None
        visit = queued.visit if queued is not None else None
        if turn.kind != RESOLVE:
            look_up, turn.host.look_up = turn.host.look_up, None
        return Request(
            token=self._token,
            kind=turn.kind,
            url=turn.url,
            depth=turn.depth,
            not_before=turn.host.asked_at,
            address=turn.host.pinned,
            headers=self._headers(turn, now),
            requisite=queued.requisite if queued else 0,
            sitemap=queued is not None and queued.sitemap,
            asker=turn.asker.name if turn.asker else "",
            last=queued is None or queued.attempts >= self._retries,
            delay=max(turn.due[0], turn.due[2]),
            look_up=look_up,
            off_topic=queued.off_topic if queued else 0,
            cookies=self._jar.of_host(turn.url, now) if self._scripts and queued else (),
            unmodified=visit.unmodified if visit else None,
            before=visit.before if visit else None,
            compared=self._compared(turn.url),
            plan=self._plan(turn) if self._plan else None,
            renew=subject.renew if subject else turn.kind in (CHECK, LOGIN),
            sending=_sending(turn.session.step.form) if turn.session else GET,
            visit=visit is not None,
            meta=self._meta(queued.id) if self._meta and queued else "",
        )

    def _headers(self, turn: Turn, now: float) -> tuple[tuple[str, str], ...]:
        """Return the headers for this request only."""
        if turn.kind == RESOLVE:
            return ()
        if turn.session is not None:
            return headers_of(turn.session.step) + self._jar.headers(turn.url, now)
        condition = turn.asker.robots.version.condition(turn.url) if turn.asker else ()
        if turn.queued is not None and turn.queued.visit is not None:
            condition = turn.queued.visit.condition.headers
        return condition + self._jar.headers(turn.url, now)


def _sending(form: bytes) -> Sending:
    return Sending(method="POST", body=form) if form else GET
