"""Answers that are older than the latest one of their URL: they come between the answers that are stored.

So a later import of older captures gives the same answers as one import of all captures. What it cannot know: a repeat
of an answer is only a visit, so an older answer that differs and comes before the repeat becomes the latest one.
"""

from __future__ import annotations

from msgspec.structs import replace

from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.ring.messages import NOT_FOLLOWED, Moved, Page
from ttcrawl.store.rows import Latest


class OlderAnswers:
    def __init__(self, shared: Shared) -> None:
        self._ledger, self._answers = shared.ledger, shared.store.answers

    def put(self, queued: Queued, time: float, status: int, answer: Page | Moved, payload: int | None) -> bool:
        """Store an answer; return False if it repeats the one before or after it.

        The one after it then takes its time and its bytes. `payload`: the URL with the archived bytes; None: this URL.
        """
        before, after = self._answers.imports.around(queued.id, time)
        if before is not None and (before.time == time or is_unchanged(before, status, answer)):
            return False
        if is_unchanged(after, status, answer):
            self._answers.imports.antedate(queued.id, after, time, None if payload else answer.archived)
            return False
        self._answers.add_earlier(queued.id, time, status, answer, payload)
        if isinstance(answer, Page):
            self._ledger.discover(answer.links, queued, time)
        elif answer.target is not None and queued.depth != NOT_FOLLOWED:
            target = replace(answer.target, distance=queued.depth)
            self._ledger.discover([target], queued, time, redirects=queued.redirects + 1)
        return True


def is_unchanged(stored: Latest, status: int, answer: Page | Moved) -> bool:
    """Whether an answer repeats one that is stored."""
    if isinstance(answer, Moved):
        return (stored.status, stored.location) == (status, answer.location)
    return (stored.status, stored.digest) == (status, answer.digest)
