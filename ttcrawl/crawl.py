"""The crawl process: owner of all state and only writer. take -> send -> receive -> settle -> commit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ttcrawl import robots
from ttcrawl.clock import Clock
from ttcrawl.config import Config
from ttcrawl.frontier.frontier import Frontier, Turn
from ttcrawl.frontier.host import Host, Queued
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.priority import priority
from ttcrawl.frontier.retry import again_after
from ttcrawl.frontier.seen import Seen
from ttcrawl.messages import PAGE, ROBOTS, Broken, Failed, Fetched, Link, Moved, Page, Robots
from ttcrawl.ring import Launcher
from ttcrawl.stats.counters import Counters, Snapshot
from ttcrawl.stats.growth import next_sample
from ttcrawl.store.sqlite import Store
from ttcrawl.url import host, key

#: RFC 9309 section 2.3.1.2: at least five redirects of a robots.txt are to be followed.
ROBOTS_HOPS = 5

#: Longest time the main loop sleeps, seconds: how soon it sees a Ctrl-C or a limit of time.
TICK = 0.2


#: A request is handed out so much before its moment, seconds: what a message and the preparation of a request take.
#: The fetch process lets no packet leave before the moment itself.
LEAD = 1e-3


class CrawlFailedError(Exception):
    """The crawl cannot go on; the message is one line that says why and what to do."""


@dataclass(slots=True, kw_only=True)
class Flight:
    """A turn that was taken and whose outcome is not known yet."""

    turn: Turn
    depth: int  # as the parse process knows it
    fetched: Fetched | None = None


class Crawl:
    """One run of a crawl. `look` is called now and then with the state of things."""

    def __init__(
        self, config: Config, store: Store, ring: Launcher, clock: Clock, look: Callable[[Snapshot], None]
    ) -> None:
        self._config = config
        self._store = store
        self._ring = ring
        self._clock = clock
        self._look = look
        self.counters = Counters()
        self._seen = Seen(config.seen)
        self._ledger = Ledger(
            store,
            self._seen,
            priority(config.frontier),
            max_depth=config.crawl.max_depth,
            max_hops=config.scope.max_redirects,
            follow_all=config.links.follow == "all",
        )
        self._frontier = self._ledger.frontier = Frontier(
            config.politeness, config.frontier, self._ledger.load, self._refuse
        )
        self._flights: dict[int, Flight] = {}
        self._token = 0
        self._next_sample = 0
        self._asked: set[Host] = set()  # since the last commit
        self._uncommitted = 0
        self._committed_at = self._started = clock()
        self.stopped_by = ""  # "", or what makes the crawl end with work left

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self, seeds: list[Link]) -> None:
        """Crawl until nothing is queued, a limit is reached or `stop` is called. Raises CrawlFailedError."""
        self._ring.ready()
        self._started = self._committed_at = self._clock()
        self._ledger.meet(seeds, None, self._clock())
        self._sample()
        while not self._over():
            self._send()
            for message in self._ring.receive(self._pause()):
                self._settle(message)
            self._commit_when_due()
            self._look(self.snapshot())
        self._sample()
        self._commit()

    def stop(self, why: str) -> None:
        """Begin nothing new; what is in flight is still settled."""
        self.stopped_by = self.stopped_by or why

    def _over(self) -> bool:
        limits = self._config.crawl
        if 0 < limits.max_time <= self._clock() - self._started:
            self.stop("max_time")
        if 0 < limits.max_pages <= self.counters.pages:
            self.stop("max_pages")
        if self._flights:
            return False
        if self._frontier.queued == 0:
            self.stopped_by = ""  # the limit fell together with the end
            return True
        return bool(self.stopped_by)

    def _send(self) -> None:
        while not self.stopped_by and self._ring.room() and not self._enough():
            turn = self._frontier.take(self._clock() + LEAD)
            if turn is None:
                return
            self._token += 1
            self._flights[self._token] = Flight(turn=turn, depth=turn.depth)
            kind = PAGE if turn.queued else ROBOTS
            self._ring.launch(self._token, kind, turn.url, turn.depth, turn.host.next_at)

    def _enough(self) -> bool:
        """What is in flight may bring as many pages as are wanted."""
        limit = self._config.crawl.max_pages
        return 0 < limit <= self.counters.pages + sum(1 for each in self._flights.values() if each.turn.queued)

    def _pause(self) -> float:
        """Seconds until something is to be done that no message announces."""
        now = self._clock()
        moments = [now + TICK]
        if self._uncommitted:
            moments.append(self._committed_at + self._config.store.commit_seconds)
        if not self.stopped_by and self._ring.room():
            moments.append(self._frontier.next_moment() - LEAD)
        return min(moments) - now

    # -- what came of it ------------------------------------------------------------------------------------------

    def _settle(self, message: Any) -> None:
        if isinstance(message, Broken):
            raise CrawlFailedError(message.what)
        flight = self._flights[message.token]
        if isinstance(message, Fetched):
            flight.fetched = message
            self._visited(flight, message.started, message.ended, message.status, "", message)
            return
        if isinstance(message, Failed) and message.stage == "fetch":
            self._visited(flight, message.started, message.ended, None, message.reason, None)
        del self._flights[message.token]
        turn = flight.turn
        if turn.asker is not None:
            self._robots(turn.asker, flight, message)
        elif turn.queued is not None:
            self._url(turn.host, turn.queued, flight, message)
        self._frontier.release(turn.host, flight.fetched.ended if flight.fetched else message.ended)
        self._uncommitted += 1

    def _visited(
        self, flight: Flight, started: float, ended: float, status: int | None, reason: str, fetched: Fetched | None
    ) -> None:
        turn = flight.turn
        size, address = (fetched.body_size, fetched.address) if fetched else (0, "")
        self._store.add_visit(
            (turn.host.site, turn.url, PAGE if turn.queued else ROBOTS, started, ended, status, reason, size, address)
        )
        if turn.queued is not None:
            turn.queued.attempts += 1
        turn.host.address = address or turn.host.address
        turn.host.failures += status is None
        self._asked.add(turn.host)
        self.counters.bytes += size

    def _url(self, at: Host, queued: Queued, flight: Flight, outcome: Page | Moved | Failed) -> None:
        status = flight.fetched.status if flight.fetched else 0
        reason = outcome.reason if isinstance(outcome, Failed) else f"http {status}"
        fetch = self._config.fetch
        wait = again_after(reason, queued.attempts, retries=fetch.retries, wait=fetch.retry_wait)
        now = self._clock()
        if wait is not None:
            self.counters.retries += 1
            self._store.put_off(queued.id, queued.attempts, now + wait)
            self._frontier.put_off(at, queued, now + wait)
        elif isinstance(outcome, Failed):
            self._failed(at, queued, reason)
        elif isinstance(outcome, Moved):
            self._moved(at, queued, outcome, status, now)
        else:
            self._page(at, queued, flight, outcome, now)

    def _failed(self, at: Host, queued: Queued, reason: str) -> None:
        self.counters.failed += 1
        self.counters.errors[reason] += 1
        self._ledger.settle(at, queued, "failed", reason, self._clock())

    def _moved(self, at: Host, queued: Queued, moved: Moved, status: int, now: float) -> None:
        if moved.target is None:
            self._failed(at, queued, "redirect to no http URL")
            return
        self.counters.moved += 1
        self._ledger.settle(at, queued, "moved", f"http {status}", now)
        link = moved.target
        self._store.add_page(queued.id, now, status, moved)
        self._store.add_outlinks(queued.id, f"[{link.key}]", b"R", b"c")
        self._ledger.meet([_nearer(link, link.distance - queued.depth)], queued.id, now, hops=queued.hops + 1)

    def _page(self, at: Host, queued: Queued, flight: Flight, page: Page, now: float) -> None:
        fetched = flight.fetched
        assert fetched is not None
        if fetched.whole:
            self._ledger.settle(at, queued, "fetched", f"http {fetched.status}", now)
            self.counters.pages += 1
        else:
            self._ledger.settle(at, queued, "refused", "too large", now)
        self.counters.found += page.found
        self.counters.parse_errors += bool(page.parse_error)
        if fetched.status >= 400:
            self.counters.errors[f"http {fetched.status}"] += 1
        self._store.add_page(queued.id, now, fetched.status, page)
        if page.kinds:
            self._store.add_outlinks(queued.id, page.targets, page.kinds, page.regions)
        nearer = flight.depth - queued.depth  # a shorter way here was found while the page was in flight
        links = [_nearer(each, nearer) for each in page.links] if nearer else page.links
        self._ledger.meet(links, queued.id, now)
        if nearer:
            self._ledger.spread(queued.id, queued.depth)
        if self.counters.pages >= self._next_sample:
            self._sample()

    def _refuse(self, queued: Queued, state: str, reason: str) -> None:
        at = self._frontier.hosts[host(queued.url)]
        if state == "failed":
            self.counters.failed += 1
            self.counters.errors[reason] += 1
        self._ledger.settle(at, queued, state, reason, self._clock())
        self._uncommitted += 1

    # -- robots.txt -----------------------------------------------------------------------------------------------

    def _robots(self, asker: Host, flight: Flight, outcome: Robots | Moved | Failed) -> None:
        """RFC 9309 section 2.3.1: 2xx is read, 4xx means there is none; no answer and 5xx: nothing is allowed."""
        status = flight.fetched.status if flight.fetched else None
        reason = outcome.reason if isinstance(outcome, Failed) else f"http {status}"
        if flight.fetched and not flight.fetched.whole:
            status, reason = 500, "too large"  # what it forbids is not known, so all of it is
        if isinstance(outcome, Moved):
            if outcome.target is not None and asker.robots_hops < ROBOTS_HOPS:
                target = outcome.target
                self._frontier.robots_moved(
                    asker, self._ledger.host(target.host, self._ledger.site_of(target.host)), target.url
                )
                return
            status = 404  # as if there were none: section 2.3.1.2
        if status is not None and status < 500 and status != 429:
            text = outcome.text if isinstance(outcome, Robots) else ""
            self._robots_read(asker, text, flight.turn.url, status)
            return
        asker.robots_attempts += 1
        fetch = self._config.fetch
        wait = again_after(reason, asker.robots_attempts, retries=fetch.retries, wait=fetch.retry_wait)
        if wait is not None:
            self.counters.retries += 1
            self._frontier.robots_again(asker, self._clock() + wait)
            return
        self._store.update_site(
            asker.site, robots_url=flight.turn.url, robots_status=status, robots_reason=reason, robots_at=self._clock()
        )
        # a host that cannot be reached would not answer for its pages either; one that answers 5xx forbids them
        state = "failed" if status is None else "refused"
        self._frontier.robots_unreadable(asker, state, reason if status is None else f"robots.txt: {reason}")

    def _robots_read(self, asker: Host, text: str, url: str, status: int) -> None:
        rules = robots.parse(text, self._config.agent.name, self._config.politeness.robots) if text else None
        delay, origin = self._frontier.delay_of(rules)
        self._frontier.robots_read(asker, rules)
        self._store.update_site(
            asker.site,
            robots_url=url,
            robots=text,
            robots_status=status,
            robots_at=self._clock(),
            delay=delay,
            delay_from=origin,
        )

    # -- keeping it -----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        counters, frontier = self.counters, self._frontier
        return Snapshot(
            seconds=self._clock() - self._started,
            pages=counters.pages,
            moved=counters.moved,
            found=counters.found,
            distinct_urls=self._ledger.distinct,
            queued=frontier.queued,
            in_flight=len(self._flights),
            hosts_held=frontier.held,
            hosts_waiting=frontier.waiting,
            errors=counters.errors.total(),
            retries=counters.retries,
            bytes=counters.bytes,
        )

    def _sample(self) -> None:
        now = self.snapshot()
        self._store.add_growth((now.pages, now.seconds, now.found, now.distinct_urls, now.queued, now.bytes))
        self._next_sample = next_sample(now.pages)

    def _commit_when_due(self) -> None:
        settings = self._config.store
        if self._uncommitted >= settings.commit_pages or (
            self._uncommitted and self._clock() - self._committed_at >= settings.commit_seconds
        ):
            self._commit()

    def _commit(self) -> None:
        """One transaction: what was settled, met and visited, and where every host's clock stands."""
        for asked in self._asked:
            self._store.update_site(asked.site, next_at=asked.next_at, address=asked.address, failures=asked.failures)
        self._asked.clear()
        figures = self._seen.figures
        self._store.set(
            seconds=round(self._clock() - self._started, 6),
            seen_tests=figures.tests,
            seen_maybe=figures.maybe,
            seen_false=figures.false,
        )
        self._store.commit()
        self._uncommitted, self._committed_at = 0, self._clock()


def _nearer(link: Link, by: int) -> Link:
    """The same link, its distance shorter by so much."""
    if link.distance >= 1 << 30 or not by:
        return link
    return Link(url=link.url, key=link.key, host=link.host, distance=link.distance - by, refused=link.refused)


def seed_links(urls: list[str], refusal: Callable[[str], str]) -> list[Link]:
    """Canonical seed URLs as links at distance 0."""
    return [Link(url=url, key=key(url), host=host(url), distance=0, refused=refusal(url)) for url in urls]
