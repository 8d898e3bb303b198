"""Every discovered URL has one row, one state and one reason: this module decides them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec.structs import replace

from ttcrawl.frontier.bounds import Bounds, waits
from ttcrawl.frontier.foreign import ForeignUrls
from ttcrawl.frontier.host import Host, Queued, queued_of
from ttcrawl.frontier.offers import offers, path_of, promised
from ttcrawl.frontier.priority import QueueOrder
from ttcrawl.frontier.robots_relay import RobotsRelay
from ttcrawl.frontier.seen import Seen
from ttcrawl.frontier.site_hosts import SiteHosts
from ttcrawl.ring.messages import Link
from ttcrawl.store.rows import NO_RELEVANCE, NewUrl, Relevance, Row, UrlPath
from ttcrawl.store.sqlite import Store
from ttcrawl.topic.best_first import FULL, handed_down
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import FOREIGN, KIND, NONE, REQUISITE_OFF, UNTIL_RECYCLE, Code, family
from ttcrawl.vocabulary.requisite import on_every_page, refuses_discovery, stronger
from ttcrawl.vocabulary.state import ANSWERED, FETCHED, QUEUED, REFUSED, State
from ttcrawl.web.url import host


class Ledger(SiteHosts):
    """Records discovered URLs and their outcomes. `last_id` is the id of the URL discovered last.

    `aside` counts the URLs discovered only by links of kinds that are not followed: growth figures leave them out.
    `in_scope` counts the URLs that links have put into the queue: it includes URLs that robots.txt forbids, but not
    seeds.
    """

    def __init__(
        self,
        store: Store,
        seen: Seen,
        order: QueueOrder,
        bounds: Bounds,
        *,
        robots_max_age: float,
    ) -> None:
        super().__init__(store, robots_max_age)
        self._bounds, self.scope = bounds, bounds.scope
        self._seen = seen
        self._order = order
        if store.about().get("queue_order") != str(order):  # the configuration has changed
            self.reorder()
        self._has_events = bool(store.about().get("events"))
        self.last_id = store.urls.last_id()
        self.aside = 0
        self.in_scope = 0
        self.refused, self.unrecorded = 0, 0  # URLs refused when discovered, and those of them without a row
        self._rule_id = lru_cache(maxsize=10_000)(store.urls.rule)
        self._key_of = lru_cache(maxsize=1_000)(bounds.key_of)
        self.on_nearer: Callable[[int], None] = _nobody  # called for fetched URLs that come earlier
        self.on_received: Callable[[Row, UrlPath], None] = _nobody  # called for known URLs that another ring sends
        self.foreign: ForeignUrls | None = None  # set in a cluster
        self.relay: RobotsRelay | None = None  # set in a cluster
        self.on_seed_target: Callable[[Link], None] = _nobody  # called for redirects of seeds of other rings

    @property
    def distinct(self) -> int:
        """The number of URLs discovered by links of kinds that are followed, refused URLs included."""
        return self.last_id - self.aside

    def reorder(self) -> None:
        """Put the whole queue into its order, as if no link but those to the seeds had been found. Call it before the
        queue is in memory; then `spread` from every page gives the scores by links."""
        seeds = self._store.about().get("seeds", "").split("\n")
        self._store.urls.reorder(str(self._order), self._order.score, self._order.priority, FULL, seeds)

    # -- discovering URLs -----------------------------------------------------------------------------------------

    def discover(
        self,
        links: Iterable[Link],
        source: Queued | None,
        now: float,
        redirects: int = 0,
        topic: Relevance = NO_RELEVANCE,
    ) -> list[str]:
        """Give every new URL a row, and shorten the paths of others. Return the new URLs that were queued.

        `source` is the page or the redirect; None: the links are seeds, or sitemaps in a robots.txt. A sitemap in an
        index counts as one more redirect. `topic`: how relevant the page is.
        """
        found_on = source.id if source else None
        off_topic = self._bounds.off_topic(source.off_topic, topic.relevant) if source else 0
        order, from_page = self._order, handed_down(topic.relevant, topic.probability, off_topic)
        rows: list[NewUrl] = []
        pushed: list[tuple[Link, Queued]] = []
        new: list[str] = []
        for link in links:
            score = order.score(link.url, promised(link, source, redirects, from_page)) if order.has_scores else 0
            key, path = link.key, path_of(link, source, redirects, off_topic, self._bounds, score)
            if not self._seen.surely_new(link.key):
                self._enter(rows, pushed)  # the index and the queue must include the earlier links of this page
                key, known = self.find(link)
                if known is not None:
                    seed = source is None and not link.sitemap
                    if self.foreign is not None and self.foreign.rediscovered(known, path, link.refused):
                        self.aside -= known.reason == KIND
                        continue
                    if self._rediscover(known, path, refused=link.refused, rule=link.rule, seed=seed):
                        self.spread(known.id)
                    continue
                if key == link.key:
                    self._seen.was_new()
                else:
                    self._seen.surely_new(key)  # another URL has its key: this one takes the next, which is seen now
            row, queued = self._new(link, key, path, found_on, now)
            if row is None:
                continue
            rows.append(row)
            if queued is not None:
                pushed.append((link, queued))
                new.append(link.url)
        self._enter(rows, pushed)
        return new

    def receive(self, link: Link, path: UrlPath, now: float) -> None:
        """Discover a URL that another ring of the cluster found, on the path that it has in the whole crawl."""
        if path.depth == 0 and path.redirects and not path.sitemap:
            self.on_seed_target(link)
        key, known = link.key, None
        if not self._seen.surely_new(key):
            key, known = self.find(link)
            if known is None and key == link.key:
                self._seen.was_new()
            elif known is None:
                self._seen.surely_new(key)
        if known is None:
            row, queued = self._new(link, key, path, None, now)
            self._enter([row] if row else [], [(link, queued)] if queued else [])
        elif self.foreign is None or not self.foreign.rediscovered(known, path, NONE, received=True):
            if self._rediscover(known, path):
                self.spread(known.id)
            self.on_received(known, path)

    def _enter(self, rows: list[NewUrl], pushed: list[tuple[Link, Queued]]) -> None:
        """Write the collected rows, then queue their URLs: queueing may read queued rows from the database."""
        self._store.urls.add(rows)
        for link, queued in pushed:
            self._push(link.host, self.site_of(link.host), queued)
        rows.clear()
        pushed.clear()

    def _new(
        self, link: Link, key: int, path: UrlPath, found_on: int | None, now: float
    ) -> tuple[NewUrl | None, Queued | None]:
        refused, rule = link.refused, link.rule
        if not refused:
            refused, rule = self._bounds.refusal(link.url, path)
        if not refused and self.foreign is not None and self.foreign.discovered(link, path):
            refused = FOREIGN
        elif refused and refused != UNTIL_RECYCLE:  # without a row it could not be recycled
            if 0 < self._bounds.most_refused <= self.refused:
                self.unrecorded += 1
                return None, None
            self.refused += 1
        self.last_id += 1
        self.aside += refused == KIND
        row = NewUrl(
            id=self.last_id,
            key=key,
            url=link.url,
            spelling=link.spelling,
            site=self.site_of(link.host),
            state=REFUSED if refused else QUEUED,
            reason=refused,
            rule=self._rule_id(rule or self._key_of(refused)) if refused else None,
            depth=path.depth,
            redirects=path.redirects,
            off_domain=path.off_domain,
            rank=path.rank,
            sitemap=path.sitemap,
            requisite=path.requisite,
            off_topic=path.off_topic,
            score=path.score,
            priority=self._order.priority(path.depth or 0, path.rank, path.score),
            found_on=found_on,
            discovered=now,
            processed=now if refused else None,
        )
        if refused:
            return row, None
        self.in_scope += found_on is not None
        queued = Queued(
            id=row.id,
            url=row.url,
            depth=link.distance,
            priority=row.priority,
            redirects=path.redirects,
            off_domain=path.off_domain,
            rank=path.rank,
            sitemap=link.sitemap,
            requisite=path.requisite,
            off_topic=path.off_topic,
            score=path.score,
        )
        return row, queued

    def _rediscover(self, row: Row, path: UrlPath, *, refused: Code = NONE, rule: str = "", seed: bool = False) -> bool:
        """Update a URL rediscovered on another path: a reason may cease to hold; depth, redirects and rank shrink.

        A seed may have been out of scope, or in a trap, before it was one.

        Return True if the URL was answered and has become nearer, or a sitemap, so that its links must be updated.
        """
        if stronger(refused, row.reason):
            self._follow_at_last(row, path, refused, rule)
            return False
        if path.requisite:
            return self._require(row, path, refused)
        if self._only_required(row) and (refused or self._bounds.limit(row.url, path)[0]):
            return False
        before, now = row.path, row.path.joined(path)
        if row.reason == FOREIGN:  # its host is ours since then, and no other ring has processed it
            path = now
        by_path = self._bounds.depends_on_path(row.reason, sitemap=path.sitemap > 0)
        depends = by_path or (seed and family(row.reason) in (Family.SCOPE, Family.TRAP))
        depends = depends or (row.reason == UNTIL_RECYCLE and not waits(path))
        depends = depends or row.reason == FOREIGN
        if row.state == REFUSED and depends and not refused:
            against = self._bounds.refusal(row.url, path)[0]
            if not against:
                self._requeue(row, path._replace(rank=now.rank, sitemap=now.sitemap))
                return False
            if self._bounds.replaces(against, row.reason):
                self._store.urls.refuse_for(row.id, against, self._rule_id(self._key_of(against)))
                if against == UNTIL_RECYCLE:  # recycling queues it on this path, as a link that is followed does now
                    now = path._replace(rank=now.rank, sitemap=now.sitemap, requisite=now.requisite)
        if now.depth is None or now == before:
            return False
        if not (refused or refuses_discovery(row.reason)) and self._bounds.ignored(row.url, before, path):
            return False
        priority = self._order.priority(now.depth, now.rank, now.score, row.demoted)
        self._store.urls.shorten(row, now, priority)
        if row.state == FETCHED and (now.depth, now.rank) != (before.depth, before.rank):
            self.on_nearer(row.id)
        elif row.state == QUEUED:
            self.frontier.promote(host(row.url), queued_of(replace(row, **now._asdict(), priority=priority)))
        # a page hands down its own score; a redirect and a sitemap hand down that of the links to them
        score = before.score if row.state == FETCHED and not row.sitemap else now.score
        return row.state in ANSWERED and now._replace(rank=before.rank, score=score) != before

    @staticmethod
    def _only_required(row: Row) -> bool:
        """Whether a URL is requested as a page requisite alone."""
        return row.requisite > 0 and row.depth is None and not refuses_discovery(row.reason)

    def _require(self, row: Row, path: UrlPath, refused: Code) -> bool:
        """Update a URL that belongs to the display of a page. Return True if it was answered and its links change.

        A page stays a page. If links to the URL are refused, it is requested as a page requisite, and has no depth: a
        link that is permitted makes it a page later.
        """
        if refuses_discovery(row.reason) and not (
            refused or on_every_page(row.reason) or self._bounds.refusal(row.url, path)[0]
        ):
            self._requeue(row, row.path if row.reason == UNTIL_RECYCLE else path._replace(sitemap=row.sitemap), path)
            return False
        before, now = row.path, row.path.joined(path)
        if now == before:
            return False
        priority = self._order.priority(now.depth or 0, now.rank, now.score, row.demoted)
        self._store.urls.shorten(row, now, priority)
        if row.state == QUEUED:
            self.frontier.promote(host(row.url), queued_of(replace(row, **now._asdict(), priority=priority)))
        return row.state in ANSWERED

    def _follow_at_last(self, row: Row, path: UrlPath, refused: Code, rule: str) -> None:
        """Decide about a URL without a link that is followed, once there is one."""
        self.aside -= row.reason == KIND
        if not refused:
            refused, rule = self._bounds.refusal(row.url, path)
        if not refused:
            self._requeue(row, path)
            return
        self._store.urls.refuse_for(row.id, refused, self._rule_id(rule or self._key_of(refused)))
        self._rediscover(replace(row, reason=refused), path, refused=refused)

    def decide_again(self, row: Row, refused: Code, rule: str) -> None:
        """Decide about a URL that a scope had refused, which was extended. `refused`: why it is still refused."""
        if not refused:
            refused, rule = self._bounds.refusal(row.url, row.path)
        if not refused:
            self._requeue(row, row.path)
        elif refused != row.reason:
            self._store.urls.refuse_for(row.id, refused, self._rule_id(rule or self._key_of(refused)))

    def _requeue(self, row: Row, path: UrlPath, also: UrlPath | None = None) -> None:
        path = path._replace(requisite=row.path.joined(also or path).requisite)
        priority = self._order.priority(path.depth or 0, path.rank, path.score, row.demoted)
        self._store.urls.requeue(row.id, path, priority)
        self.in_scope += row.reason != REQUISITE_OFF  # it was in the queue before
        self.queue_again(replace(row, **path._asdict(), priority=priority, due=0.0))

    def spread(self, source: int) -> None:
        """Update the links of an answered URL that has become nearer.

        So the depth of a URL is the length of the shortest path to it, whatever the order of the answers, and a limit
        on depth excludes the same URLs in every crawl.
        """
        nearer = deque([source])  # breadth first, or a URL would become nearer many times
        while nearer:
            page = self._store.urls.row(nearer.popleft())
            if page.depth is None and not page.requisite:
                continue
            links = list(self._store.answers.outlinks(page.id))
            topic = self._store.answers.relevance(page.id) if self._bounds.topical else NO_RELEVANCE
            for key, path in offers(page, links, self._bounds, topic):
                row = self._store.urls.find(key)
                if row is None:
                    continue
                path = path._replace(score=self._order.score(row.url, path.score))
                if not path.requisite:
                    off_domain = self._bounds.off_domain(host(row.url), page.off_domain, path.redirects)
                    path = path._replace(off_domain=off_domain)
                refused = self._bounds.still_refused(row, path)
                if self.foreign is not None and self.foreign.rediscovered(row, path, refused):
                    self.aside -= row.reason == KIND
                    continue
                if self._rediscover(row, path, refused=refused):
                    nearer.append(row.id)

    # -- outcomes -------------------------------------------------------------------------------------------------

    def settle(self, at: Host, queued: Queued, state: State, reason: Code, now: float, rule: str = "") -> None:
        decided = self._rule_id(rule or self._key_of(reason)) if state == REFUSED else None
        self._store.urls.settle(queued.id, state, reason, decided, now, queued.attempts)
        if self._has_events:
            self._store.answers.add_event(queued.id, now, state, reason)
        at.fetched += state == FETCHED
        self.frontier.settled(at, queued)


def _nobody(*_: object) -> None:
    pass
