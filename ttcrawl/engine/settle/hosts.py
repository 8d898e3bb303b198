"""How outcomes change a host: its addresses and its robots.txt."""

from __future__ import annotations

from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.backoff import DAY
from ttcrawl.frontier.foreign import link_to
from ttcrawl.frontier.host import ForeignRobots, Host, RobotsGate, verdict
from ttcrawl.frontier.retry import again_after
from ttcrawl.frontier.robots_relay import RobotsAnswer, RobotsRelay
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.frontier.version import NO_VERSION, Version, version
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Failed, Fetched, Link, LookUp, Moved, Resolved, Robots
from ttcrawl.store.rows import UrlPath
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import BLOCKED_ADDRESS, BROKEN_CODING, HTTP, Code, family, filled
from ttcrawl.web.networks import is_address
from ttcrawl.web.robots.paths import is_robots, path_of
from ttcrawl.web.url import registrable_domain, split_port

#: Seconds until the next request for a robots.txt that was read before and could not be read again.
ASK_AGAIN = 3600.0

#: Seconds that addresses stay valid which could not be looked up again (RFC 8767 section 4: serve stale).
STALE = 30.0

#: The path to a robots.txt.
SEED = UrlPath(0, 0, 0, 0, 0)

#: Redirects of a robots.txt that are followed: at least five, by RFC 9309 section 2.3.1.2.
ROBOTS_HOPS = 5


def _may_lead(asker: Host, target: Link) -> bool:
    """Whether a robots.txt may redirect to this URL.

    Any host may be the target for /robots.txt, which crawlers request anyway. Another path needs the same registrable
    domain: otherwise a server could direct our requests anywhere.
    """
    return is_robots(path_of(target.url)) or registrable_domain(target.host) == registrable_domain(asker.name)


class HostSettler:
    def __init__(self, shared: Shared) -> None:
        self._config = shared.config
        self._store = shared.store
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._counters = shared.counters
        self._clock = shared.clock

    # -- addresses ------------------------------------------------------------------------------------------------

    def look_up_ended(self, host: Host, answer: Resolved | Failed) -> None:
        """Set the addresses of a host. After a failure, look them up again, or keep the known ones."""
        now = self._clock()
        if isinstance(answer, Resolved):
            self._frontier.resolved(host, answer.addresses, now + self._config.fetch.dns_ttl)
            name = split_port(host.name)[0]
            if self._config.archive.dns and not is_address(name.strip("[]")):
                host.look_up = LookUp(host=name, addresses=answer.addresses, moment=now)
            return
        fetch = self._config.fetch
        wait = again_after(answer.reason, host.lookups + 1, retries=fetch.retries, wait=fetch.retry_wait)
        if wait is not None:
            self._counters.retries += 1
            self._frontier.look_up_again(host, now + wait)
        elif host.addresses and answer.reason != BLOCKED_ADDRESS:
            self._frontier.resolved(host, host.addresses, now + STALE)
        else:
            self._unresolved(host, answer.reason, now)

    def _unresolved(self, host: Host, reason: Code, now: float) -> None:
        """Give up a host without addresses for this run.

        If another host's robots.txt redirects here, the host is looked up once more: without an address it has no
        address clock.
        """
        self._drop_foreign_robots(host, reason)
        host.resolved_until = 0.0
        if host.gate is RobotsGate.UNREAD:
            self._store.sites.update(host.site, robots_status=None, robots_reason=reason, robots_time=now)
        self._frontier.robots_unreadable(host, *verdict(None, reason))

    def _drop_foreign_robots(self, host: Host, reason: Code, *, last: bool = False) -> None:
        """Fail the robots.txt of other hosts that redirect to this host, which gives no answer."""
        while host.foreign_robots:
            foreign = host.foreign_robots.popleft()
            self._robots_not_read(foreign.asker, foreign.url, None, reason, last=last)

    def _silent(self, host: Host) -> bool:
        """Whether a host had too many incidents in a row without an answer to wait for it."""
        return host.backoff.silent >= self._config.politeness.give_up and host.backoff.until > self._clock()

    # -- robots.txt -----------------------------------------------------------------------------------------------

    def process(self, flight: Flight[Turn], outcome: Robots | Moved | Failed) -> None:
        """RFC 9309 section 2.3.1: 2xx is read, 4xx means that it does not exist, no answer or 5xx forbids all."""
        asker = flight.turn.asker
        assert asker is not None
        status = flight.fetched.status if flight.fetched and not isinstance(outcome, Failed) else None
        reason = outcome.reason if isinstance(outcome, Failed) else filled(HTTP, status)
        if flight.uncounted:
            if self._relay is None or not self._relay.drop(asker):
                self._frontier.robots_again(asker, self._clock())
            return
        if isinstance(outcome, Robots) and flight.fetched and flight.fetched.incomplete:
            status, reason = self._incomplete(flight.fetched)
        if status == 304 and asker.robots.version.condition(flight.turn.url):
            self._robots_unchanged(asker)
            return
        if isinstance(outcome, Robots) and outcome.text is None:
            status, reason = 500, BROKEN_CODING  # its rules are unknown, so everything is forbidden
        if isinstance(outcome, Moved):
            asker.robots.redirect = status or 0
            if outcome.target is not None and asker.robots.hops < ROBOTS_HOPS and _may_lead(asker, outcome.target):
                self._robots_moved(asker, outcome.target, flight.turn.url)
                return
        # a redirect that is not followed counts as not existing too: section 2.3.1.2
        if status is not None and status < 500 and status != 429:
            if isinstance(outcome, Robots) and 200 <= status < 300:
                robots_version = version(flight.turn.url, outcome.etag, outcome.last_modified, self._clock())
                self._robots_read(asker, outcome.text or "", flight.turn.url, status, robots_version)
            else:
                self._robots_read(asker, "", flight.turn.url, status)
            if isinstance(outcome, Robots):
                self._ledger.discover(outcome.sitemaps, None, self._clock())
            return
        host = flight.turn.host
        last = host is not asker and self._silent(host)
        self._robots_not_read(asker, flight.turn.url, status, reason, last=last)
        if last:
            self._drop_foreign_robots(host, reason, last=True)

    def _incomplete(self, fetched: Fetched) -> tuple[int | None, Code]:
        """Return status and reason of an incomplete answer: only errors count, because their head suffices."""
        if 200 <= fetched.status < 300:
            return None, fetched.incomplete
        return fetched.status, filled(HTTP, fetched.status)

    @property
    def _relay(self) -> RobotsRelay | None:
        return self._ledger.relay

    def robots_wanted(self, asker: str, url: str, source: str) -> None:
        """Request a robots.txt of a host of ours, to which the robots.txt of another ring's host redirects."""
        host = self._ledger.host(asker, self._ledger.site_of(asker))
        host.robots.hops = host.robots.redirect = 0  # those are known where it belongs
        self._follow(host, link_to(url, "", SEED), source)

    def robots_answered(self, asker: Host, answer: RobotsAnswer) -> None:
        """Process what another ring has requested for a host of ours."""
        status = answer.status or asker.robots.redirect  # its target may not be requested: no status
        if answer.target:
            asker.robots.redirect = status
            target = link_to(answer.target, "", SEED)
            if asker.robots.hops < ROBOTS_HOPS and _may_lead(asker, target):
                self._robots_moved(asker, target, answer.url)
            else:
                self._robots_read(asker, "", answer.url, status)
        elif answer.text is not None:
            self._robots_read(asker, answer.text, answer.url, status, answer.version)
        else:
            self._robots_not_read(asker, answer.url, answer.status, answer.reason, last=answer.last)

    def _robots_moved(self, asker: Host, target: Link, source: str) -> None:
        if self._relay is not None:
            if self._relay.answer(asker, RobotsAnswer(url=source, target=target.url, status=asker.robots.redirect)):
                return
            if self._relay.is_foreign(target.host):
                asker.robots.hops += 1
                self._relay.follow(asker, target.url, source)
                return
        self._follow(asker, target, source)

    def _follow(self, asker: Host, target: Link, source: str) -> None:
        host = self._ledger.host(target.host, self._ledger.site_of(target.host))
        if host is not asker and self._silent(host):
            self._robots_not_read(asker, target.url, None, Code(host.backoff.origin), last=True)
        else:
            self._frontier.robots_moved(asker, host, target.url, source)

    def refuse(self, refusal: Refusal) -> None:
        """Process a foreign robots.txt that its host's rules forbid, or whose host's rules are unknown."""
        foreign = refusal.subject
        assert isinstance(foreign, ForeignRobots)
        if refusal.host.gate is RobotsGate.SHUT:
            self._robots_not_read(foreign.asker, foreign.source, None, refusal.reason, last=True)
        else:
            self._robots_read(foreign.asker, "", foreign.source, foreign.asker.robots.redirect)

    def _robots_not_read(self, asker: Host, url: str, status: int | None, reason: Code, *, last: bool) -> None:
        """Request robots.txt again, with growing waits while it answers; then keep the last rules, or allow nothing."""
        answer = RobotsAnswer(url=url, status=status, reason=reason, last=last)
        if self._relay is not None and self._relay.answer(asker, answer):
            return
        now, politeness = self._clock(), self._config.politeness
        asker.robots.attempts += 1
        wait: float | None
        if family(reason) is Family.HTTP:
            asker.robots.failing = asker.robots.failing or now
            failing = now - asker.robots.failing
            if failing >= politeness.robots_absent_after:
                self._robots_read(asker, "", url, status or 0)
                return
            remaining = min(politeness.robots_patience, politeness.robots_absent_after) - failing
            wait = min(politeness.backoff * 2 ** (asker.robots.attempts - 1), DAY, remaining) if remaining > 0 else None
        else:
            fetch = self._config.fetch
            wait = again_after(reason, asker.robots.attempts, retries=fetch.retries, wait=fetch.retry_wait)
        if wait is not None and not last:
            self._counters.retries += 1
            self._frontier.robots_again(asker, now + wait)
        elif asker.robots.until <= now:
            asker.robots.unused = True
            self._frontier.keep_robots(asker, now + min(ASK_AGAIN, politeness.robots_max_age))
        else:
            self._store.sites.update(
                asker.site, robots_url=url, robots_status=status, robots_reason=reason, robots_time=now
            )
            self._frontier.robots_unreadable(asker, *verdict(status, reason))

    def _robots_unchanged(self, asker: Host) -> None:
        """Keep the rules that were read last, as if they had been read now."""
        now = self._clock()
        asker.robots.failing = 0.0
        asker.robots.attempts = 0
        asker.robots.unused = True
        self._frontier.keep_robots(asker, now + self._config.politeness.robots_max_age)
        self._store.sites.update(asker.site, robots_time=now)

    def _robots_read(self, asker: Host, text: str, url: str, status: int, robots_version: Version = NO_VERSION) -> None:
        answer = RobotsAnswer(url=url, text=text, status=status, version=robots_version)
        if self._relay is not None and self._relay.answer(asker, answer):
            return
        asker.robots.failing = 0.0
        asker.robots.version = robots_version
        asker.robots.unused = True
        until = self._clock() + self._config.politeness.robots_max_age
        self._frontier.robots_read(asker, text, until)
        self._store.sites.add_robots(asker.site, self._clock(), url, status, text)
        self._store.sites.update(
            asker.site,
            robots_url=url,
            robots=text,
            robots_status=status,
            robots_time=self._clock(),
            robots_etag=robots_version.etag,
            robots_modified=robots_version.modified,
            delay=asker.delay,
            delay_from=asker.delay_from,
        )
