"""A robots.txt that redirects to a host of another ring is requested by that ring, whose clock the host has.

The ring that follows the redirect asks, and asks again until it has an answer; the other one makes one request. Another
redirect is its answer too, so only the ring that asks counts and follows them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from ttcrawl.frontier.host import ForeignRobots, Host
from ttcrawl.frontier.version import NO_VERSION, Version
from ttcrawl.ring.clock import Clock
from ttcrawl.vocabulary.reason import NONE, Code

#: Seconds until a question without an answer is sent again.
AGAIN = 10.0


class RobotsAnswer(Struct, frozen=True, kw_only=True):
    """What came of the request. `target`: where it redirects to; "": nowhere. `text`: the rules; None: not read."""

    url: str
    target: str = ""
    text: str | None = None
    status: int | None = None
    reason: Code = NONE
    version: Version = NO_VERSION
    last: bool = False  # the host is silent: another request is of no use


class _Question(Struct, kw_only=True):
    asker: Host
    url: str
    source: str
    sent: float = float("-inf")


class Settler(Protocol):
    """Who requests, and processes answers."""

    def robots_wanted(self, asker: str, url: str, source: str) -> None: ...

    def robots_answered(self, asker: Host, answer: RobotsAnswer) -> None: ...


class RobotsRelay:
    """`ask(asker, url, source)` sends a question to the ring of the URL; `tell(ring, asker, url, answer)` an answer."""

    def __init__(
        self,
        is_foreign: Callable[[str], bool],
        ask: Callable[[str, str, str], None],
        tell: Callable[[int, str, str, RobotsAnswer], None],
        clock: Clock,
        settler: Settler,
    ) -> None:
        self._settler = settler
        self.is_foreign = is_foreign
        self._ask = ask
        self._tell = tell
        self._clock = clock
        self._questions: dict[str, _Question] = {}  # our hosts -> what another ring is to request
        self._wanted: dict[str, tuple[int, str]] = {}  # hosts of other rings -> the ring, and the URL

    def follow(self, asker: Host, url: str, source: str) -> None:
        """Let the ring of this URL request it for a host of ours."""
        self._questions[asker.name] = _Question(asker=asker, url=url, source=source)

    def moved(self, waiting: Sequence[ForeignRobots]) -> None:
        """Note that hosts of ours belong to another ring now, at some of which a robots.txt was `waiting` for a turn.

        Other rings ask their new owner, who reads their own robots.txt.
        """
        for each in waiting:
            if not self.drop(each.asker):
                self.follow(each.asker, each.url, each.source)
        self._questions = {name: each for name, each in self._questions.items() if not self.is_foreign(name)}

    def turn(self) -> None:
        """Send what was not answered."""
        now = self._clock()
        for name, question in self._questions.items():
            if now - question.sent >= AGAIN:
                question.sent = now
                self._ask(name, question.url, question.source)

    def answered(self, asker: str, url: str, answer: RobotsAnswer) -> bool:
        """Process an answer to a question for this URL; return whether it is new."""
        question = self._questions.get(asker)
        if question is None or question.url != url:
            return False
        del self._questions[asker]
        self._settler.robots_answered(question.asker, answer)
        return True

    def wanted(self, ring: int, asker: str, url: str, source: str) -> None:
        """Request a URL of ours for a host of another ring, unless that is under way."""
        if asker not in self._wanted:
            self._wanted[asker] = ring, url
            self._settler.robots_wanted(asker, url, source)

    def answer(self, asker: Host, answer: RobotsAnswer) -> bool:
        """Answer a question; return whether there was one: else the host is ours."""
        ring, url = self._wanted.pop(asker.name, (0, ""))
        if ring:
            self._tell(ring, asker.name, url, answer)
        return ring > 0

    def drop(self, asker: Host) -> bool:
        """Forget a question, which is sent again; return whether there was one."""
        return self._wanted.pop(asker.name, None) is not None
