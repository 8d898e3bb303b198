"""Targets of seeds' redirects that count as seeds: they extend the scope while the crawl runs.

URLs of their hosts may have been refused by then. They are looked for in one pass over all URLs for many hosts, and so
rarely that it takes little time. What is to be looked for is stored, so a kill changes nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence

from ttcrawl import config
from ttcrawl.config.compiled import compile_traps
from ttcrawl.engine.companion import Companion
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.ring.messages import Link
from ttcrawl.store.seeds import REDIRECTS, StoredRedirects, redirects_of
from ttcrawl.store.sqlite import Store
from ttcrawl.web.scope.redirects import Redirect, counted
from ttcrawl.web.scope.scope import BY_SEEDS
from ttcrawl.web.url import host, key

#: The name in table `crawl` of the targets whose hosts are to be looked for: a JSON list.
DUE = "seed_targets"

#: Stands for a seed of another ring, whose URL is not known here: it is on no host that may be alike.
OTHER_RING = "http://ring.invalid/"

#: At most this share of the time is spent on passes over all URLs.
SHARE = 0.01


def known_redirects(store: Store, seeds: Sequence[str]) -> tuple[Redirect, ...]:
    """Return the redirects of seeds that are stored; of a crawl of an earlier version those in its tables."""
    about = store.about()
    if REDIRECTS in about:
        return redirects_of(about)
    return tuple(store.answers.redirects_of(map(key, seeds)))


def change_of_redirects(
    about: Mapping[str, str], settings: config.Scope, redirects: Sequence[Redirect]
) -> dict[str, str]:
    """Return what is to be stored before a run: if another value of the key holds now, all targets are due."""
    if about.get("redirected_seeds") == settings.redirected_seeds:
        return {}
    due = {DUE: json.dumps(counted(settings.redirected_seeds, settings.scope, redirects))}
    return due if REDIRECTS in about else due | {REDIRECTS: json.dumps(redirects)}


class RedirectedSeeds(Companion):
    """Part of the crawl process."""

    def __init__(self, shared: Shared) -> None:
        self._store = shared.store
        self._ledger = shared.ledger
        year = time.gmtime(shared.clock()).tm_year
        self._traps = compile_traps(shared.config.traps, year, session=shared.config.has_session)
        self._clock = shared.clock
        about = shared.store.about()
        self._redirects = StoredRedirects(about)
        self._due: list[str] = json.loads(about.get(DUE, "[]"))
        self._next, self._changed = 0.0, False
        shared.ledger.on_seed_target = self.received

    def moved(self, queued: Queued, target: Link) -> None:
        """Note where a URL redirects to: a seed, or the target of a seed."""
        scope = self._ledger.scope
        if scope is None or queued.depth or queued.sitemap or scope.named(target.url):
            return
        if scope.counts(queued.url, target.url):
            self._add(queued.url, target)
        else:  # it may count in a later run
            self._redirects.add((queued.url, target.url))
            self._changed = True

    def received(self, target: Link) -> None:
        """Note the target of a redirect from a seed of another ring of a cluster."""
        scope = self._ledger.scope
        if scope is not None and scope.counts(OTHER_RING, target.url):
            self._add(OTHER_RING, target)

    def _add(self, source: str, target: Link) -> None:
        scope = self._ledger.scope
        assert scope is not None
        self._redirects.add((source, target.url))
        self._changed = True
        scope.add_seed(target.url)
        self._due.append(target.url)
        self._decide(target)

    def _decide(self, target: Link) -> None:
        """Decide about the target at once if it was refused; it is discovered next."""
        row = self._ledger.find(target)[1]
        if row is not None and row.reason in BY_SEEDS:
            self._again(row.id)

    def before_commit(self) -> None:
        """Store what a later run needs, before a commit."""
        if self._due and self._clock() >= self._next:
            self.at_rest()
        if self._changed:
            self._changed = False
            self._store.set(**self._redirects.take_changed(), **{DUE: json.dumps(self._due)})

    def at_rest(self) -> None:
        """Decide again about the URLs that the scope without these targets had refused."""
        if not self._due:
            return
        begun = self._clock()
        for url in self._store.urls.refused_on(list(map(host, self._due)), BY_SEEDS):
            self._again(url)
        self._due.clear()
        self._changed = True
        self._next = self._clock() + (self._clock() - begun) / SHARE

    def _again(self, url: int) -> None:
        scope, row = self._ledger.scope, self._store.urls.row(url)
        assert scope is not None
        reason, rule = scope.ruling(row.url)
        self._ledger.decide_again(row, reason or self._traps.refusal(row.url), rule)
