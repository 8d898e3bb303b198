"""One crawl of a recorded web by one policy: the visits in their order."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.companion import Companion
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.bounds import Bounds, bounds
from ttcrawl.frontier.priority import queue_order
from ttcrawl.frontier.turn import Turn
from ttcrawl.lab.policies import RANDOM, Policy, shuffled
from ttcrawl.lab.preference import Preference, Reordering, best_first
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.ring import RecordedRing
from ttcrawl.lab.sending import Sending
from ttcrawl.lab.times import Times
from ttcrawl.lab.word_scores import copy_subject
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.messages import Failed, Link, Moved
from ttcrawl.ring.sizes import fetchers, in_flight
from ttcrawl.store.sqlite import Store
from ttcrawl.web.url import key

#: The longest sleep of the main loop on the virtual clock, seconds: nothing is to happen that no message wakes it for.
TICK = 3600.0

#: The outcome of a visit.
PAGE, MOVED, ERROR, MISSING = "page", "moved", "error", "not recorded"


class Visit(Struct, frozen=True, gc=False):
    """A request for a URL of the queue. The totals are those of the crawl when it was processed."""

    key: int  # of its URL
    url: str
    outcome: str
    seconds: float  # since the crawl began
    requests: int  # with robots.txt, probes and retries
    received: int  # bytes
    idle: float  # seconds without a request in flight
    discovered: int  # URLs


class Trial(Struct, frozen=True, kw_only=True):
    """One crawl of a recorded web. `seed`: 0: requests took the recorded times."""

    name: str
    seed: int
    visits: list[Visit]
    queued: int  # URLs left when the crawl ended
    stopped_by: str  # a limit; "": everything was visited


class Watch(Companion):
    """Notes each visit."""

    def __init__(self, shared: Shared, ring: RecordedRing, visits: list[Visit]) -> None:
        self._ledger = shared.ledger
        self._ring = ring
        self._visits = visits
        self._began = ring.now

    def answered(self, flight: Flight[Turn], outcome: Any) -> bool:
        ring, url = self._ring, flight.request.url
        status = flight.fetched.status if flight.fetched else 0
        if ring.recorded(url) is None:
            kind = MISSING
        elif isinstance(outcome, Failed) or status >= 400:
            kind = ERROR
        else:
            kind = MOVED if isinstance(outcome, Moved) else PAGE
        seconds, distinct = ring.now - self._began, self._ledger.distinct
        self._visits.append(Visit(key(url), url, kind, seconds, ring.requests, ring.received, ring.idle, distinct))
        return False


def trial(web: RecordedWeb, name: str, policy: Policy, config: Config, seed: int = 0) -> Trial:
    """Crawl the recorded web by a policy.

    `config`: of the crawl, as `ttcrawl.lab.settings` makes it. `seed`: 0: requests take the recorded times; otherwise
    times are drawn from those of each host. Raises UsageError for a policy that fails, CrawlFailedError.
    """
    before = random.getstate()
    random.seed(seed)  # back-offs are scattered by Python's own generator
    try:
        with tempfile.TemporaryDirectory(prefix="ttcrawl-lab-") as directory:
            copy_subject(web, config, Path(directory))
            store = Store(Path(directory) / "crawl.db", create=True)
            try:
                return _crawled(web, name, policy, config, seed, store)
            finally:
                store.rollback()
                store.close()
    finally:
        random.setstate(before)


def _crawled(web: RecordedWeb, name: str, policy: Policy, config: Config, seed: int, store: Store) -> Trial:
    store.set(seconds=0.0, started=web.began, finished="", seeds="\n".join(web.seeds))
    store.commit()
    scope = compile_scope(config.scope, web.seeds, config.hosts)
    seeds = [*seed_links(web.seeds, scope.ruling)]
    preference = _preference(policy, seed, seeds)
    order = preference.order if preference else queue_order(config.frontier)
    limits = bounds(
        config,
        scope.ruling if scope.by_path else None,
        scope.home if scope.counts_hops else None,
        None,
        scope.ruling,
        scope,
    )
    nearer = policy.score is None or policy.by_depth or _by_path(limits)
    ring = RecordedRing(
        web,
        Times(web, random.Random(seed) if seed else None),
        Sending(web, config, scope, store.seen_file.parent, nearer=nearer),
        room=fetchers(config.crawl) * in_flight(config),
        topical=config.topic.on,
        candidates=preference.candidates if preference else None,
    )
    visits: list[Visit] = []
    more: list[Callable[[Shared], Companion]] = [lambda shared: Watch(shared, ring, visits)]
    if preference is not None and preference.changes:
        more.append(lambda shared: Reordering(shared, preference))
    crawl = Crawl(
        Environment(
            config=config,
            store=store,
            ring=ring,
            clock=lambda: ring.now,
            bounds=limits,
            tick=TICK,
            more=more,
            order=replace(order, rank=policy.rank or (best_first if policy.score else None)),
        )
    )
    with rarely_collected():
        crawl.run(seeds)
    return Trial(name=name, seed=seed, visits=visits, queued=crawl.frontier.queued, stopped_by=crawl.stopped_by)


def _by_path(limits: Bounds) -> bool:
    """Whether a URL may be refused on one path and followed on a shorter one."""
    return limits.max_depth >= 0 or limits.tunnel >= 0 or limits.scope_at is not None or limits.home is not None


def _preference(policy: Policy, seed: int, seeds: Sequence[Link]) -> Preference | None:
    if policy.score is None:
        return None
    score = shuffled(seed) if policy.name == RANDOM else policy.score
    begin = [(each.url, each.host) for each in seeds]
    return Preference(policy.name, score, begin, changes=policy.changes, computed=policy.computed)
