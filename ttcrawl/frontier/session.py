"""A session of the user on some hosts: logged out, logged in or given up, and the next request of its login. Pure.

Hosts of a session have no turn for pages while it is logged out. A session is lost when an answer shows it; the login
is then repeated, unless that helps nothing: a page may ask for a login because this user may not see it.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable

from msgspec import Struct, field

from ttcrawl.vocabulary.reason import LOGIN_FAILED, Code, filled

#: Logins in a row without a page between them, after which the session is given up.
MOST_IN_VAIN = 3

#: Seconds after which a URL is requested again whose loss is not believed yet.
DOUBT = 30.0

#: URLs that are remembered.
MEMORY = 10_000


class Stage(enum.Enum):
    """What the next request of a login is."""

    PAGE = enum.auto()  # the page with the form
    SEND = enum.auto()  # the form with its fields
    RESULT = enum.auto()  # the page to which the response leads


class Step(Struct, frozen=True, kw_only=True):
    """The next request."""

    stage: Stage
    url: str
    form: bytes = field(default=b"")  # the body; empty: a GET
    content_type: str = ""  # of the body
    referer: str = ""
    redirects: int = 0  # before it, in a row

    def __repr__(self) -> str:
        return f"Step({self.stage.name}, {self.url})"


class State(enum.Enum):
    """Whether the user is logged in."""

    OUT = enum.auto()
    IN = enum.auto()
    FAILED = enum.auto()


class Loss(enum.Enum):
    """What is to be done about a URL whose answer shows that the session is lost."""

    AGAIN = enum.auto()  # it is requested again, after a login if the session is logged out
    LATER = enum.auto()  # it is requested again after DOUBT
    DENIED = enum.auto()  # the user may not see it


class Session(Struct, kw_only=True, eq=False):
    """The login for the hosts of one line of [login] form. Moments are seconds since the epoch."""

    url: str  # of the page with the form
    covers: Callable[[str], bool]  # whether it is for a host
    step: Step
    state: State = State.OUT
    since: float = 0.0  # when the user was logged in
    attempts: int = 0  # logins in a row without an answer
    reason: Code = LOGIN_FAILED  # of URLs, if it has failed
    logins: int = 0  # in this run
    pages: int = 0  # since the session began, in this run
    in_vain: int = 0  # logins in a row after which nothing but losses came
    denied: int = 0  # URLs that were denied
    suspects: dict[int, tuple[float, int]] = field(default_factory=dict)  # URL -> moment and `pages` of its loss
    doubted: int = -1  # `pages` at the last loss that was not believed

    def begin(self) -> None:
        """Log in: the next request is for the page with the form."""
        self.state = State.OUT
        self.step = Step(stage=Stage.PAGE, url=self.url)

    def logged_in(self, moment: float) -> None:
        self.state, self.since = State.IN, moment
        self.attempts = 0
        self.logins += 1
        self.in_vain += 1

    def fail(self, cause: str) -> None:
        """Give it up: the URLs of its hosts have failed."""
        self.state, self.reason = State.FAILED, filled(LOGIN_FAILED, cause)

    def saw_page(self, started: float) -> None:
        """Note an answer that shows no loss. `started`: when it was requested."""
        if started >= self.since:
            self.pages += 1
            self.in_vain = 0

    def lost(self, url: int, started: float, now: float) -> Loss:
        """Note an answer for a URL that shows the loss, requested at `started`."""
        if self.state is not State.IN or started < self.since:
            return Loss.AGAIN
        moment, pages = self.suspects.get(url, (0.0, -1))
        if moment and (self.since > moment or self.pages > pages):
            self.denied += 1
            return Loss.DENIED
        self.suspects[url] = now, self.pages
        if len(self.suspects) > MEMORY:
            del self.suspects[next(iter(self.suspects))]
        if self.denied and not moment and self.doubted != self.pages:
            self.doubted = self.pages
            return Loss.LATER
        if self.in_vain >= MOST_IN_VAIN:
            self.fail("lost again and again")
        else:
            self.begin()
        return Loss.AGAIN


class HostLogin(Struct, kw_only=True):
    """What a host has to do with sessions."""

    session: Session | None = None  # for its pages
    due: deque[Session] = field(default_factory=deque)  # whose next request is for this host

    @property
    def waits(self) -> bool:
        """Whether its pages wait for a login."""
        return self.session is not None and self.session.state is State.OUT
