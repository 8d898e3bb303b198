"""The ledger of a crawl that is not running, for commands that change its URLs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.engine import counter_rows
from ttcrawl.engine.shared import loaded_ledger
from ttcrawl.frontier.bounds import Bounds, bounds
from ttcrawl.frontier.foreign import ForeignUrls
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.seen import Seen
from ttcrawl.store.rows import Sample
from ttcrawl.store.sqlite import Store
from ttcrawl.web.scope import Scope

#: Makes what decides which URLs a ring of a cluster sends to others.
MakeForeign: TypeAlias = Callable[[Bounds], ForeignUrls]


def stopped_ledger(store: Store, config: Config, scope: Scope, foreign: MakeForeign | None = None) -> Ledger:
    """Return the ledger, without hosts in memory. `foreign`: in the directory of a ring."""
    limits = _bounds(config, scope)
    ledger = loaded_ledger(config, store, Seen(config.seen), limits)
    ledger.foreign = foreign(limits) if foreign is not None else None
    ledger.frontier = Frontier(
        config.politeness,
        replace(config.frontier, hosts=0),
        ledger.load,
        lambda moment: None,
        lambda name: None,
        own_delay=lambda name: None,
        most_turns=1,
    )
    return ledger


def _bounds(config: Config, scope: Scope) -> Bounds:
    """Every URL gets a row, even if it is refused: otherwise a repetition of the command would count it again. A queued
    one stays queued, also if new links are only recorded."""
    limits = bounds(config, scope.ruling if scope.by_path else None, scope.home if scope.counts_hops else None, None)
    return structs.replace(limits, most_refused=0, record=False)


class Totals:
    """The totals of a crawl that follow from its ledger. `ledger`: goes on from those of the last run."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger
        self._about = store.about()
        counter_rows.restore(self._about, ledger, ledger.frontier)
        self._before = self._counted()

    def store(self) -> None:
        """Update what has changed, and add a sample of the growth that agrees with it."""
        if self._counted() == self._before:
            return
        ledger, queued = self._ledger, self._ledger.frontier.queued
        self._store.set(
            total_queued=queued, total_refused=ledger.refused, total_aside=ledger.aside, total_in_scope=ledger.in_scope
        )
        if queued and self._about.get("finished") == "done":
            self._store.set(finished="interrupted")  # there are queued URLs again
        pages, links, size = (int(self._about.get(f"total_{name}", 0)) for name in ("pages", "found", "bytes"))
        self._store.answers.add_growth(
            Sample(
                pages=pages,
                seconds=float(self._about["seconds"]),
                links=links,
                distinct_urls=ledger.distinct,
                queued=queued,
                bytes=size,
                in_scope=ledger.in_scope,
            )
        )

    def _counted(self) -> tuple[int, ...]:
        ledger = self._ledger
        return ledger.frontier.queued, ledger.refused, ledger.aside, ledger.in_scope, ledger.last_id
