"""Features of a crawl: the main loop calls them at the moments below, and names none of them.

`ttcrawl.engine.wiring.companions` lists them, in the order in which they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.ring.flight import Flight

P = ParamSpec("P")
R = TypeVar("R")


class Course(Protocol):
    """How the crawl is going."""

    #: "", or why it ends with work left.
    stopped_by: str

    @property
    def at_rest(self) -> bool:
        """Whether nothing is queued or in flight."""

    @property
    def idle(self) -> bool:
        """Whether nothing is left to do but what other rings of a cluster may send."""

    def stop(self, why: str) -> None:
        """Begin nothing new; what is in flight is still processed."""


class Progress(Protocol):
    """Progress of a long step: the count done, and the total."""

    def __call__(self, done: int, of: int, /) -> None: ...


Step = Callable[[str], Progress]


class Companion:
    """It overrides the methods that it needs; the others are never called."""

    def prepare(self, step: Step) -> None:
        """Called before the queue of earlier runs is in memory. `step` returns the progress of a step by its name."""

    def begin(self, step: Step) -> None:
        """Called when the queue of earlier runs is in memory, before the seeds are discovered."""

    def turn(self, course: Course) -> int:
        """Called at each turn of the main loop, before requests are sent: hand to the frontier what is due.

        Return the number of changes to be committed.
        """
        return 0

    def wakes(self) -> float:
        """Return the moment at which `turn` must be called again at the latest."""
        return float("inf")

    def answered(self, flight: Flight[Turn], outcome: Any) -> bool:
        """Called when the outcome of a queued URL was processed. Return whether it must be committed at once."""
        return False

    def refused(self, queued: Queued) -> None:
        """Called when a queued URL was refused instead of being requested."""

    def at_rest(self) -> None:
        """Called when nothing is queued or in flight: the last chance to queue something."""

    def pending(self) -> bool:
        """Whether more is to come although nothing is queued: the crawl goes on, unless it is stopped."""
        return False

    def before_commit(self) -> None:
        """Called before a commit: store what a later run needs."""

    def after_commit(self) -> None:
        """Called after a commit: send what only holds once it is stored."""

    def finish(self, step: Step) -> None:
        """Called at the end of a run, which commits once more after it."""


class Processor(Protocol):
    """Whoever had something requested processes its outcome, or that it is not requested."""

    def process(self, flight: Flight[Turn], outcome: Any) -> None:
        """Process the outcome of a request."""

    def refuse(self, refusal: Refusal) -> None:
        """Process that a request must not be made."""


def overriding(
    companions: Sequence[Companion], method: Callable[Concatenate[Companion, P], R]
) -> tuple[Callable[P, R], ...]:
    """Return this method of each companion that overrides it."""
    name = method.__name__
    return tuple(getattr(each, name) for each in companions if getattr(type(each), name) is not method)
