"""What a trap remembers of hosts: those whose last page was longest ago are forgotten when there are too many pages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sized
from typing import Generic, Protocol, TypeVar


class _State(Protocol):
    """What is remembered of a host."""

    @property
    def pages(self) -> Sized: ...


State = TypeVar("State", bound=_State)


class Hosts(Generic[State]):
    """`new` makes the state of a host; `capacity`: maximum pages of all hosts, of which each host counts as one too."""

    def __init__(self, new: Callable[[], State], capacity: int) -> None:
        self._new, self._capacity = new, capacity
        self._states: OrderedDict[str, State] = OrderedDict()
        self._pages = 0
        self.suspect: set[str] = set()  # those with a trap

    def find(self, name: str) -> State | None:
        return self._states.get(name)

    def visited(self, name: str) -> State:
        """The state of a host of which a page was fetched."""
        state = self._states.get(name)
        if state is None:
            state = self._states[name] = self._new()
            self.add_page()  # a host without pages takes memory too
        self._states.move_to_end(name)
        return state

    def add_page(self) -> None:
        """Count a page that the host visited last has got."""
        self._pages += 1
        while self._pages > self._capacity and len(self._states) > 1:
            forgotten, oldest = self._states.popitem(last=False)
            self.suspect.discard(forgotten)
            self._pages -= len(oldest.pages) + 1


def host_part(url: str) -> str:
    """The scheme and host of a canonical URL.

    >>> host_part("http://a.test/b/c")
    'http://a.test'
    """
    return url[: url.index("/", 8)]
