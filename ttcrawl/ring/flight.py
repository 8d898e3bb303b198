"""A request on its way through the ring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ttcrawl.ring.messages import Fetched, IdenticalBody, Request

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Flight(Generic[T]):
    """All that is known of it, from the moment it is handed out until its outcome is received.

    `turn` is what the crawl process wants with it: the ring keeps that and does not look at it.
    """

    request: Request
    turn: T
    domain: str = ""  # registrable; "" for a look-up
    since: float = 0.0  # when the process that has it began with it, as far as one knows
    cpu: float = 0.0  # what the parse process had used then, seconds
    fetched: Fetched | None = None
    identical: IdenticalBody | None = None
    strikes: int = 0
    long: bool = False  # to be read by a process that is not kept for quick pages
    longer: float = 0.0  # seconds that it may take beyond what a page may: a document is being converted
    elsewhere: bool = False  # no connection was made, and the host has another address that has not been tried
