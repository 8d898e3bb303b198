"""URLs that rings which are not running have sent to each other: delivered as they would be when the crawl continues.

A batch stays with its sender until its receiver has committed it, so an interruption at any moment loses none and
delivers none twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ttcrawl.cluster.messages import Adoption, Item, packed, unpacked
from ttcrawl.cluster.moves import batched
from ttcrawl.cluster.post import MOST
from ttcrawl.cluster.route import Table
from ttcrawl.cluster.stopped_rings import StoppedRings
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import existing
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.foreign import ForeignUrls, link_to
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.maintain.stopped_ledger import Totals, stopped_ledger
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.mending import mending
from ttcrawl.store.rows import UrlPath
from ttcrawl.store.sqlite import Store
from ttcrawl.store.stored_scope import stored_scope
from ttcrawl.web.url import host


class Outgoing:
    """What a ring that is not running sends to others. `table`: who owns a host."""

    def __init__(self, store: Store, ring: int, table: Table) -> None:
        self._store = store
        self._ring, self._table = ring, table
        self.mailbox: Mailbox = store.mailbox()
        self._items: dict[int, list[Item]] = {}

    def foreign(self, bounds: Bounds) -> ForeignUrls:
        """Return what decides which URLs leave."""
        return ForeignUrls(
            self._store, bounds, lambda name: self._table.ring_of(name) != self._ring, self._post, self.mailbox.holder
        )

    def _post(self, url: str, spelling: str, path: UrlPath, ring: int) -> None:
        self._items.setdefault(ring or self._table.ring_of(host(url)), []).append((url, spelling, path))

    def before_commit(self) -> None:
        """Put them into the outbox."""
        for ring, items in self._items.items():
            for part in batched(items, MOST):
                self.mailbox.post(ring, packed(part))
        self._items.clear()


def deliver(rings: StoppedRings, on_queued: Callable[[str], None] = lambda url: None) -> None:
    """Deliver all URLs that are on their way between rings. `on_queued` is called for each that its receiver queues.

    What only a crawl can decide waits until it continues: redirects of seeds, which extend the scope, and redirects
    where cookies are kept.
    """
    while any([_receive(rings, ring, senders, on_queued) for ring, senders in _waiting(rings).items()]):
        pass  # what has come may have been sent on


def _waiting(rings: StoppedRings) -> dict[int, dict[Path, list[int]]]:
    """Return receiver -> directory of a sender -> batches that it keeps for the receiver."""
    waiting = dict[int, dict[Path, list[int]]]()
    for path in rings.paths.values():
        with mending(path / "crawl.db") as db:
            for ring, number, _ in Mailbox(db).unacknowledged():
                if ring in rings.paths:
                    waiting.setdefault(ring, {}).setdefault(path, []).append(number)
    return waiting


def _receive(
    rings: StoppedRings, ring: int, senders: Mapping[Path, Sequence[int]], on_queued: Callable[[str], None]
) -> bool:
    """Let a ring receive what others have sent to it; return whether it has."""
    with existing(rings.paths[ring], ring=True) as (store, config):
        outgoing = Outgoing(store, ring, rings.table)
        ledger = stopped_ledger(store, config, stored_scope(config, store.about()), outgoing.foreign)
        totals, now = Totals(store, ledger), round(time.time(), 3)
        taken = dict[Path, list[int]]()
        for path, numbers in senders.items():
            with mending(path / "crawl.db") as db:
                mailbox = Mailbox(db)
                ((incarnation,),) = db.execute("SELECT value FROM crawl WHERE name = 'incarnation'")
                for number in numbers:
                    items = unpacked(mailbox.batch(ring, number))
                    if isinstance(items, Adoption) or any(_waits(path_there, config) for _, _, path_there in items):
                        continue
                    taken.setdefault(path, []).append(number)
                    if outgoing.mailbox.receive(incarnation, number):
                        _discover(ledger, items, now, on_queued)
        outgoing.before_commit()
        totals.store()
        store.close()
    for path, numbers in taken.items():
        with mending(path / "crawl.db") as db:
            mailbox = Mailbox(db)
            for number in numbers:
                mailbox.acknowledge(ring, number)
    return bool(taken)


def _waits(path: UrlPath, config: Config) -> bool:
    """Whether only a crawl can decide about a URL on this path."""
    return path.redirects > 0 and not path.sitemap and (path.depth == 0 or config.fetch.cookies != "no")


def _discover(ledger: Ledger, items: list[Item], now: float, on_queued: Callable[[str], None]) -> None:
    for url, spelling, path in items:
        before = ledger.frontier.queued
        ledger.receive(link_to(url, spelling, path), path, now)
        if ledger.frontier.queued > before:
            on_queued(url)
