"""Moves the queue of aliases to their canonical names, so that a continued crawl follows the proposal.

config.ini and crawl.db change in one step (ttcrawl.store.staged). A cluster has a crawl.db for each ring, and a URL has
a row in each ring that has found it: what is known of it is what any ring knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from ttcrawl.config import Config, alias_map
from ttcrawl.config.compiled import canon_of, compile_traps
from ttcrawl.engine.run import directory
from ttcrawl.frontier.foreign import link_to
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.maintain.stopped_ledger import MakeForeign, Totals, stopped_ledger
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring.messages import NOT_FOLLOWED, Link
from ttcrawl.store.rows import Row
from ttcrawl.store.sqlite import Store
from ttcrawl.store.staged import ROW, step
from ttcrawl.store.stored_scope import stored_scope
from ttcrawl.vocabulary.reason import ALIAS, ALIAS_FETCHED, FOREIGN, Code, status_of
from ttcrawl.vocabulary.requisite import waived
from ttcrawl.vocabulary.state import FAILED, FETCHED, QUEUED, REFUSED
from ttcrawl.web.canon import Canon
from ttcrawl.web.canon.hosts import canonical_origin
from ttcrawl.web.scope import Scope
from ttcrawl.web.traps import Traps
from ttcrawl.web.url import host, key

#: Rows per batch.
BATCH = 10_000


@dataclass(slots=True, kw_only=True)
class Merged:
    """Numbers of URLs.

    `taken`: URLs of aliases removed from the queue; `queued`: of these, newly queued under the canonical name;
    `settled`: canonical URLs whose page was fetched under an alias; `again`: URLs that failed under an alias and are
    queued under a new canonical name.
    """

    taken: int = 0
    queued: int = 0
    settled: int = 0
    again: int = 0

    def text(self, directory: Path, entries: int) -> str:
        """What has become of the queue. `entries`: aliases that were added to config.ini."""
        added = f"Aliases added to {escape_untrusted(str(directory / 'config.ini'))}: {entries:,}"
        aliases = counted(self.taken, "queued URL")
        queue = f"{self.queued:,} of {aliases} of aliases are now queued under the canonical name"
        others = f"{self.taken - self.queued:,} were known there or are refused"
        rest = f"{others}; {self.settled:,} are not requested: an alias has their page"
        retries = f"; {self.again:,} that failed under an alias are retried under it" if self.again else ""
        return f"{added}; {queue}, {rest}{retries}."


def merge(path: Path, aliases: str) -> Merged:
    """Write `aliases` into config.ini and move the queues of all of them.

    Raises UsageError while the crawl runs. A second merge changes nothing.
    """
    with directory.existing(path) as (store, config):
        config = with_aliases(config, aliases)
        with step(path, {"config.ini": directory.config_file(path, config)}) as row:
            part = Part(store, config)
            merging = Merging([part], lambda name: part)
            merging.run()
            store.set(**{ROW: row})
            store.close()
    return merging.merged


def with_aliases(config: Config, aliases: str) -> Config:
    """Return the configuration with these aliases."""
    return replace(config, url=replace(config.url, aliases=aliases))


class Merging:
    """Applies the aliases of config.ini to a crawl that started without them: to its one part, or to all rings.

    `owner_of`: host -> its part. `retried`: URLs of other parts that are queued because they failed under an alias.
    """

    def __init__(self, parts: Sequence[Part], owner_of: Callable[[str], Part]) -> None:
        self._parts, self._owner_of = parts, owner_of
        self.merged = Merged()
        self.retried = set[str]()

    def run(self) -> None:
        """Do all in the transactions of the stores, without a commit."""
        # before the queue: pages fetched under an alias are not queued under the canonical name
        for part, row, url in self._aliases(FETCHED):
            if 200 <= status_of(row.reason) < 300:
                self._mark_fetched(part, row, url)
        for part, row, url in self._aliases(QUEUED):
            self._requeue(part, row, url)
        for part, row, url in self._aliases(FAILED):
            self._retry(part, row, url)
        for part in self._parts:
            part.totals.store()

    def _aliases(self, state: str) -> Iterator[tuple[Part, Row, str]]:
        return ((part, row, url) for part in self._parts for row, url in part.aliases(state))

    def _row_of(self, url: str) -> Row | None:
        """Return what the owner of a URL knows of it, else what another part does."""
        parts = dict.fromkeys((self._owner_of(host(url)), *self._parts))
        return next((row for part in parts if (row := part.find(url)) is not None), None)

    def _mark_fetched(self, part: Part, row: Row, url: str) -> None:
        """A page that was fetched under an alias need not be fetched under its canonical URL."""
        owner, rule = self._owner_of(host(url)), part.rule(row.url)
        if (target := owner.find(url)) is not None:
            if target.state == QUEUED:
                owner.refuse(target, ALIAS_FETCHED, rule)
                self.merged.settled += 1
            return
        if (target := self._row_of(url)) is None:
            part.discover(row, url, ALIAS_FETCHED, rule)
            target = part.find(url)
        elif target.reason not in (ALIAS_FETCHED, FOREIGN):  # as it is if its owner is still to hear of it
            return
        if owner is not part and target is not None:
            owner.receive(target, ALIAS_FETCHED, rule)
        self.merged.settled += 1

    def _requeue(self, part: Part, row: Row, url: str) -> None:
        """Queue a queued URL of an alias under its canonical name instead."""
        part.refuse(row, ALIAS, part.rule(row.url))
        self.merged.taken += 1
        self.merged.queued += part.discover(row, url, *part.refusal(url))

    def _retry(self, part: Part, row: Row, url: str) -> None:
        """Queue a URL that failed under an alias under its canonical name."""
        if self._row_of(url) is not None:
            return
        self.merged.again += part.discover(row, url, *part.refusal(url))
        if self._owner_of(host(url)) is not part:
            self.retried.add(url)


class Part:
    """The tables of a crawl, or of a ring of a cluster. `foreign`: of a ring."""

    def __init__(self, store: Store, config: Config, foreign: MakeForeign | None = None) -> None:
        self._store, self._now = store, round(time.time(), 3)
        self._map, self._strip = alias_map(config.url.aliases), config.url.strip_www
        self._canon: Canon = canon_of(config)
        self._scope: Scope = stored_scope(config, store.about())
        self._traps: Traps = compile_traps(config.traps, time.gmtime(self._now).tm_year, session=config.has_session)
        self._ledger = stopped_ledger(store, config, self._scope, foreign)
        self._frontier = self._ledger.frontier
        self.totals = Totals(store, self._ledger)
        self._last = self._ledger.last_id

    def aliases(self, state: str) -> Iterator[tuple[Row, str]]:
        """Yield URLs discovered under an alias, with their canonical form."""
        rows = (self._store.sites.of_host(name.rpartition("/")[2]) for name in self._map)
        sites = sorted({site.id for site in rows if site is not None})
        after = 0
        while batch := self._store.urls.rows_of(sites, state, after, BATCH):
            after = batch[-1].id
            # reloaded, because a row may have a smaller depth by now
            for row in map(self._store.urls.row, [each.id for each in batch]):
                origin = row.url[: row.url.index("/", 8)]
                url = (
                    self._canon.canonical(row.url)
                    if canonical_origin(origin, self._strip, self._map) != origin
                    else None
                )
                if url is not None and url != row.url:
                    yield row, url
            if after >= self._last:
                return

    def find(self, url: str) -> Row | None:
        """Return the row of a URL, None if it was never discovered here. Two URLs may share a hash."""
        position = key(url)
        while (row := self._store.urls.find(position)) is not None and row.url != url:
            position += 1
        return row

    def refusal(self, url: str) -> tuple[Code, str]:
        """Return reason and rule of the scope and of traps against a URL, "" for none."""
        reason, rule = self._scope.ruling(url)
        return (reason, rule) if reason else (self._traps.refusal(url), "")

    def rule(self, url: str) -> str:
        """Return the alias as in config.ini, or as the combination of several of its entries."""
        origin = url[: url.index("/", 8)]
        end = canonical_origin(origin, self._strip, self._map)
        name, alias = host(url), end.partition("//")[2]
        plain = self._map.get(name) == alias
        return f"[url] aliases: {name}={alias}" if plain else f"[url] aliases: {origin}={end}"

    def refuse(self, row: Row, reason: Code, rule: str) -> None:
        """Take a URL out of the queue."""
        self._store.urls.settle(row.id, REFUSED, reason, self._store.urls.rule(rule), self._now, row.attempts)
        self._frontier.queued -= 1

    def discover(self, row: Row, url: str, refused: Code, rule: str) -> int:
        """Discover a URL as if the alias led there without a link: depth, redirects and rank stay. Return how many
        URLs were queued here by that."""
        before = self._frontier.queued
        link = Link(
            url=url,
            key=key(url),
            host=host(url),
            distance=NOT_FOLLOWED if row.depth is None else row.depth,
            refused=refused,
            rule=rule,
            spelling=row.url,
            rank=row.rank,
            sitemap=row.sitemap > 0,
        )
        # the ledger adds one: one more off-domain link, one more nested sitemap
        off_domain = row.off_domain if row.redirects and row.off_domain else row.off_domain - 1
        source = Queued(
            id=row.id,
            url=row.url,
            depth=NOT_FOLLOWED if row.depth is None else row.depth,
            priority=row.priority,
            redirects=row.redirects - 1,
            off_domain=off_domain,
            off_topic=row.off_topic,
        )
        links = [link] if row.depth is not None or not row.requisite else []
        if row.requisite:
            required = structs.replace(link, distance=NOT_FOLLOWED, sitemap=False, refused=waived(refused))
            links.append(structs.replace(required, requisite=row.requisite))
        self._ledger.discover(links, source, self._now, redirects=row.redirects)
        return self._frontier.queued - before

    def receive(self, row: Row, refused: Code, rule: str) -> None:
        """Discover a URL that another part has discovered, and that is refused."""
        link = structs.replace(link_to(row.url, "", row.path), refused=refused, rule=rule)
        self._ledger.receive(link, row.path, self._now)
