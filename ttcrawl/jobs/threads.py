"""Work that takes longer than somebody waits: it goes on in a thread, and says how far it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from ttcrawl.errors import plain
from ttcrawl.output.steps import Progress

#: Results that are remembered; the oldest one that is not used is forgotten first.
MOST = 30

#: Seconds that a page waits for a result before it says how far the work is.
PATIENCE = 1.0


@dataclass(slots=True)
class Item:
    """A piece of work. Its thread alone writes to it, and sets `over` last."""

    stamp: Hashable  # of what it reads, when it began
    began: float  # seconds since the epoch
    step: str = ""
    done: int = 0
    of: int = 0  # 0: there is nothing to count
    result: Any = None
    error: str = ""  # why there is no result
    ended: float = 0.0  # 0: it goes on
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def ready(self) -> bool:
        return self.over.is_set() and not self.error

    def progress(self, step: str, done: int, of: int) -> None:
        self.step, self.done = step, done
        self.of = of


class Work:
    """Of each key there is at most one piece of work, and its latest result."""

    def __init__(self) -> None:
        self._items: dict[Hashable, Item] = {}  # the one that was used last is the last one
        self._lock = threading.Lock()

    def known(self, key: Hashable) -> Item | None:
        """The work with this key, if it has begun."""
        with self._lock:
            return self._items.get(key)

    def item(
        self,
        key: Hashable,
        compute: Callable[[Progress], Any],
        *,
        stamp: Hashable = None,
        again: bool = False,
        lasts: float = inf,
        patience: float = PATIENCE,
    ) -> Item:
        """The work with this key, which is begun if there is none, or `again`; not while it is under way.

        A result of another stamp is forgotten `lasts` seconds after its end: time to be seen while a crawl goes on.

        Returns when it is over, or after `patience` seconds.
        """
        with self._lock:
            item = self._items.pop(key, None)
            if item is not None and item.stamp != stamp and time.time() - item.ended > lasts:
                again = True
            if item is None or (again and item.over.is_set()):
                item = Item(stamp, time.time())
                threading.Thread(target=_run, args=(item, compute), daemon=True).start()
            self._items[key] = item
            idle = [each for each, other in self._items.items() if other.over.is_set() and each != key]
            for each in idle[: max(0, len(self._items) - MOST)]:
                del self._items[each]
        item.over.wait(patience)
        return item


def _run(item: Item, compute: Callable[[Progress], Any]) -> None:
    try:
        item.result = compute(item.progress)
    except Exception as error:  # of any kind: the page that waits for it shows it
        item.error = plain(error)
    finally:
        item.ended = time.time()
        item.over.set()
