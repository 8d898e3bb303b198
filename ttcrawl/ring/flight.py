"""A request on its way through the ring."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.ring.messages import Fetched, Request, Twin


@dataclass(slots=True, kw_only=True)
class Flight:
    """What the pools know of it."""

    request: Request
    domain: str  # registrable
    since: float  # when it was handed out
    cpu: float = 0.0  # what the parse process had used then, seconds
    fetched: Fetched | None = None
    twin: Twin | None = None
    strikes: int = 0
    long: bool = False  # to be read by a process that is not kept for quick pages
    longer: float = 0.0  # seconds that it may take beyond what a page may: a document is being converted
