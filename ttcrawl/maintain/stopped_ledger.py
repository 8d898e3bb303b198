"""The ledger of a crawl that is not running, for commands that change its URLs."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.engine.shared import loaded_ledger
from ttcrawl.frontier.bounds import Bounds, bounds
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.seen import Seen
from ttcrawl.store.sqlite import Store
from ttcrawl.web.scope import Scope


def stopped_ledger(store: Store, config: Config, scope: Scope) -> Ledger:
    """Return the ledger, without hosts in memory."""
    ledger = loaded_ledger(config, store, Seen(config.seen), _bounds(config, scope))
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
