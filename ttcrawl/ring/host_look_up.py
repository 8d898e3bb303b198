"""What the archive keeps of the look-up of a host."""

from __future__ import annotations

from ttcrawl.web.storable import Storable


class LookUp(Storable, frozen=True, kw_only=True):
    """The result of a look-up of a host, for the archive."""

    host: str  # without its port
    addresses: tuple[str, ...]  # that may be requested, best first
    moment: float
