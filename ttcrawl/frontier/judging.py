"""Whether a queued URL may be asked for, now that its turn has come."""

from __future__ import annotations

from ttcrawl.frontier.delays import Delays
from ttcrawl.frontier.host import ForeignRobots, Host, Probe, Queued, RobotsGate
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.turn import Refusal
from ttcrawl.frontier.work import Work
from ttcrawl.vocabulary.reason import ROBOTS
from ttcrawl.vocabulary.state import REFUSED
from ttcrawl.web.robots import Rules


class Judging:
    """What robots.txt has to say."""

    def __init__(self, rulebook: Rulebook, delays: Delays) -> None:
        self.rulebook = rulebook
        self._delays = delays

    def read(self, host: Host, text: str | None) -> None:
        """The robots.txt of a host was read (None or "": it says nothing)."""
        host.ruled = host.uncompiled = bool(text)
        host.crawl_delay = None
        self.rulebook.forget(host.site)
        if text and (rules := self.rulebook.read(host.site, text, Work())) is not None:
            self._compiled(host, rules)
        self._delays.set(host)

    def _compiled(self, host: Host, rules: Rules) -> None:
        host.uncompiled, host.crawl_delay = False, rules.delay
        self._delays.set(host)

    def rules(self, host: Host, now: float, work: Work) -> tuple[bool, Rules | None]:
        """(the host may have its turn, the rules of its robots.txt). The first time it may be known only now that the
        delay is a longer one."""
        if not host.ruled or host.gate is not RobotsGate.OPEN:
            return True, None
        rules = self.rulebook.of(host.site, work)
        if rules is not None and host.uncompiled:
            self._compiled(host, rules)
            return host.next_at <= now, rules
        return rules is not None, rules

    def refusal(self, host: Host, subject: Queued | Probe, rules: Rules | None, work: Work) -> Refusal | None:
        """Of a URL that must not be requested."""
        if host.gate is RobotsGate.SHUT:
            state, reason = host.verdict
            return Refusal(host=host, subject=subject, state=state, reason=reason)
        if rules is None:
            return None
        work.left -= rules.cost
        if rules.allows(subject.url):
            return None
        return Refusal(host=host, subject=subject, state=REFUSED, reason=ROBOTS)

    def foreign(self, host: Host, now: float, work: Work) -> tuple[bool, ForeignRobots | Refusal | None]:
        """(the host may have its turn, one that may be requested or the refusal of one), by the rules of this host.

        Where these are waited for, because its own robots.txt lies elsewhere, they decide nothing: else two hosts whose
        robots.txt lie on each other would wait for ever.
        """
        if not host.foreign_robots:
            return True, None
        foreign = host.foreign_robots[0]
        ready, rules = self.rules(host, now, work) if foreign.ruled else (True, None)
        if not ready:
            return False, None
        host.foreign_robots.popleft()
        if not foreign.ruled or not (host.gate is RobotsGate.SHUT or (rules and not rules.allows(foreign.url))):
            host.foreign_done = True
            return True, foreign
        state, reason = host.verdict if host.gate is RobotsGate.SHUT else (REFUSED, ROBOTS)
        return True, Refusal(host=host, subject=foreign, state=state, reason=reason)


def own_first(host: Host) -> bool:
    """Errands for other hosts are done in turn with its own pages."""
    own = host.foreign_done and host.gate is not RobotsGate.READING and bool(host.probes or host.heap or host.more)
    host.foreign_done = host.foreign_done and not own
    return own
