"""The logins of a crawl by forms: one for each line of [login] form, before the first page of its hosts.

Each request of a login is a turn of its host, with its delay and after its robots.txt. The user has named the page
with the form, so the rules there do not decide about it. Passwords are sent to the host of that page alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from ttcrawl.config.forms import Form, Sign, forms, signs
from ttcrawl.engine.companion import Companion, Course, Step
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier import session as sessions
from ttcrawl.frontier.retry import again_after
from ttcrawl.frontier.session import Loss, Session, Stage, State
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.forms import FormFields
from ttcrawl.ring.messages import Failed, LoggedOut, LoginStep
from ttcrawl.vocabulary.reason import HTTP, LOGIN_DENIED, RETRIED, Code, filled
from ttcrawl.web.cookies.jar import Jar
from ttcrawl.web.scope.chosen import pattern_of
from ttcrawl.web.url import host as host_of

#: The name in table `crawl` of the moments since when the user is logged in: a JSON object, by URL of the login.
SINCE = "logged_in"

#: Redirects in a row that a login follows.
REDIRECTS = 5


class Logins(Companion):
    """Part of the crawl process. `is_foreign`: whether a host belongs to another ring of a cluster."""

    def __init__(
        self, shared: Shared, jar: Jar, say: Callable[[str], None], is_foreign: Callable[[str], bool] | None
    ) -> None:
        self._shared, self._jar = shared, jar
        self._say = say
        config = shared.config
        self._success = signs(config.login.success, "success")
        since = json.loads(shared.store.about().get(SINCE, "{}")) if config.fetch.cookies == "kept" else {}
        self._forms = {each.url: each.revealed(os.environ) for each in forms(config.login.form)}
        self._is_foreign = is_foreign
        self.sessions = [_session(each, since.get(each.url, 0.0)) for each in self._forms.values()]
        self._elsewhere = self.sessions  # those of other rings
        shared.frontier.sessions = self.sessions

    def begin(self, step: Step) -> None:
        """Ask for the logins that are due; no page of their hosts has been requested yet."""
        self._take_over()

    def turn(self, course: Course) -> int:
        """Log in at hosts that come from other rings; their pages wait for it."""
        if self._is_foreign is not None:
            self._take_over()
        return 0

    def _take_over(self) -> None:
        before, is_foreign = self._elsewhere, self._is_foreign
        self._elsewhere = [each for each in self.sessions if is_foreign is not None and is_foreign(host_of(each.url))]
        for session in before:
            if session not in self._elsewhere and session.state is State.OUT:
                session.begin()  # it may have moved away in the middle of a login
                self._ask(session)

    def before_commit(self) -> None:
        """Store with the cookies since when the user is logged in: the next run goes on with the session."""
        since = {each.url: each.since for each in self.sessions if each.state is State.IN}
        self._shared.store.set(**{SINCE: json.dumps(since)})

    def _ask(self, session: Session, moment: float = 0.0) -> None:
        """Request the next step of a login, not before a moment."""
        ledger, name = self._shared.ledger, host_of(session.step.url)
        self._shared.frontier.log_in(ledger.host(name, ledger.site_of(name)), session, moment)

    # -- pages ------------------------------------------------------------------------------------------------------

    def settle(self, flight: Flight[Turn], outcome: object) -> object | None:
        """Return the outcome for a page as it counts; None: it is requested again."""
        turn, session = flight.turn, flight.turn.host.login.session
        queued = turn.queued
        if session is None or queued is None or flight.fetched is None:
            return outcome
        if not isinstance(outcome, LoggedOut):
            session.saw_page(flight.fetched.started)
            return outcome
        now, before = self._shared.clock(), session.state
        loss = session.lost(queued.id, flight.fetched.started, now)
        if loss is Loss.DENIED:
            return Failed(token=outcome.token, reason=LOGIN_DENIED, detail="", stage="parse")
        if session.state is not before:
            self._lost(session, turn.url)
        due = now + (sessions.DOUBT if loss is Loss.LATER else 0.0)
        queued.attempts -= 1  # the URL has no part in it
        if queued.visit is None:
            self._shared.store.urls.put_off(queued.id, queued.attempts, due)
        self._shared.frontier.put_off(turn.host, queued, due)
        return None

    def _lost(self, session: Session, url: str) -> None:
        if session.state is State.FAILED:
            self._failed(session, f"the session is lost again and again, the last time at {url}")
        else:
            self._say(f"the session of {session.url} is lost at {url}: logging in again")
            self._ask(session)

    # -- requests of a login ----------------------------------------------------------------------------------------

    def process(self, flight: Flight[Turn], outcome: LoginStep | Failed) -> None:
        session = flight.turn.session
        assert session is not None
        if flight.uncounted:
            self._ask(session)
            return
        status = flight.fetched.status if flight.fetched else 0
        reason = outcome.reason if isinstance(outcome, Failed) else filled(HTTP, status)
        fetch = self._shared.config.fetch
        if isinstance(outcome, Failed) or reason in RETRIED:
            session.attempts += 1
            wait = again_after(reason, session.attempts, retries=fetch.retries, wait=fetch.retry_wait)
            self._again(session, reason, wait)
        elif outcome.location:
            self._moved(session, outcome.location, status)
        elif session.step.stage is Stage.PAGE:
            self._send(session, outcome, status)
        else:
            self._judge(session, session.step.url, outcome, status)

    def refuse(self, refusal: Refusal) -> None:
        """The robots.txt of the host could not be read, so nothing is requested there."""
        assert isinstance(refusal.subject, Session)
        self._fail(refusal.subject, refusal.reason, f"its host gets no requests ({refusal.reason})")

    def _again(self, session: Session, reason: Code, wait: float | None) -> None:
        """Begin once more with the page, whose token may be used up; None: give up."""
        if wait is None:
            self._fail(session, reason, f"{session.step.url}: {reason}")
            return
        self._shared.counters.retries += 1
        session.begin()
        self._ask(session, self._shared.clock() + wait)

    def _moved(self, session: Session, target: str, status: int) -> None:
        """Follow a redirect on the same host. The form is sent to no other host, and not without TLS after it."""
        step = session.step
        inside = _may_know(session.url, target)
        if step.redirects >= REDIRECTS:
            self._fail(session, "redirects", f"more than {REDIRECTS} redirects in a row, the last one to {target}")
        elif not inside and step.stage is Stage.PAGE:
            self._fail(session, "another host", f"the page redirects to {target}: write this URL, if you trust it")
        elif not inside:
            self._judge(session, target, None, status)
        else:
            again = step.stage is Stage.SEND and status in (
                HTTPStatus.TEMPORARY_REDIRECT,
                HTTPStatus.PERMANENT_REDIRECT,
            )
            stage = step.stage if step.stage is Stage.PAGE or again else Stage.RESULT
            session.step = sessions.Step(
                stage=stage,
                url=target,
                form=step.form if again else b"",
                content_type=step.content_type,
                referer=step.referer,
                redirects=step.redirects + 1,
            )
            self._ask(session)

    def _send(self, session: Session, page: LoginStep, status: int) -> None:
        """Fill in the form."""
        names = [name for name, _ in self._forms[session.url].fields]
        form = _form_with(page.forms, names)
        if form is None:
            found = "; ".join(", ".join(name for name, _ in each.fields) for each in page.forms) or "none"
            why = f"{session.step.url} (status {status}) has no form with the fields {', '.join(names)}; its forms have"
            self._fail(session, "no form", f"{why}: {found}")
        elif not form.post:
            self._fail(session, "form by GET", "its form is sent by GET: the password would be part of a URL")
        elif not _may_know(session.url, form.action):
            self._fail(session, "another host", f"its form is sent to {form.action}, not to the host of the page")
        else:
            body, content_type = _filled_in(form, self._forms[session.url])
            session.step = sessions.Step(
                stage=Stage.SEND,
                url=form.action,
                form=body,
                content_type=content_type,
                referer=session.step.url,
            )
            self._ask(session)

    def _judge(self, session: Session, url: str, page: LoginStep | None, status: int) -> None:
        """Decide whether a login has succeeded. `url`: where it has led; `page`: None if that is on another host."""
        wanted = [(number, each) for number, each in enumerate(self._success) if each.covers(host_of(session.url))]
        missing = [each for number, each in wanted if not self._shows(number, each, session, url, page)]
        if missing:
            why = f"{url} (status {status}) does not show {missing[0].kind}: {missing[0].value} ([login] success)"
        elif not wanted and page is not None and (page.password or status >= HTTPStatus.BAD_REQUEST):
            what = "has a field for a password again" if page.password else "is an error"
            why = f"{url} (status {status}) {what}"
        else:
            why = ""
        if why:
            self._fail(session, "not accepted", why)
            return
        session.logged_in(self._shared.clock())
        self._say(f"logged in at {session.url}")
        self._shared.frontier.login_ended(session)

    def _shows(self, number: int, sign: Sign, session: Session, url: str, page: LoginStep | None) -> bool:
        if sign.kind == "url":
            return pattern_of(sign.value).search(url) is not None
        if sign.kind == "text":
            return page is not None and page.texts[number]
        cookies = self._jar.of_host(session.url, self._shared.clock())
        return any(each.name == sign.value for each in cookies)

    def _fail(self, session: Session, cause: str, why: str) -> None:
        session.fail(cause)
        self._failed(session, why)

    def _failed(self, session: Session, why: str) -> None:
        self._say(f"the login at {session.url} has failed: {why}. Its pages are not requested")
        self._shared.frontier.login_ended(session)


def _session(form: Form, since: float) -> Session:
    step = sessions.Step(stage=Stage.PAGE, url=form.url)
    return Session(url=form.url, covers=form.covers, step=step, since=since, state=State.IN if since else State.OUT)


def _may_know(login: str, url: str) -> bool:
    """Whether a URL is on the host of a login, and not without TLS if the login has it."""
    return host_of(url) == host_of(login) and (url.startswith("https:") or login.startswith("http:"))


def _form_with(found: Sequence[FormFields], names: Sequence[str]) -> FormFields | None:
    """Return the first form that has all fields, those that are sent by POST first.

    >>> a, b = FormFields(action="a", post=True, fields=(("q", ""),)), FormFields(action="b", post=True, fields=())
    >>> _form_with((b, a), ["q"]).action
    'a'
    """
    able = [each for each in found if {name for name, _ in each.fields}.issuperset(names)]
    return next((each for each in able if each.post), able[0] if able else None)


def _filled_in(form: FormFields, own: Form) -> tuple[bytes, str]:
    """Return the body of a form and its type: the fields of the user, and all others as they stand."""
    names = {name for name, _ in own.fields}
    fields = [*((name, value) for name, value in form.fields if name not in names), *own.fields]
    if form.multipart:
        from urllib3.filepost import encode_multipart_formdata  # few forms are

        return encode_multipart_formdata(fields)
    return urlencode(fields).encode(), "application/x-www-form-urlencoded"


def headers_of(step: sessions.Step) -> tuple[tuple[str, str], ...]:
    """Return the headers that servers compare with the host of a form against forged requests."""
    if not step.form:
        return ()
    page = urlsplit(step.referer)
    return (
        ("Content-Type", step.content_type),
        ("Origin", f"{page.scheme}://{page.netloc}"),
        ("Referer", step.referer),
    )
