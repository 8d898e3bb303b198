"""What the parts of the crawl process share: there is one of each in a crawl."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ttcrawl.config import Config
from ttcrawl.engine import counter_rows
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_settings import fixed_addresses, own_delays
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.priority import QueueOrder, queue_order
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.seen import Seen
from ttcrawl.output.counters import Counters
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.sizes import fetchers, in_flight
from ttcrawl.store.sqlite import Store
from ttcrawl.web import robots


class Shared(Struct, frozen=True, kw_only=True):
    config: Config
    store: Store
    seen: Seen
    ledger: Ledger
    frontier: Frontier
    counters: Counters
    clock: Clock


def loaded_ledger(config: Config, store: Store, seen: Seen, bounds: Bounds, order: QueueOrder | None = None) -> Ledger:
    """Return a ledger without a frontier, whose seen set has all discovered URLs. `order`: None: by config.ini."""
    seen.load(store.seen_file, store.urls.keys)
    max_age = config.politeness.robots_max_age
    return Ledger(store, seen, order or queue_order(config.frontier), bounds, robots_max_age=max_age)


def shared_parts(
    config: Config,
    store: Store,
    clock: Clock,
    bounds: Bounds,
    forget: Callable[[Host], None],
    order: QueueOrder | None = None,
) -> Shared:
    """Return the parts with the state of the last commit. `forget` is called for a host that leaves memory.

    `order`: None: by config.ini.
    """
    about = store.about()
    seen = Seen(config.seen, counter_rows.figures_of(about))
    ledger = loaded_ledger(config, store, seen, bounds, order)
    ledger.frontier = Frontier(
        config.politeness,
        config.frontier,
        ledger.load,
        forget,
        fixed_addresses(config.fetch),
        own_delay=own_delays(config.hosts),
        most_turns=fetchers(config.crawl) * in_flight(config),
        rulebook=Rulebook(robots.reader(config.agent.name, config.politeness.robots), store.sites.robots),
    )
    if order is not None and order.rank is not None:
        ledger.frontier.rank_hosts(order.rank)
    counter_rows.restore(about, ledger, ledger.frontier)
    return Shared(
        config=config,
        store=store,
        seen=seen,
        ledger=ledger,
        frontier=ledger.frontier,
        counters=counter_rows.counters_of(about),
        clock=clock,
    )
