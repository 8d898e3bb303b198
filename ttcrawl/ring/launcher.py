"""The interface between the crawl process and a ring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import IdenticalBody, Request

T = TypeVar("T")


class Launcher(Protocol[T]):
    """The ring of processes, or the inline one. It alone registers requests in flight."""

    @property
    def flights(self) -> Mapping[int, Flight[T]]:
        """By token: flights whose outcome `receive` has not returned."""

    def ready(self) -> None: ...

    def room(self) -> bool: ...

    def launch(self, request: Request, turn: T) -> None: ...

    def read(self, token: int, identical: IdenticalBody | None) -> None: ...

    def receive(self, timeout: float) -> list[tuple[Any, Flight[T] | None]]:
        """Return messages, each with its flight; None: the message concerns the ring itself."""

    def archived(self) -> dict[str, int]: ...

    def in_flight(self) -> list[tuple[str, str, float]]: ...

    def close(self) -> None: ...
