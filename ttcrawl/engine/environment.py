"""What a run of the crawl process is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from ttcrawl.config import Config
from ttcrawl.engine.companion import Companion
from ttcrawl.engine.intervals import TICK
from ttcrawl.engine.peers import Peers
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.priority import QueueOrder
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.counters import Snapshot
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Launcher
from ttcrawl.store.sqlite import Store

#: Gets the counters of a crawl.
Look: TypeAlias = Callable[[Snapshot], None]


def _unseen(what: object) -> None:
    """Nobody looks."""


class Environment(Struct, frozen=True, kw_only=True):
    """Each run needs the first five; features are off without the others."""

    config: Config
    store: Store
    ring: Launcher[Turn]
    clock: Clock
    bounds: Bounds
    look: Look = _unseen  # called now and then, and at the end
    say: Callable[[str], None] = _unseen  # called with messages for the user
    unstorable: Mapping[str, str] = field(default_factory=dict)  # URLs that an earlier life could not store, and why
    tick: float = TICK  # longest sleep of the main loop, seconds
    held_back: Sequence[str] = ()  # see ttcrawl.engine.topic.recall; only with a target
    recrawl: Recrawl | None = None  # how URLs are visited again; None: they are not
    peers: Peers | None = None  # the other rings of a cluster
    more: Sequence[Callable[[Shared], Companion]] = ()  # each makes one more companion
    order: QueueOrder | None = None  # what is fetched first; None: by [frontier] priority
