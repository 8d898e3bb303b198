"""The links to each page. The database has them by source: a temporary file has them by target."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ttcrawl.ask.library.links import texts
from ttcrawl.ask.view.view import View
from ttcrawl.ring.record import BYTES

_TABLE = """
    CREATE TEMP TABLE inlink (
        target INTEGER NOT NULL, source INTEGER NOT NULL, kind TEXT NOT NULL, anchor TEXT NOT NULL)"""
_INDEX = "CREATE INDEX temp.inlink_of_target ON inlink (target)"
_PACKED = "SELECT source, targets, CAST(kinds AS BLOB), anchors FROM outlinks"
_OF_TARGET = """
    SELECT source.url, kind, anchor FROM inlink JOIN url AS source ON source.id = inlink.source
    WHERE target = (SELECT key FROM url WHERE id = ?1) AND inlink.source != ?1 ORDER BY inlink.rowid"""
_COPIES = f"""
    CREATE TEMP TABLE copy_of AS SELECT duplicate_of AS original, url FROM duplicate WHERE same = '{BYTES}'"""
_COPIES_INDEX = "CREATE INDEX temp.copy_of_original ON copy_of (original)"


class Inlinks:
    """Reads all links once."""

    def __init__(self, db: View) -> None:
        self._db = db
        db.execute(_TABLE)
        for source, targets, kinds, anchors in db.execute(_PACKED):
            letters = kinds.decode("latin-1")
            of_each = texts(anchors) if anchors else [""] * len(letters)
            links = zip(json.loads(targets), letters, of_each, strict=True)
            db.executemany("INSERT INTO inlink VALUES (?, ?, ?, ?)", [(key, source, *link) for key, *link in links])
        db.execute(_INDEX)

    def of(self, url: int) -> Iterator[tuple[str, str, str]]:
        """(URL of the page, letter of the kind, anchor text) of the links from other pages to the URL with this id."""
        yield from self._db.execute(_OF_TARGET, (url,))


class Copies:
    """The URLs with the bytes of another page."""

    def __init__(self, db: View) -> None:
        self._db = db
        db.execute(_COPIES)
        db.execute(_COPIES_INDEX)

    def of(self, url: int) -> list[str]:
        query = "SELECT url.url FROM copy_of JOIN url ON url.id = copy_of.url WHERE original = ? ORDER BY url.id"
        return [copy for (copy,) in self._db.execute(query, (url,))]
