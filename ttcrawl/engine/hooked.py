"""The hook for pages and the crawl: it hands data to pages behind links, and the crawl stops if it only fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ttcrawl.engine.companion import Companion, Course, Step
from ttcrawl.engine.shared import Shared
from ttcrawl.errors import CrawlFailedError
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.number import counted
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Link, Page
from ttcrawl.vocabulary.reason import FOREIGN, is_reason_of
from ttcrawl.vocabulary.state import FAILED

#: If a hook fails on all of so many pages at the beginning of a run, it is the hook that is wrong, and not the pages.
FIRST = 20


class HookedPages(Companion):
    """A crawl with a hook for pages."""

    def __init__(self, shared: Shared, say: Callable[[str], None]) -> None:
        self._hook, self._say = shared.config.hooks.page, say
        self._metas, self._ledger = shared.store.answers.link_metas, shared.ledger
        self._ledger.on_links = self._hand
        self._failures = 0
        self._works = False  # a call has succeeded in this run
        self._last = ""  # where and why it failed
        self._lost = False  # the user knows that nothing is handed to other rings

    def answered(self, flight: Flight[Turn], outcome: Any) -> bool:
        """Count whether the hook failed. The pages are committed before the crawl stops because of it."""
        if not isinstance(outcome, Page) or outcome.added is None or self._works:
            return False
        if not is_reason_of(FAILED, outcome.refused):
            self._works = True
            return False
        self._failures += 1
        error = outcome.facts.parse_error.removeprefix("page hook: ")
        self._last = f"[hooks] page = {self._hook} on {flight.turn.url}: {error}"
        return self._failures == FIRST

    def turn(self, course: Course) -> int:
        if self._failures >= FIRST and not self._works:
            raise CrawlFailedError(
                f"the hook for pages failed on each of the first {FIRST} pages. {self._last}. Correct it, then"
                " ttcrawl requeue DIR --reason 'hook page failed*' and ttcrawl resume DIR request these pages again"
            )
        return 0

    def finish(self, step: Step) -> None:
        if self._failures and not self._works:
            self._say(f"the hook for pages failed on {counted(self._failures, 'page')}, and on no other. {self._last}")

    def _hand(self, links: Sequence[Link], source: Queued, redirect: bool) -> None:
        """Store what is handed with the links of a page, or by a redirect."""
        for link in links:
            if not (link.meta or redirect) or (target := self._target(link)) is None:
                continue
            if redirect:
                self._metas.pass_on(source.id, target)
            else:
                self._metas.add(target, source.id, link.meta)

    def _target(self, link: Link) -> int | None:
        """Return the id of a URL; None if it has no row, or is for another ring."""
        _, row = self._ledger.find(link)
        if row is None:
            return None
        if row.reason != FOREIGN:
            return row.id
        if link.meta and not self._lost:
            self._lost = True
            self._say(f"what the hook for pages hands to pages of other rings does not reach them: {link.url}")
        return None
