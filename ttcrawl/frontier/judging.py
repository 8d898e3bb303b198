"""Whether a queued URL may be asked for, now that its turn has come."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.frontier.delays import Delays
from ttcrawl.frontier.host import Errand, Gate, Host, Queued
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.work import Work
from ttcrawl.vocabulary.reason import ROBOTS, Code
from ttcrawl.vocabulary.state import REFUSED, State
from ttcrawl.web.robots import Rules

#: What `unwanted` says of a URL that has been given another place in the queue, which its row says.
PUT_LAST = Code("put last")


class Judging:
    """`unwanted` is that of the frontier; `no_errand(errand, host)` is told of an errand that must not be done: the
    rules of its host forbid it, or could not be read."""

    def __init__(
        self,
        rulebook: Rulebook,
        delays: Delays,
        unwanted: Callable[[Host, Queued], Code],
    ) -> None:
        self.rulebook = rulebook
        self._delays = delays
        self._unwanted = unwanted
        self.no_errand: Callable[[Errand, Host], None]  # set by the crawl

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
        if not host.ruled or host.gate is not Gate.OPEN:
            return True, None
        rules = self.rulebook.of(host.site, work)
        if rules is not None and host.uncompiled:
            self._compiled(host, rules)
            return host.next_at <= now, rules
        return rules is not None, rules

    def refusal(self, host: Host, queued: Queued, rules: Rules | None, work: Work) -> tuple[State, Code] | None:
        """State and reason of a URL that is not to be asked for, ("", PUT_LAST) of one that is not yet; None: it is."""
        if host.gate is Gate.SHUT:
            return host.verdict
        if rules is not None:
            work.left -= rules.cost
            if not rules.allows(queued.url):
                return REFUSED, ROBOTS
        reason = self._unwanted(host, queued)
        if not reason:
            return None
        return REFUSED, reason

    def errand(self, host: Host, now: float, work: Work) -> tuple[bool, Errand | None]:
        """(the host may have its turn, an errand that may be done), by the rules of this host.

        Where these are waited for, because its own robots.txt lies elsewhere, they decide nothing: else two hosts whose
        robots.txt lie on each other would wait for ever.
        """
        while host.errands:
            errand = host.errands[0]
            ready, rules = self.rules(host, now, work) if errand.ruled else (True, None)
            if not ready:
                return False, None
            host.errands.popleft()
            if not errand.ruled or not (host.gate is Gate.SHUT or (rules and not rules.allows(errand.url))):
                host.errand_done = True
                return True, errand
            self.no_errand(errand, host)
        return True, None


def own_first(host: Host) -> bool:
    """Errands for other hosts are done in turn with its own pages."""
    own = host.errand_done and host.gate is not Gate.READING and bool(host.probes or host.heap or host.more)
    host.errand_done = host.errand_done and not own
    return own
