"""The hosts of queued URLs, in memory with their clocks or in rows of table `site`; and what rows say of URLs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued, queued_of
from ttcrawl.frontier.host_rows import restore, state_of
from ttcrawl.ring.messages import Link
from ttcrawl.store.rows import Row
from ttcrawl.store.sqlite import Store
from ttcrawl.web.url import host, registrable_domain


class SiteHosts:
    """The part of the ledger that knows hosts. The crawl sets `frontier`, because the two refer to each other."""

    frontier: Frontier

    def __init__(self, store: Store, robots_max_age: float) -> None:
        self._store, self._max_age = store, robots_max_age
        self.site_of = lru_cache(maxsize=100_000)(self._site_of)

    def host(self, name: str, site: int) -> Host:
        """Return the host in memory, with its state from earlier and its queued URLs."""
        known = self.frontier.hosts.get(name)
        if known is not None:
            return known
        row = self._store.sites.row(site)
        added = self.frontier.new_host(site, name, not_before=row.next_at)
        restore(self.frontier, added, row, self._max_age)
        self.frontier.wake(added)
        return added

    def forget(self, host: Host) -> None:
        """Store the state of a host that leaves memory in its row."""
        self._store.sites.update(host.site, **state_of(host))

    def load(self, site: int, limit: int) -> list[Queued]:
        """Return the first queued URLs of a site."""
        return [queued_of(row) for row in self._store.urls.queued(site, limit)]

    def find(self, link: Link) -> tuple[int, Row | None]:
        """Return the key and row of a URL; without a row, the next free key, because two URLs may share a hash."""
        key = link.key
        while (row := self._store.urls.find(key)) is not None and row.url != link.url:
            key += 1
        return key, row

    def nearer(self, url: int, than: int) -> bool:
        """Whether an answered URL is nearer than another in depth, redirects, off-domain links or irrelevant pages."""
        own, other = self._store.urls.row(url), self._store.urls.row(than)
        if own.depth is None or other.depth is None:
            return own.depth is not None
        nearer = own.depth < other.depth or own.redirects < other.redirects or own.off_domain < other.off_domain
        return nearer or own.off_topic < other.off_topic

    def queue_again(self, row: Row) -> None:
        """Put a URL into the queue again; its row has this state."""
        self._push(host(row.url), row.site, [queued_of(row)])

    def _push(self, name: str, site: int, queued: Sequence[Queued]) -> None:
        if name in self.frontier.hosts:
            self.frontier.push(self.frontier.hosts[name], *queued)
        elif not self.frontier.hosts.crowded(name) and self.frontier.hosts.room(1):
            self.frontier.queued += len(queued)
            self.host(name, site)  # this loads the URLs too, because their rows exist
        else:
            self.frontier.push_asleep(name, len(queued))

    def _site_of(self, name: str) -> int:
        return self._store.sites.add(name, registrable_domain(name))
