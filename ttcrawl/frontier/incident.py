"""How a request affects its host as a whole: another address is tried, or the host is backed off or given up."""

from __future__ import annotations

from msgspec.structs import replace

from ttcrawl import config
from ttcrawl.frontier.backoff import Backoff, Exchange, after
from ttcrawl.frontier.host import Host, RobotsGate
from ttcrawl.vocabulary.reason import NO_CONNECTION, OVERLOADED
from ttcrawl.vocabulary.state import FAILED


def note(host: Host, exchange: Exchange, politeness: config.Politeness, chance: float) -> Backoff | None:
    """Note a finished request to a host; return the back-off that it causes, if any.

    A host with several addresses counts as silent only after all of them failed. After `give_up` incidents in a row
    without any connection, all URLs of the host have failed.
    """
    if exchange.reason not in NO_CONNECTION:
        host.tried = 0
    elif len(host.addresses) > 1:
        if exchange.address != host.address:
            return None  # several requests were in flight: the first failure already led to another address
        host.tried = (host.tried + 1) % len(host.addresses)
        host.chosen = (host.chosen + 1) % len(host.addresses)
        if host.tried:
            return None
    before = host.backoff
    counts = host.health.overloaded(exchange)
    if exchange.reason in OVERLOADED:
        if not counts:
            host.backoff = replace(before, silent=0)
            return None
        if host.health.well_at >= before.until:
            before = replace(before, seconds=0.0)  # a request was well since then: the back-off does not grow
    host.backoff = after(exchange, before, politeness.backoff, chance)
    if host.backoff.silent >= politeness.give_up and host.gate is RobotsGate.OPEN:
        host.gate, host.verdict = RobotsGate.SHUT, (FAILED, exchange.reason)
        return None
    if host.backoff.until <= before.until:
        return None
    host.not_before = max(host.not_before, host.backoff.until)
    return host.backoff
