"""A policy in the crawl process: the order of the queue by its scores, and the queue brought up to date."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ttcrawl.engine.companion import Companion
from ttcrawl.engine.shared import Shared
from ttcrawl.errors import UsageError
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.priority import DEMOTED, FIRST, LAST, QueueOrder
from ttcrawl.frontier.turn import Turn
from ttcrawl.lab.candidates import Candidate, Candidates, Score
from ttcrawl.lab.pagerank import pagerank, rank_mass
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.parse.hooks.load import position
from ttcrawl.ring.flight import Flight
from ttcrawl.vocabulary.state import QUEUED
from ttcrawl.web.url import key

#: Steps of a score: two URLs whose scores differ by less keep the order of discovery.
STEPS = 1e9

#: What is computed of all URLs together, by the attribute of a candidate that has it.
COMPUTED: Mapping[str, Callable[[Candidates], Sequence[float]]] = {"pagerank": pagerank, "rank_mass": rank_mass}

#: It is computed again when the crawl has grown by this factor (Cho, Garcia-Molina and Page, 1998, do it at intervals
#: too): all together costs ten times the last one.
GROWTH = 1.1


class PolicyOrder(QueueOrder, frozen=True, kw_only=True):
    """The order by the scores of a policy."""

    scored: Callable[[str], int]

    @property
    def has_scores(self) -> bool:
        return True

    def score(self, url: str, promised: int = 0) -> int:
        return self.scored(url)


class Preference:
    """The scores of one policy during one crawl. `changes`: they depend on what is read after a URL was discovered;
    `computed`: also on these of COMPUTED."""

    def __init__(
        self, name: str, score: Score, seeds: Sequence[tuple[str, str]], *, changes: bool, computed: Collection[str]
    ) -> None:
        self._name, self._score = name, score
        self.candidates = Candidates(seeds)
        self.changes, self.computed = changes, computed

    @property
    def order(self) -> PolicyOrder:
        return PolicyOrder(name=self._name, pattern=re.compile(""), scored=lambda url: self.of(self.candidates.of(url)))

    def of(self, candidate: Candidate) -> int:
        """Return the score of a URL in steps. Raises UsageError for a function that fails, or returns no number."""
        try:
            steps = float(self._score(candidate)) * STEPS
        except Exception as error:
            where = escape_untrusted(candidate.url)
            raise UsageError(f"the policy {self._name} fails for {where}: {position(error)}") from error
        if steps != steps:
            raise UsageError(f"the policy {self._name} returns no number for {escape_untrusted(candidate.url)}")
        return int(min(max(steps, -LAST), LAST))


class Reordering(Companion):
    """Moves queued URLs whose score has changed."""

    def __init__(self, shared: Shared, preference: Preference) -> None:
        self._store, self._frontier = shared.store, shared.frontier
        self._preference, self._candidates = preference, preference.candidates
        self._ids: dict[str, int] = {}  # URL -> id; 0: it is not queued any more
        self._computed_at = 0  # pages

    def answered(self, flight: Flight[Turn], outcome: Any) -> bool:
        assert flight.turn.queued is not None
        self._ids[flight.turn.queued.url] = 0
        if self._preference.computed and self._candidates.pages > self._computed_at * GROWTH:
            self._computed_at = self._candidates.pages
            for name in self._preference.computed:
                for candidate, value in zip(self._candidates.all(), COMPUTED[name](self._candidates), strict=True):
                    setattr(candidate, name, value)
            self._frontier.reorder(lambda queued: self._priority(queued, self._candidates.of(queued.url)))
        else:
            for candidate in self._candidates.changed.values():
                self._move(candidate)
        self._candidates.changed.clear()
        return False

    def _move(self, candidate: Candidate) -> None:
        id_ = self._id(candidate.url)
        host = self._frontier.hosts.get(candidate.host) if id_ else None
        queued = host.queue.known.get(id_) if host is not None else None
        if host is not None and queued is not None:
            self._frontier.move(host, queued, self._priority(queued, candidate))

    def _priority(self, queued: Queued, candidate: Candidate) -> int:
        return -self._preference.of(candidate) + (DEMOTED if queued.demoted else 0)

    def _id(self, url: str) -> int:
        known = self._ids.get(url)
        if known is None:
            row = self._store.urls.find(key(url))
            if row is None:  # the page that links to it has arrived, and is processed next
                return 0
            known = self._ids[url] = row.id if row.state == QUEUED else 0
        return known


def best_first(host: Host) -> int:
    """Return the priority of the best URL of a host: the laboratory has the whole queue in memory."""
    if host.foreign_robots:
        return FIRST
    return host.queue.heap[0][0] if host.queue.heap else LAST


def larger_first(host: Host) -> int:
    """Return minus the queued URLs of a host: larger sites first (Baeza-Yates, Castillo, Marin and Rodriguez: Crawling
    a country, WWW 2005)."""
    return FIRST if host.foreign_robots else -len(host.queue.known)
