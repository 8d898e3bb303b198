"""A request on its path through the ring, and the ring as the crawl process sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from ttcrawl.ring.messages import Extract, Fetched, IdenticalBody, Parse, Read, Recall, Request

T = TypeVar("T")


class Flight(Struct, Generic[T], kw_only=True):
    """The state of a request from the moment it is handed out until its outcome is received.

    `turn` is its purpose for the crawl process: the ring stores it and does not read it.
    """

    request: Request
    turn: T
    domain: str = ""  # registrable; "" for a look-up
    since: float = 0.0  # when its process began with it, estimated
    cpu: float = 0.0  # processor time of the parse process at that moment, seconds
    fetched: Fetched | None = None
    identical: IdenticalBody | None = None
    archived: Read | Extract | Recall | None = None  # the answer is in the archive and has no slot
    strikes: int = 0
    without_hooks: bool = False
    long: bool = False  # for a parse process that is not reserved for quick pages
    longer: float = 0.0  # seconds beyond the limit for a page: a document is being converted
    #: It counts as no attempt: the host has another address that has not been tried, or has closed a kept connection.
    uncounted: bool = False

    @property
    def work(self) -> Parse | Read | Extract | Recall:
        """The message to a parse process."""
        assert self.fetched is not None
        return self.archived or Parse(
            request=self.request,
            fetched=self.fetched,
            identical=self.identical,
            without_hooks=self.without_hooks,
        )


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
