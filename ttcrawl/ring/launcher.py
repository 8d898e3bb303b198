"""What the crawl process wants of a ring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import IdenticalBody, Request

T = TypeVar("T")


class Launcher(Protocol[T]):
    """The ring of processes, or the inline one. It alone knows what is in flight."""

    @property
    def flights(self) -> Mapping[int, Flight[T]]:
        """By token: those whose outcome `receive` has not returned."""

    def ready(self) -> None: ...

    def room(self) -> bool: ...

    def launch(self, request: Request, turn: T) -> None: ...

    def read(self, token: int, identical: IdenticalBody | None) -> None: ...

    def receive(self, timeout: float) -> list[tuple[Any, Flight[T] | None]]:
        """Messages, each with the flight that it belongs to; None: it is about the ring itself."""

    def archived(self) -> dict[str, int]: ...

    def under_way(self) -> list[tuple[str, str, float]]: ...

    def close(self) -> None: ...
