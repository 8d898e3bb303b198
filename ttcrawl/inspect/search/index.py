"""search.db: the words of the pages of a crawl, beside its crawl.db.

A page has its title, its headings, the anchor texts of links to it, and its text. `update` compares both databases by
page, so it adds what is new, and goes on where it was interrupted. The file can be deleted: it is made again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from isal import isal_zlib

from ttcrawl.errors import CrawlFailedError
from ttcrawl.inspect.search.bigrams import indexed
from ttcrawl.output.steps import Progress, reported
from ttcrawl.snapshot.links import texts
from ttcrawl.snapshot.page_text import WITH_WORDS, words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.damage import WRONG_VALUES
from ttcrawl.store.search_db import NAME, open_search
from ttcrawl.vocabulary.headings import heading_texts

#: Anchor texts of a page that count, and characters of each.
MOST_ANCHORS, LONGEST_ANCHOR = 50, 200

#: Pages between two commits.
BATCH = 1000

#: Of the compression of their columns: a tenth of the time of zlib's level 6, and a ninth more bytes.
LEVEL = 2


#: The pages to search. Size -1: without a text.
_PAGES = f"""
    SELECT page.url, page.time, coalesce(text.size, -1) FROM page JOIN url ON url.id = page.url
    LEFT JOIN text ON text.url = page.url WHERE {WITH_WORDS} ORDER BY page.url"""
_ONE = f"""
    SELECT url.url, url.key, page.time, coalesce(text.size, -1), site.host, coalesce(metadata.language, ''), page.type,
           coalesce(nullif(metadata.published, ''), nullif(metadata.modified, ''), ''),
           page.title, coalesce(metadata.headings, '')
    FROM page JOIN url ON url.id = page.url JOIN site ON site.id = url.site
    LEFT JOIN text ON text.url = page.url LEFT JOIN metadata ON metadata.url = page.url
    WHERE page.url = ? AND {WITH_WORDS}"""


#: Pages of the index to which new anchor texts lead.
_TOUCHED = "SELECT page.id FROM touched JOIN page ON page.key = touched.target"


class Index:
    """The index of a crawl. Raises StoreError if it cannot be opened or written."""

    def __init__(self, directory: Path) -> None:
        self.db = open_search(directory / NAME)

    def rebuild(self) -> None:
        """Forget everything."""
        self.db.empty()

    def close(self) -> None:
        self.db.close()

    # -- what is new ------------------------------------------------------------------------------------------------

    def update(self, crawl: View, progress: Progress) -> None:
        """Add the pages that were read since the last update, and the anchor texts of their links."""
        self._batches("links", list(self._changed(crawl, "source")), crawl, self._link, progress)
        touched = [id for (id,) in self.db.execute(_TOUCHED)]
        changed = dict.fromkeys([*self._changed(crawl, "page"), *touched])
        self._batches("words", list(changed), crawl, self._index, progress)
        self.db.execute("DELETE FROM touched")

    def _changed(self, crawl: View, table: str) -> Iterator[int]:
        """The pages that a table of the index lacks, has as they were, or has although they are gone."""
        of_table = "SELECT id, time, size FROM page" if table == "page" else "SELECT id, time, 0 FROM source"
        indexed = self.db.execute(f"{of_table} ORDER BY id")
        mine = indexed.fetchone()
        for id, time, size in crawl.execute(_PAGES):
            while mine is not None and mine[0] < id:
                yield mine[0]
                mine = indexed.fetchone()
            if mine != (id, time, size if table == "page" else 0):
                yield id
            if mine is not None and mine[0] == id:
                mine = indexed.fetchone()
        while mine is not None:
            yield mine[0]
            mine = indexed.fetchone()

    def _batches(
        self, step: str, ids: Sequence[int], crawl: View, work: Callable[[View, int], None], progress: Progress
    ) -> None:
        """Each batch is read from a snapshot of its own: the index of a large crawl takes long."""
        for first in range(0, len(ids), BATCH):
            crawl.rest()
            self.db.execute("BEGIN IMMEDIATE")
            for id in reported(ids[first : first + BATCH], progress, step, len(ids), first):
                work(crawl, id)
            self.db.execute("COMMIT")
        crawl.renew()

    def _link(self, crawl: View, id: int) -> None:
        """Add the anchor texts of the links of a page."""
        row = crawl.execute("SELECT targets, anchors FROM outlinks WHERE source = ?", (id,)).fetchone()
        if row is not None and row[1]:
            pairs = dict.fromkeys(zip(json.loads(row[0]), texts(row[1]), strict=True))
            self.db.executemany(
                "INSERT OR IGNORE INTO anchor VALUES (?, ?)",
                [(target, text[:LONGEST_ANCHOR]) for target, text in pairs if text.strip()],
            )
        time = crawl.execute("SELECT time FROM page WHERE url = ?", (id,)).fetchone()
        if time is None:
            self.db.execute("DELETE FROM source WHERE id = ?", (id,))
        else:
            self.db.execute("INSERT OR REPLACE INTO source VALUES (?, ?)", (id, time[0]))

    def _index(self, crawl: View, id: int) -> None:
        """Bring a page up to date."""
        old = self.db.execute("SELECT content FROM page WHERE id = ?", (id,)).fetchone()
        if old is not None:
            self.db.execute(
                "INSERT INTO words (words, rowid, title, headings, anchors, text) VALUES ('delete', ?, ?, ?, ?, ?)",
                (id, *map(indexed, content(old[0]))),
            )
            self.db.execute("DELETE FROM page WHERE id = ?", (id,))
        row = crawl.execute(_ONE, (id,)).fetchone()
        if row is None:
            return
        url, key, time, size, host, language, type, date, title, headings = row
        anchors = self.db.execute("SELECT text FROM anchor WHERE target = ? LIMIT ?", (key, MOST_ANCHORS)).fetchall()
        text = words_or_none(crawl, id, url, main=False) or ""
        columns = (title, "\n".join(heading_texts(headings)), "\n".join(anchor for (anchor,) in anchors), text)
        day = date[:10] or datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")
        packed = isal_zlib.compress(json.dumps(columns).encode(), LEVEL)
        self.db.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (id, key, time, size, url.lower(), host.lower(), language, type, day, packed),
        )
        self.db.execute(
            "INSERT INTO words (rowid, title, headings, anchors, text) VALUES (?, ?, ?, ?, ?)",
            (id, *map(indexed, columns)),
        )


def content(packed: bytes) -> tuple[str, str, str, str]:
    """Return title, headings, anchor texts and text of a page of the index. Raises CrawlFailedError for damage."""
    try:
        title, headings, anchors, text = json.loads(zlib.decompress(packed))
    except WRONG_VALUES as error:
        raise CrawlFailedError(
            f"{NAME} beside crawl.db has damage ({error}): delete it, and it is made again"
        ) from error
    return title, headings, anchors, text
