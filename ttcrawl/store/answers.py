"""What requests brought: pages with their links and texts, visits, and the growth of the crawl.

Rows that nobody reads while crawling are collected and written together. Look-ups of them write the collected rows
first.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from msgspec.structs import astuple

from ttcrawl.ring.messages import Moved, Page, Same
from ttcrawl.store import copies, earlier, ended, events, pages
from ttcrawl.store.archive_objects import ArchiveObjects
from ttcrawl.store.batches import Batches
from ttcrawl.store.imports import Imports
from ttcrawl.store.link_metas import LinkMetas
from ttcrawl.store.pending import Pending
from ttcrawl.store.rows import NO_RELEVANCE, NewVisit, Relevance, Sample, insert
from ttcrawl.topic.links import STEP
from ttcrawl.vocabulary.region import MARK_DUPLICATE
from ttcrawl.web.sitemaps.read import FORMS
from ttcrawl.web.url import key as key_of

INSERT_VISIT = insert("visit", NewVisit.__struct_fields__)
#: A page that may be a sitemap.
_LISTING = "SELECT url.url, depth, parser, found_on FROM url LEFT JOIN page ON page.url = url.id WHERE url.id = ?"
_SEEDS = "SELECT value FROM crawl WHERE name = 'seeds'"

INSERT_SAMPLE = insert("growth", Sample.__struct_fields__, verb="INSERT OR REPLACE")


class Answers:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, batches: Batches, pending: Pending, flush: Callable[[], None]) -> None:
        self._db = db
        self._batches = batches
        self._pending = pending
        self._flush = flush
        self.link_metas = LinkMetas(db)
        self.imports = Imports(db, flush)
        self.archive_objects = ArchiveObjects(db)
        self.restart()

    def restart(self) -> None:
        """Forget the contents of memory: seeds have changed, or a rollback lets another URL get the id of one."""
        self._seeds: frozenset[int] | None = None  # their keys, once one is looked for
        #: Whether a page is a sitemap or feed that is a seed, or that such a seed leads to.
        self.is_listing_of_seed = lru_cache(maxsize=1_000)(self._find_listing_of_seed)

    def source(self, page: int) -> tuple[str, bytes] | None:
        """Return the URL of a page on which others were discovered, and the digest of its bytes."""
        row = self._page(page)
        if row is None:  # it may wait to be written
            self._flush()
            row = self._page(page)
        return row

    def _page(self, url: int) -> tuple[str, bytes] | None:
        row: tuple[str, bytes] | None = self._db.execute(
            "SELECT url.url, digest FROM url JOIN page ON page.url = url.id WHERE url.id = ?", (url,)
        ).fetchone()
        return row

    def outlinks(self, source: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield (key of the target, letter of its kind, letter of its region, score) of every link of a page in order.

        The score is 0 if it does not decide what is fetched first.
        """
        self._flush()
        query = (
            "SELECT targets, kinds, regions, scores FROM outlinks LEFT JOIN link_score ON url = source WHERE source = ?"
        )
        row = self._db.execute(query, (source,)).fetchone()
        if row:
            scores = [each * STEP for each in row[3]] if row[3] else bytes(len(row[1]))
            yield from zip(json.loads(row[0]), row[1], row[2], scores, strict=True)

    def linking(self, after: int, limit: int) -> list[tuple[int, str, bytes, str]]:
        """Return (source, keys of targets, letters of regions, anchor texts) of the first pages with links, of those
        after this id; keys and anchor texts are JSON arrays, or "" without anchor texts."""
        self._flush()
        query = "SELECT source, targets, regions, anchors FROM outlinks WHERE source > ? ORDER BY source LIMIT ?"
        return self._db.execute(query, (after, limit)).fetchall()

    def score_links(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Put scores of links in the place of those that pages have: (source, a byte for each link)."""
        self._db.executemany("INSERT OR REPLACE INTO link_score VALUES (?, ?)", rows)

    def relevance(self, url: int) -> Relevance:
        """Return whether a page is relevant to the subject."""
        self._flush()
        row = self._db.execute("SELECT relevant, probability FROM topic WHERE url = ?", (url,)).fetchone()
        return Relevance(bool(row[0]), row[1]) if row else NO_RELEVANCE

    def sources(self, after: int, limit: int) -> list[int]:
        """Return the first answered URLs with links, of those after this id."""
        self._flush()
        query = "SELECT source FROM outlinks WHERE source > ? ORDER BY source LIMIT ?"
        return [source for (source,) in self._db.execute(query, (after, limit))]

    def stop_links(self, source: int) -> None:
        """Mark the links of a page as not followed, because it is a duplicate."""
        self._flush()
        for (regions,) in self._db.execute("SELECT regions FROM outlinks WHERE source = ?", (source,)).fetchall():
            row = (regions.translate(MARK_DUPLICATE), source)
            self._db.execute("UPDATE outlinks SET regions = ? WHERE source = ?", row)

    def add(self, url: int, at: float, status: int, answer: Page | Moved, payload: int | None = None) -> None:
        """Add the answer to a URL, later than the one before: that becomes an earlier answer."""
        if url in self._batches.answered:  # rows are written table by table, and its own must be there to be moved
            self._flush()
        self._batches.answered.add(url)
        for statement, row in pages.rows(url, at, status, answer, payload):
            self._batches.add(statement, row, url)

    def add_earlier(self, url: int, at: float, status: int, answer: Page | Moved, payload: int | None) -> None:
        """Add an answer to a URL that is older than its latest one."""
        for statement, row in pages.earlier_rows(url, at, status, answer, payload):
            self._batches.add(statement, row, url)

    def set_aside(self, url: int) -> None:
        """Put the answer to a URL that is requested again among its earlier ones."""
        self._flush()
        earlier.set_aside(self._db.execute, str(url))

    def earlier(self, url: int) -> list[int]:
        """Return the statuses of the answers to a URL before its latest one."""
        self._flush()
        return [status for (status,) in self._db.execute("SELECT status FROM earlier_page WHERE url = ?", (url,))]

    def copy(self, url: int, key: int, at: float, status: int, same: Same, payload: int) -> copies.Copied:
        """Copy the original's rows for a response that was not parsed; `payload`: the URL with the archived bytes."""
        self._flush()
        return copies.copy(self._db, url, key, at, status, same, payload)

    def add_visit(self, row: NewVisit) -> None:
        self._batches.add(INSERT_VISIT, astuple(row), row.url)

    def add_event(self, url: int, at: float, state: str, reason: str) -> None:
        self._batches.add(events.INSERT, (url, at, state, reason), url)

    def add_growth(self, row: Sample) -> None:
        self._batches.add(INSERT_SAMPLE, astuple(row), "")

    def shorten_growth(self, pages: int, links: int) -> None:
        """Delete the samples with more: the series must not fall, so it continues from the first one that fits."""
        self._flush()
        self._db.execute("DELETE FROM growth WHERE pages > ? OR links > ?", (pages, links))

    def why_nothing(self) -> str:
        """Return why no page was fetched, in one line; "" if one was."""
        return ended.why_nothing(self._db)

    def seed_ends(self, keys: Iterable[int]) -> list[ended.SeedEnd]:
        """Return what became of the seeds with these keys."""
        return ended.seed_ends(self._db, keys)

    def redirects_of(self, keys: Iterable[int]) -> list[tuple[str, str]]:
        """Return the redirects of the seeds with these keys, and of their targets: (URL, target)."""
        return ended.redirects_of(self._db, keys)

    def listed_by_seed(self, url: int) -> bool:
        """Whether a URL was discovered in a sitemap or feed that is a seed, or in one that such a seed leads to."""
        found_on = self._pending.found_on(url)
        return found_on is not None and self.is_listing_of_seed(found_on)

    def _find_listing_of_seed(self, page: int) -> bool:
        self._flush()
        url, depth, parser, found_on = self._db.execute(_LISTING, (page,)).fetchone()
        while depth == 0 and parser in FORMS:
            if self._is_seed(url):
                return True
            if found_on is None:
                break
            url, depth, _, found_on = self._db.execute(_LISTING, (found_on,)).fetchone()
        return False

    def _is_seed(self, url: str) -> bool:
        """Whether a URL is a seed. There may be a million, so their text is not searched for each."""
        if self._seeds is None:
            (text,) = self._db.execute(_SEEDS).fetchone() or ("",)
            self._seeds = frozenset(map(key_of, text.split("\n")))
        return key_of(url) in self._seeds
