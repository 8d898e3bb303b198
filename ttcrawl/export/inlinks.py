"""The links to each page. The database has them by source: here they are sorted by target."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from ttcrawl.export.output import Output
from ttcrawl.export.runs import Record, Runs
from ttcrawl.output.steps import Progress, reported
from ttcrawl.ring.columns import BYTES
from ttcrawl.snapshot.links import texts
from ttcrawl.snapshot.pieces import of_query
from ttcrawl.snapshot.snapshot import View

_PACKED = of_query(
    "source, targets, CAST(kinds AS BLOB), anchors",
    "outlinks",
    "outlinks.source",
    lambda *columns: columns,
    where="anchors != ''",
    keys=100,
)
_TARGET = "SELECT url FROM page WHERE url = {}"
_COPIES = f"""
    CREATE TEMP TABLE copy_of AS SELECT duplicate_of AS original, url FROM duplicate WHERE same = '{BYTES}'"""
_COPIES_INDEX = "CREATE INDEX temp.copy_of_original ON copy_of (original)"

#: Targets, and sources, that are remembered: the navigation of a site is the same on all its pages.
REMEMBERED = 1 << 16


class Inlinks:
    """Reads all links once. The links without a text are left out."""

    def __init__(self, db: View, progress: Progress) -> None:
        self._db = db
        self._target = lru_cache(REMEMBERED)(self._id_of_page)
        self._source = lru_cache(REMEMBERED)(db.url_of)
        self._query = _TARGET.format(db.id_of("?1"))
        runs = Runs()
        (total,) = db.execute("SELECT count(*) FROM outlinks").fetchone()
        rows = Output().pieces(db, _PACKED)
        for source, targets, kinds, anchors in reported(rows, progress, "links", total):
            runs.add(self._records(source, targets, kinds.decode("latin-1"), anchors))
        self._links = iter(runs)
        self._next = next(self._links, None)

    def of(self, page: int) -> Iterator[tuple[str, str, str]]:
        """(URL of the page, letter of the kind, anchor text) of the links from other pages to the page with this id.

        In order of source and position. Later calls are for larger ids.
        """
        while self._next is not None and self._next[0] <= page:
            target, source, letter, text = self._next
            self._next = next(self._links, None)
            if target == page:
                yield self._source(source), letter, text

    def _records(self, source: int, targets: str, letters: str, anchors: str) -> Iterator[Record]:
        for key, letter, text in zip(json.loads(targets), letters, texts(anchors), strict=True):
            if text and (target := self._target(key)) is not None and target != source:
                yield target, source, letter, text

    def _id_of_page(self, key: int) -> int | None:
        row: tuple[int] | None = self._db.execute(self._query, (key,)).fetchone()
        return row[0] if row else None


class Copies:
    """The URLs with the bytes of another page."""

    def __init__(self, db: View) -> None:
        self._db = db
        db.execute(_COPIES)
        db.execute(_COPIES_INDEX)

    def of(self, url: int) -> list[str]:
        query = "SELECT url.url FROM copy_of JOIN url ON url.id = copy_of.url WHERE original = ? ORDER BY url.id"
        return [copy for (copy,) in self._db.execute(query, (url,))]
