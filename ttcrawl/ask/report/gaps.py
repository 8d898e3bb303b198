"""How long each exchange waited for the ones before it with the same host, and whether it was long enough. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.vocabulary.reason import PARDONED

#: Clocks are doubles of seconds since the epoch, of which the last digits are lost.
TOLERANCE = 1e-6

#: Of an exchange whose process died it is not known when it began, only when it was handed out: a moment early.
HANDED_OUT = 0.01

#: Of one exchange: started, ended, reason, delay, delay_from, backoff.
Times: TypeAlias = tuple[float, float, str, float, str, float | None]

#: The columns of table `visit` that make `Times`, and the order in which they are wanted of each host.
COLUMNS = "visit.started, visit.ended, visit.reason, visit.delay, visit.delay_from, visit.backoff"
ORDER = "visit.started, visit.id"


#: The same of all exchanges with an address, whatever the host: its own delay is that of the address.
BY_ADDRESS = (
    "SELECT address, site, requests, started, ended, reason, address_delay, delay_from, NULL FROM visit"
    " WHERE address != '' ORDER BY address, started, id"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What lies before an exchange; seconds."""

    waited: float  # from the end of the last exchange that was there before; negative: they overlap
    due: float  # the delay, or what is left of a back-off where that is longer
    broken: bool

    @property
    def margin(self) -> float:
        return self.waited - self.due


def gaps(exchanges: Iterable[Times]) -> Iterator[Gap]:
    """The gaps between the exchanges with one host, which come in order of their starts; one less than exchanges.

    Where delays are not obeyed no gap is broken: several exchanges are under way at once, and the one that follows a
    back-off may have been handed out before anybody knew of it.
    """
    before = left_alone = float("-inf")
    for started, ended, reason, delay, origin, backoff in exchanges:
        if before > float("-inf"):
            waited, due = started - before, max(delay, left_alone - before)
            slack = HANDED_OUT if reason in PARDONED else TOLERANCE
            yield Gap(waited=waited, due=due, broken=origin != "not obeyed" and waited + slack < due)
        before, left_alone = max(before, ended), max(left_alone, ended + (backoff or 0.0))
