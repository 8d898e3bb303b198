"""Moves the queue of aliases to their canonical names, so that a continued crawl follows the proposal.

config.ini and crawl.db change in one step (ttcrawl.store.staged).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from ttcrawl.config import Config, alias_map
from ttcrawl.config.compiled import canon_of, compile_traps
from ttcrawl.engine import counter_rows
from ttcrawl.engine.run import directory
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.maintain.stopped_ledger import stopped_ledger
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring.messages import NOT_FOLLOWED, Link
from ttcrawl.store.rows import Row, Sample
from ttcrawl.store.sqlite import Store
from ttcrawl.store.staged import ROW, step
from ttcrawl.store.stored_scope import stored_scope
from ttcrawl.vocabulary.reason import ALIAS, ALIAS_FETCHED, Code, status_of
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
        config = replace(config, url=replace(config.url, aliases=aliases))
        with step(path, {"config.ini": directory.config_file(path, config)}) as row:
            merged = _Merge(store, config).run()
            store.set(**{ROW: row})
            store.close()
    return merged


class _Merge:
    """Applies the aliases of config.ini to the database of a crawl that started without them."""

    def __init__(self, store: Store, config: Config) -> None:
        about = store.about()
        self._store, self._now = store, round(time.time(), 3)
        self._about = about
        self._map, self._strip = alias_map(config.url.aliases), config.url.strip_www
        self._canon: Canon = canon_of(config)
        self._scope: Scope = stored_scope(config, about)
        self._traps: Traps = compile_traps(config.traps, time.gmtime(self._now).tm_year, session=config.has_session)
        self._ledger = stopped_ledger(store, config, self._scope)
        self._frontier = self._ledger.frontier
        counter_rows.restore(about, self._ledger, self._frontier)
        self._last = self._ledger.last_id
        self.merged = Merged()

    def run(self) -> Merged:
        """Does all in the transaction of the store, without a commit."""
        rows = (self._store.sites.of_host(name.rpartition("/")[2]) for name in self._map)
        sites = sorted({site.id for site in rows if site is not None})
        # before the queue: pages fetched under an alias are not queued under the canonical name
        for row, url in self._aliases(sites, FETCHED):
            if 200 <= status_of(row.reason) < 300:
                self._mark_fetched(row, url)
        for row, url in self._aliases(sites, QUEUED):
            self._requeue(row, url)
        for row, url in self._aliases(sites, FAILED):
            self._retry(row, url)
        if self.merged != Merged():
            self._count()
        return self.merged

    def _count(self) -> None:
        """Update the totals of the crawl, and add a sample of its growth that agrees with them."""
        changed = {"queued": self._frontier.queued, "refused": self._ledger.refused, "aside": self._ledger.aside}
        changed["in_scope"] = self._ledger.in_scope
        self._store.set(**{f"total_{name}": total for name, total in changed.items()})
        if self._frontier.queued and self._about.get("finished") == "done":
            self._store.set(finished="interrupted")  # there are queued URLs again
        pages, links, size = (int(self._about.get(f"total_{name}", 0)) for name in ("pages", "found", "bytes"))
        seconds = float(self._about["seconds"])
        self._store.answers.add_growth(
            Sample(
                pages=pages,
                seconds=seconds,
                links=links,
                distinct_urls=self._ledger.distinct,
                queued=self._frontier.queued,
                bytes=size,
                in_scope=self._ledger.in_scope,
            )
        )

    def _aliases(self, sites: list[int], state: str) -> Iterator[tuple[Row, str]]:
        """URLs discovered under an alias, with their canonical form."""
        after = 0
        while rows := self._store.urls.rows_of(sites, state, after, BATCH):
            after = rows[-1].id
            # reloaded, because a row may have a smaller depth by now
            for row in map(self._store.urls.row, [each.id for each in rows]):
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

    def _mark_fetched(self, row: Row, url: str) -> None:
        """A page that was fetched under an alias need not be fetched under its canonical URL."""
        target = self._store.urls.find(key(url))
        if target is not None and target.url == url and target.state != QUEUED:
            return
        rule = self._rule(row.url)
        if target is not None and target.url == url:
            self._refuse(target, ALIAS_FETCHED, rule)
        else:
            self._discover(row, url, ALIAS_FETCHED, rule)
        self.merged.settled += 1

    def _requeue(self, row: Row, url: str) -> None:
        """Queue a queued URL of an alias under its canonical name instead."""
        self._refuse(row, ALIAS, self._rule(row.url))
        self.merged.taken += 1
        before = self._frontier.queued
        self._discover(row, url, *self._refusal(url))
        self.merged.queued += self._frontier.queued - before

    def _retry(self, row: Row, url: str) -> None:
        """Queue a URL that failed under an alias under its canonical name."""
        target = self._store.urls.find(key(url))
        if target is not None and target.url == url:
            return
        before = self._frontier.queued
        self._discover(row, url, *self._refusal(url))
        self.merged.again += self._frontier.queued - before

    def _refusal(self, url: str) -> tuple[Code, str]:
        reason, rule = self._scope.ruling(url)
        return (reason, rule) if reason else (self._traps.refusal(url), "")

    def _rule(self, url: str) -> str:
        """The alias as in config.ini, or as the combination of several of its entries."""
        origin = url[: url.index("/", 8)]
        end = canonical_origin(origin, self._strip, self._map)
        name, alias = host(url), end.partition("//")[2]
        plain = self._map.get(name) == alias
        return f"[url] aliases: {name}={alias}" if plain else f"[url] aliases: {origin}={end}"

    def _refuse(self, row: Row, reason: Code, rule: str) -> None:
        self._store.urls.settle(row.id, REFUSED, reason, self._store.urls.rule(rule), self._now, row.attempts)
        self._frontier.queued -= 1

    def _discover(self, row: Row, url: str, refused: Code, rule: str) -> None:
        """As if the alias led there without a link: depth, redirects and rank stay."""
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
