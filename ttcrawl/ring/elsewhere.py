"""What the scripts of a page requested besides its own visit: turns at hosts, for the proof of politeness."""

from __future__ import annotations

from ttcrawl.web.storable import Storable


class Elsewhere(Storable, frozen=True, kw_only=True):
    """Requests to one host for one page, one after the other, that were one visit to it."""

    url: str  # of the first of them
    started: float
    ended: float
    status: int | None  # of the last answer; None: there was none
    address: str
    requests: int
    received: int  # bytes on the wire
    delay: float  # seconds since the last exchange with the host that were due
    delay_from: str  # as in table visit
    backoff: float | None = None  # seconds it is left alone, because of the status; None: the delay only
