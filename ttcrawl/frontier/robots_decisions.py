"""Whether robots.txt allows a queued URL whose turn has come."""

from __future__ import annotations

from ttcrawl.frontier.delays import Delays
from ttcrawl.frontier.host import ForeignRobots, Host, Probe, RobotsGate
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.turn import Refusal
from ttcrawl.frontier.work import Work
from ttcrawl.vocabulary.reason import ROBOTS
from ttcrawl.vocabulary.state import REFUSED
from ttcrawl.web.robots import Rules


class RobotsDecisions:
    """The decisions of robots.txt."""

    def __init__(self, rulebook: Rulebook, delays: Delays) -> None:
        self.rulebook = rulebook
        self._delays = delays

    def read(self, host: Host, text: str | None) -> None:
        """Apply the robots.txt of a host (None or "": it has no rules)."""
        host.robots.ruled = host.robots.uncompiled = bool(text)
        host.robots.crawl_delay = None
        self.rulebook.forget(host.site)
        if text and (rules := self.rulebook.read(host.site, text, Work())) is not None:
            self._compiled(host, rules)
        self._delays.set(host)

    def _compiled(self, host: Host, rules: Rules) -> None:
        host.robots.uncompiled, host.robots.crawl_delay = False, rules.delay
        self._delays.set(host)

    def rules(self, host: Host, now: float, work: Work) -> tuple[bool, Rules | None]:
        """Return (the host may have its turn, the rules of its robots.txt).

        The first time, compiling may reveal a longer delay: then the host must wait.
        """
        if not host.robots.ruled or host.gate is not RobotsGate.OPEN:
            return True, None
        rules = self.rulebook.of(host.site, work)
        if rules is not None and host.robots.uncompiled:
            self._compiled(host, rules)
            return host.next_at <= now, rules
        return rules is not None, rules

    def refusal(self, host: Host, subject: Queued | Probe, rules: Rules | None, work: Work) -> Refusal | None:
        """Return the refusal of a URL that must not be requested, else None."""
        if rules is not None:
            work.remaining -= rules.cost
        return _refusal(host, subject, rules)

    def foreign(self, host: Host, now: float, work: Work) -> tuple[bool, ForeignRobots | Refusal | None]:
        """Return (the host may have its turn, a foreign robots.txt to request or its refusal), by this host's rules.

        If these rules are not read yet because the host's own robots.txt redirects elsewhere, they decide nothing:
        otherwise two hosts whose robots.txt redirect to each other would wait for ever.
        """
        if not host.foreign_robots:
            return True, None
        foreign = host.foreign_robots[0]
        ready, rules = self.rules(host, now, work) if foreign.ruled else (True, None)
        if not ready:
            return False, None
        host.foreign_robots.popleft()
        refusal = _refusal(host, foreign, rules) if foreign.ruled else None
        if refusal is not None:
            return True, refusal
        host.robots.foreign_done = True
        return True, foreign


def _refusal(host: Host, subject: Queued | Probe | ForeignRobots, rules: Rules | None) -> Refusal | None:
    if host.gate is RobotsGate.SHUT:
        state, reason = host.verdict
        return Refusal(host=host, subject=subject, state=state, reason=reason)
    if rules is None or rules.allows(subject.url):
        return None
    return Refusal(host=host, subject=subject, state=REFUSED, reason=ROBOTS)


def own_first(host: Host) -> bool:
    """Whether the host's own pages are next: they alternate with the robots.txt of other hosts."""
    queue = host.queue
    waits = host.probes or queue.heap or queue.more or queue.visits
    own = host.robots.foreign_done and host.gate is not RobotsGate.READING and bool(waits)
    host.robots.foreign_done = host.robots.foreign_done and not own
    return own
