"""Every discovered URL has one row, one state and one reason: this module decides them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.foreign import ForeignUrls
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued, queued_of
from ttcrawl.frontier.known_paths import KnownPaths
from ttcrawl.frontier.offers import offers, path_of, promised
from ttcrawl.frontier.priority import QueueOrder
from ttcrawl.frontier.rediscovery import UNCHANGED, Decision, rediscovered
from ttcrawl.frontier.robots_relay import RobotsRelay
from ttcrawl.frontier.seen import Seen
from ttcrawl.frontier.site_hosts import SiteHosts
from ttcrawl.ring.messages import Link
from ttcrawl.store.rows import NO_RELEVANCE, NewUrl, Relevance, Row, UrlPath
from ttcrawl.store.seeds import seeds_of
from ttcrawl.store.sqlite import Store
from ttcrawl.topic.best_first import FULL, handed_down
from ttcrawl.vocabulary.reason import FOREIGN, KIND, NONE, NOT_IN_ARCHIVE, REQUISITE_OFF, UNTIL_RECYCLE, Code
from ttcrawl.vocabulary.state import FETCHED, QUEUED, REFUSED, State
from ttcrawl.web.url import host
from ttcrawl.web.url import key as key_of


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
        self._known_paths = KnownPaths()
        self.refused, self.unrecorded = 0, 0  # URLs refused when discovered, and how many of them have no row
        self._rule_id = lru_cache(maxsize=10_000)(store.urls.rule)
        self._key_of = lru_cache(maxsize=1_000)(bounds.key_of)
        self.on_nearer: Callable[[int], None] = _nobody  # called for fetched URLs that come earlier
        self.on_links: Callable[[Sequence[Link], Queued, bool], None] | None = None  # called for a page, or a redirect
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
        order, seeds = self._order, seeds_of(self._store.about())
        self._store.urls.reorder(str(order), order.score, order.priority, FULL, seeds)

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
        order, has_scores = self._order, self._order.has_scores
        from_page = handed_down(topic.relevant, topic.probability, off_topic) if has_scores else 0
        rows: list[NewUrl] = []
        pushed: list[tuple[str, Queued]] = []
        new: list[str] = []
        links = tuple(links)
        taken = set[int]()  # keys of this page that are not those of their URLs
        for link, maybe_seen in zip(links, self._seen.maybe_seen([link.key for link in links]), strict=True):
            score = order.score(link.url, promised(link, source, redirects, from_page)) if has_scores else 0
            key, path = link.key, path_of(link, source, redirects, off_topic, self._bounds, score)
            if maybe_seen and self.foreign is None and source is not None and self._known_paths.unchanged(link, path):
                continue
            if maybe_seen or key in taken:
                self._enter(rows, pushed)  # the index and the queue must include the earlier links of this page
                key, known = self.find(link)
                if known is not None:
                    seed = source is None and not link.sitemap
                    if self.foreign is not None and self.foreign.rediscovered(known, path, link.refused):
                        self.aside -= known.reason == KIND
                        continue
                    decision = rediscovered(known, path, self._bounds, link.refused, link.rule, seed=seed)
                    if decision is UNCHANGED:
                        self._known_paths.rediscovered(link, known)
                    elif self._carry_out(known, decision):
                        self.spread(known.id)
                    continue
                if key == link.key:
                    self._seen.was_new()
                else:
                    self._seen.surely_new(key)  # another URL has its key: this one takes the next, which is seen now
                    taken.add(key)
            row, queued = self._new(link, key, path, found_on, now)
            if row is None:
                continue
            rows.append(row)
            self._known_paths.discovered(link, row.reason, path)
            if queued is not None:
                pushed.append((link.host, queued))
                new.append(link.url)
        self._enter(rows, pushed)
        if source is None and links:  # an error now concerns the message that named these URLs
            self._store.urls.flush()
        if self.on_links is not None and source is not None:
            self.on_links(links, source, redirects > 0)
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
            self._enter([row] if row else [], [(link.host, queued)] if queued else [])
        elif self.foreign is None or not self.foreign.rediscovered(known, path, NONE, received=True):
            if self._carry_out(known, rediscovered(known, path, self._bounds)):
                self.spread(known.id)
            self.on_received(known, path)

    def _enter(self, rows: list[NewUrl], pushed: list[tuple[str, Queued]]) -> None:
        """Write the collected rows, then queue their URLs, each with its host: queueing may read queued rows from the
        database."""
        self._store.urls.add(rows)
        for name, of_host in groupby(pushed, itemgetter(0)):
            self._push(name, self.site_of(name), [queued for _, queued in of_host])
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
        elif refused and refused not in (UNTIL_RECYCLE, NOT_IN_ARCHIVE):  # without a row it could not be queued later
            if 0 < self._bounds.most_refused <= self.refused:
                self.unrecorded += 1
                return None, None
            self.refused += 1
        self.last_id += 1
        self.aside += refused == KIND
        row = NewUrl(  # by position: by name it takes twice as long, for every URL of the crawl
            self.last_id,
            key,
            link.url,
            self.site_of(link.host),
            REFUSED if refused else QUEUED,
            now,
            link.spelling,
            refused,
            self._rule(refused, rule) if refused else None,
            *path,
            self._order.priority(path.depth or 0, path.rank, path.score),
            found_on,
            now if refused else None,
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
            found_on=found_on,
        )
        return row, queued

    def _carry_out(self, row: Row, decision: Decision) -> bool:
        """Change a URL that was rediscovered. Return whether its links must be updated."""
        self._known_paths.forget(key_of(row.url))
        if decision.queue is not None or decision.refused:
            self.aside -= row.reason == KIND
        if decision.queue is not None:
            self._requeue(row, decision.queue)
        if decision.refused:
            self._store.urls.refuse_for(row.id, decision.refused, self._rule(decision.refused, decision.rule))
        if decision.path is not None:
            self._shorten(row, decision.path)
        return decision.spread

    def _shorten(self, row: Row, path: UrlPath) -> None:
        priority = self._order.priority(path.depth or 0, path.rank, path.score, row.demoted)
        self._store.urls.shorten(row, path, priority)
        if row.state == FETCHED and (path.depth, path.rank) != (row.depth, row.rank):
            self.on_nearer(row.id)
        elif row.state == QUEUED:
            self.frontier.promote(host(row.url), queued_of(replace(row, **path._asdict(), priority=priority)))

    def decide_again(self, row: Row, refused: Code, rule: str) -> None:
        """Decide about a URL that a scope had refused, which was extended. `refused`: why it is still refused."""
        self._known_paths.forget(key_of(row.url))
        if not refused:
            refused, rule = self._bounds.refusal(row.url, row.path)
        if not refused:
            self._requeue(row, row.path)
        elif refused != row.reason:
            self._store.urls.refuse_for(row.id, refused, self._rule(refused, rule))

    def _requeue(self, row: Row, path: UrlPath) -> None:
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
                decision = rediscovered(row, path, self._bounds, refused)
                if decision is not UNCHANGED and self._carry_out(row, decision):
                    nearer.append(row.id)

    def _rule(self, reason: Code, rule: str) -> int | None:
        """Return the id of the rule behind a reason: "" stands for a key of config.ini."""
        return self._rule_id(rule or self._key_of(reason))

    # -- outcomes -------------------------------------------------------------------------------------------------

    def settle(self, at: Host, queued: Queued, state: State, reason: Code, now: float, rule: str = "") -> None:
        decided = None
        if state == REFUSED:
            decided = self._rule(reason, rule)
            self._known_paths.forget(key_of(queued.url))
        self._store.urls.settle(queued.id, state, reason, decided, now, queued.attempts)
        if self._has_events:
            self._store.answers.add_event(queued.id, now, state, reason)
        at.fetched += state == FETCHED
        self.frontier.settled(at, queued)


def _nobody(*_: object) -> None:
    pass
