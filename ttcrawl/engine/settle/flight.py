"""A turn that was taken and whose outcome is not known yet."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.messages import Fetched, Twin


@dataclass(slots=True, kw_only=True)
class Flight:
    turn: Turn
    depth: int  # as the parse process knows it
    address: str  # that was to be asked
    sitemap: bool  # as the parse process knows it
    due: tuple[float, str, float]  # the delay it waited for, where that came from, and the delay of the address
    fetched: Fetched | None = None
    twin: Twin | None = None  # that it was read with
    elsewhere: bool = False  # nobody was there, and the host has another address that has not been tried
