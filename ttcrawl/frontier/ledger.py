"""Every URL ever met has one row, one state and one reason: here they are decided."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache

from ttcrawl.frontier.backoff import Backoff
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host, Queued, verdict
from ttcrawl.frontier.priority import Priority
from ttcrawl.frontier.seen import Seen
from ttcrawl.frontier.version import version
from ttcrawl.messages import NOT_FOLLOWED, Link
from ttcrawl.robots import Rules
from ttcrawl.store.sqlite import Row, Store
from ttcrawl.url import host, registrable_domain

OUTSIDE, NOFOLLOW, DEEP, HOPS, MANY = "outside content", "nofollow", "depth", "redirects", "trap: urls"

#: Sites looked at in one go when hosts are taken into memory.
WAKE = 1000

#: Hosts that are taken into memory in one go.
AT_ONCE = 2000

#: Reasons that hold for one way to a URL and not for another.
OF_THE_WAY = frozenset({OUTSIDE, NOFOLLOW, DEEP, HOPS, MANY})


def state_of(host: Host) -> dict[str, object]:
    """What the row of a host has to keep of it."""
    return {
        "next_at": max(host.next_at, 0.0),
        "delay": host.delay,
        "delay_from": host.delay_from,
        "address": host.connected,
        "failures": host.failures,
        "robots_failing": host.robots_failing,
        "silent": host.backoff.silent,
        "backoff": host.backoff.seconds,
        "backoff_until": host.backoff.until,
        "backoff_from": host.backoff.origin,
    }


class Ledger:
    """Meets URLs and settles them. `last_id` is that of the last URL met, `distinct` how many there are."""

    def __init__(
        self,
        store: Store,
        seen: Seen,
        priority: Priority,
        rules: Callable[[str], Rules | None],
        *,
        robots_max_age: float,
        max_depth: int,
        max_hops: int,
        follow_all: bool,
        scope_at: Callable[[str, int], str] | None = None,
    ) -> None:
        """`scope_at` is the reason of scope for a URL at a depth, where rules depend on that; links come with what
        holds at every depth."""
        self._scope_at = scope_at
        self._store = store
        self._rules = rules
        self._unknown_until = float("-inf")
        self._woken = 0  # the site up to which hosts were woken in this round
        self._seen = seen
        self._priority = priority
        self._max_age = robots_max_age
        self._max_depth = max_depth
        self._max_hops = max_hops
        self._follow_all = follow_all
        self.last_id = self.distinct = store.last_id()
        self.site_of = lru_cache(maxsize=100_000)(self._site_of)
        self.frontier: Frontier  # set by the crawl: the two know each other

    # -- meeting --------------------------------------------------------------------------------------------------

    def meet(self, links: Iterable[Link], found_on: int | None, now: float, hops: int = 0) -> None:
        """Give every URL that is new a row; others may have become nearer."""
        rows: list[tuple[object, ...]] = []
        pushed: list[tuple[Link, Queued]] = []
        for link in links:
            key = link.key
            if not self._seen.surely_new(link.key):
                self._store.add_urls(rows)  # the index must know what came before on this page
                rows.clear()
                key, row = self._find(link)
                if row is not None:
                    if self._met_again(row, link.distance, hops, refused=link.refused):
                        self.spread(row.id)
                    continue
                if key == link.key:
                    self._seen.was_new()
                else:
                    self._seen.surely_new(key)  # another URL has its key: this one takes the next, which is seen now
            made, queued = self._new(link, key, found_on, now, hops)
            rows.append(made)
            if queued is not None:
                pushed.append((link, queued))
        self._store.add_urls(rows)  # before pushing, which may look for what is queued in the database
        for link, queued in pushed:
            self._push(link.host, self.site_of(link.host), queued)

    def _find(self, link: Link) -> tuple[int, Row | None]:
        """The row of a URL, and the key it has or is to have: the next free one, should two URLs share a hash."""
        key = link.key
        while (row := self._store.find(key)) is not None and row.url != link.url:
            key += 1
        return key, row

    def _new(
        self, link: Link, key: int, found_on: int | None, now: float, hops: int
    ) -> tuple[tuple[object, ...], Queued | None]:
        self.last_id += 1
        self.distinct += 1
        site = self.site_of(link.host)
        refused = link.refused or self._refusal(link.url, link.distance, hops)
        depth = None if link.distance == NOT_FOLLOWED else link.distance
        priority = self._priority(link.url, depth or 0)
        state, settled = ("refused", now) if refused else ("queued", None)
        row = (self.last_id, key, link.url, site, state, refused, depth, priority, hops, found_on, now, settled)
        if refused:
            return row, None
        queued = Queued(id=self.last_id, url=link.url, depth=link.distance, priority=priority, hops=hops)
        return row, queued

    def _refusal(self, url: str, distance: int, hops: int) -> str:
        if distance == NOT_FOLLOWED:
            return OUTSIDE
        if 0 <= self._max_depth < distance:
            return DEEP
        if hops > self._max_hops:
            return HOPS
        return self._scope_at(url, distance) if self._scope_at else ""

    def _of_the_way(self, reason: str) -> bool:
        return reason in OF_THE_WAY or (self._scope_at is not None and reason.startswith("scope: "))

    def _met_again(self, row: Row, distance: int, hops: int, *, refused: str = "") -> bool:
        """A URL is met on another way: a reason that held only for the old way may fall, depth and hops may shrink.

        True when the URL is settled and has become nearer, so that its links have to be told.
        """
        of_the_way = row.state == "refused" and self._of_the_way(row.reason)
        if of_the_way and not refused and not self._refusal(row.url, distance, hops):
            self._requeue(row, distance, hops)
            return False
        depth = row.depth if distance == NOT_FOLLOWED or (row.depth is not None and row.depth <= distance) else distance
        hops = min(hops, row.hops) if distance != NOT_FOLLOWED else row.hops
        if depth is None or (depth, hops) == (row.depth, row.hops):
            return False
        self._store.shorten(row, depth, self._priority(row.url, depth), hops)
        if row.state == "queued":
            self.frontier.shorten(host(row.url), row.id, depth, hops)
        return row.state in ("fetched", "moved")

    def _requeue(self, row: Row, distance: int, hops: int) -> None:
        priority = self._priority(row.url, distance)
        self._store.requeue(row.id, distance, priority, hops)
        queued = Queued(id=row.id, url=row.url, depth=distance, priority=priority, hops=hops, attempts=row.attempts)
        self._push(host(row.url), row.site, queued)

    def spread(self, source: int) -> None:
        """A settled URL has become nearer: so its links are nearer too.

        So a URL's depth is the length of the shortest way to it however the answers were timed, and a limit on depth
        cuts the same URLs in every crawl.
        """
        followed = "ce" if self._follow_all else "c"
        nearer = deque([source])  # breadth first, or a URL would become nearer many times
        while nearer:
            at = self._store.row(nearer.popleft())
            if at.depth is None:
                continue
            for key, kind, region in list(self._store.outlinks(at.id)):
                row = self._store.find(key)
                if row is None or region not in followed:
                    continue
                distance, hops = (at.depth, at.hops + 1) if kind == "R" else (at.depth + 1, 0)
                if self._met_again(row, distance, hops, refused=self._scope_of(row)):
                    nearer.append(row.id)

    def _scope_of(self, row: Row) -> str:
        """Why a URL is refused whatever the way to it; "" when it is not."""
        if row.state != "refused" or row.reason in OF_THE_WAY:
            return ""
        if self._scope_at is not None and row.reason.startswith("scope: "):
            return self._scope_at(row.url, 0)
        return row.reason

    # -- settling -------------------------------------------------------------------------------------------------

    def settle(self, at: Host, queued: Queued, state: str, reason: str, now: float) -> None:
        self._store.settle(queued.id, state, reason, now, queued.attempts)
        self.frontier.settled(at, queued)

    def load(self, site: int, limit: int) -> list[Queued]:
        """The first queued URLs of a site."""
        return [
            Queued(
                id=row.id,
                url=row.url,
                depth=row.depth or 0,
                priority=row.priority,
                hops=row.hops,
                attempts=row.attempts,
                due=row.due,
            )
            for row in self._store.queued(site, limit)
        ]

    # -- hosts ----------------------------------------------------------------------------------------------------

    def _push(self, name: str, site: int, queued: Queued) -> None:
        if name in self.frontier.hosts:
            self.frontier.push(self.frontier.hosts[name], queued)
        elif not self.frontier.hosts.crowded(name) and self.frontier.hosts.room(1):
            self.frontier.queued += 1
            self.host(name, site)  # which brings this URL with it, its row being there
        else:
            self.frontier.push_asleep(name)

    def host(self, name: str, site: int) -> Host:
        """The host in memory, with what is known of it from before, its queued URLs included."""
        known = self.frontier.hosts.get(name)
        if known is not None:
            return known
        row = self._store.site_by_id(site)
        made = self.frontier.new_host(site, name, not_before=row.next_at)
        made.connected, made.failures = row.address, row.failures
        made.backoff = Backoff(
            seconds=row.backoff_seconds, until=row.backoff_until, origin=row.backoff_from, silent=row.silent
        )
        if row.robots is not None:
            self.frontier.robots_read(made, self._rules(row.robots), (row.robots_at or 0.0) + self._max_age)
            made.robots_version = version(row.robots_url, row.robots_etag, row.robots_modified)
        elif row.robots_at is not None and row.robots_at > self._unknown_until:  # an earlier run's is asked for again
            self.frontier.robots_unreadable(made, *verdict(row.robots_status, row.robots_reason))
        made.robots_failing = row.robots_failing
        made.ended = self._unknown_until
        self.frontier.wake(made)
        return made

    def forget(self, host: Host) -> None:
        """A host leaves memory: what the frontier knows of it is kept in its row."""
        self._store.update_site(host.site, **state_of(host))

    def resume(self, now: float) -> None:
        """Take up what earlier runs left queued.

        If the last run was killed there have been exchanges that are not in the tables. So that no delay is broken,
        every host is treated as if its last exchange had ended now.
        """
        self._unknown_until = self.frontier.unknown_until = now
        self.frontier.asleep = True
        self.wake_more()

    def wake_more(self) -> None:
        """Take hosts that have queued URLs into memory, as many as there is room for, all in turn."""
        hosts = self.frontier.hosts
        room, looked_at_all, crowded = hosts.room(AT_ONCE), self._woken == 0, False
        while room > 0:
            rows = self._store.sites_with_queue(self._woken, WAKE)
            for site, name in rows:
                self._woken = site
                if name in hosts:
                    continue
                if hosts.crowded(name):
                    crowded = True
                    continue
                self.host(name, site)
                room -= 1
                if room == 0:
                    return
            if len(rows) < WAKE:  # the end of the round
                self._woken = 0
                if looked_at_all:
                    self.frontier.asleep, hosts.vacancy = crowded, not crowded
                    return
                looked_at_all = True

    def _site_of(self, name: str) -> int:
        row = self._store.site(name)
        return row.id if row else self._store.add_site(name, registrable_domain(name))
