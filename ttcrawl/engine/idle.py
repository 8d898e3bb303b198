"""Explain pauses to the user."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host, RobotsGate
from ttcrawl.ring.clock import Clock
from ttcrawl.vocabulary.reason import NO_CONNECTION

#: Shortest pause that is explained, seconds.
LONG = 5.0


class Idle:
    """Call `tell` while nothing is in flight; it explains each pause once."""

    def __init__(self, frontier: Frontier, say: Callable[[str], None], clock: Clock) -> None:
        self._frontier = frontier
        self._say = say
        self._clock = clock
        self._explained = 0.0  # the end of the last explained pause

    def tell(self) -> None:
        moment, host = self._frontier.next_moment(), self._frontier.next_host()
        wait = moment - self._clock()
        if not LONG <= wait < float("inf") or moment == self._explained:
            return
        due, url = self._frontier.next_retry()
        if host is not None and host.backoff.until >= moment:
            line = _backed_off(host, wait)
        elif due == moment:
            line = f"nothing to do for {wait:,.0f} s: {url} will be retried then"
        else:
            return
        self._explained = moment
        self._say(line)


def _backed_off(host: Host, wait: float) -> str:
    name, why = host.name, host.backoff.origin
    if host.gate is not RobotsGate.UNREAD or why not in NO_CONNECTION:
        return f"nothing to do for {wait:,.0f} s: {name} is backed off ({why})"
    hint = "check its name and port, and whether its server runs"  # it has never answered
    return f"{name} cannot be reached ({why}): {hint}; the next attempt is in {wait:,.0f} s, Ctrl-C ends the crawl"
