"""The states of a URL: every discovered URL has one of them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

State: TypeAlias = Literal["queued", "fetched", "moved", "failed", "refused", "deleted"]

QUEUED: Final = "queued"
FETCHED: Final = "fetched"
MOVED: Final = "moved"
FAILED: Final = "failed"
REFUSED: Final = "refused"
DELETED: Final = "deleted"


class About(Struct, frozen=True, kw_only=True):
    sentence: str
    requested: bool = True  # False: refused, even by its response
    answered: bool = False  # a response is stored: table `page` has a row for every such URL


STATES: dict[State, About] = {
    QUEUED: About(sentence="It waits for its turn."),
    FETCHED: About(sentence="A response was received that is not a redirect; it may be an error.", answered=True),
    MOVED: About(sentence="A redirect was received; its target is another URL.", answered=True),
    FAILED: About(sentence="No complete response was received."),
    REFUSED: About(sentence="We decided against it, before a request or by the response.", requested=False),
    DELETED: About(sentence="A user deleted what was stored of it."),
}

#: States of URLs that have a row in table `page`; also for SQL: f"state IN {ANSWERED}".
ANSWERED = tuple(state for state, about in STATES.items() if about.answered)

#: States of URLs that are not refused.
REQUESTED = frozenset(state for state, about in STATES.items() if about.requested)
