"""Gaps between requests to the same host: how long each request waited, and whether that was long enough. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.vocabulary.reason import PARDONED

#: Clocks are doubles of seconds since the epoch, so their last digits are lost.
TOLERANCE = 1e-6

#: Seconds. If a process died, only the assignment of its request is known, which comes at most this much earlier.
HANDED_OUT = 0.01

#: Of one request: started, ended, reason, delay, delay_from, backoff.
Times: TypeAlias = tuple[float, float, str, float, str, float | None]

#: The columns of table `visit` that make `Times`, and their order within each host.
COLUMNS = "visit.started, visit.ended, visit.reason, visit.delay, visit.delay_from, visit.backoff"
ORDER = "visit.started, visit.id"

#: The same for all requests to an address, across hosts; `address_delay` is the delay of the address.
_BY_ADDRESS = (
    "SELECT address, site, requests, started, ended, reason, address_delay, delay_from, NULL FROM visit"
    " WHERE {} ORDER BY address, started, id"
)
BY_ADDRESS = _BY_ADDRESS.format("address != ''")
BY_SHARED_ADDRESS = _BY_ADDRESS.format(
    "address IN (SELECT address FROM visit WHERE address != '' GROUP BY address HAVING min(site) < max(site))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The gap before a request, in seconds."""

    waited: float  # since the end of the latest earlier request; negative if they overlap
    due: float  # the delay, or the rest of a back-off if that is longer
    broken: bool

    @property
    def margin(self) -> float:
        return self.waited - self.due


def gaps(requests: Iterable[Times]) -> Iterator[Gap]:
    """The gaps between the requests to one host, in order of their starts: one gap less than requests.

    If delays are not obeyed, no gap counts as broken: several requests run at once, and a request may have been
    assigned before the back-off was known.
    """
    before = backed_off_until = float("-inf")
    for started, ended, reason, delay, origin, backoff in requests:
        if before > float("-inf"):
            waited, due = started - before, max(delay, backed_off_until - before)
            slack = HANDED_OUT if reason in PARDONED else TOLERANCE
            yield Gap(waited=waited, due=due, broken=origin != "not obeyed" and waited + slack < due)
        before, backed_off_until = max(before, ended), max(backed_off_until, ended + (backoff or 0.0))


class Gaps:
    """Figures of the gaps between the requests to one host or address: there may be millions."""

    def __init__(self, requests: Iterable[Times]) -> None:
        self.waits = array("d")  # seconds
        self.smallest_margin: float | None = None
        self.delayed = 0  # gaps with a delay due
        self.broken = 0
        self.overlaps = 0  # of these, without a delay due
        for gap in gaps(requests):
            self.waits.append(gap.waited)
            self.smallest_margin = gap.margin if self.smallest_margin is None else min(self.smallest_margin, gap.margin)
            self.delayed += gap.due > 0
            self.broken += gap.broken
            self.overlaps += gap.broken and not gap.due
