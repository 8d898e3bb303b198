"""The growth of the whole: at each sample of a ring, the sum of the latest samples of all rings.

A URL that several rings have found counts once: with the row of the ring that discovered it first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import merge
from operator import attrgetter

from ttcrawl.store.totals import IN_SCOPE, TOTALS

#: The rows of a ring that its samples count, in order: whether the URL counts here, and whether it is in scope.
_ROWS = f"""
    SELECT opened, {IN_SCOPE}
    FROM discovery JOIN id_of_url USING (ring, old) JOIN url ON url.id = id_of_url.new
    WHERE ring = ? AND NOT aside ORDER BY old"""
_INSERT = "INSERT OR REPLACE INTO main.growth VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a ring, or the whole, has at a moment, in seconds since the first ring began."""

    ring: int
    seconds: float
    pages: int = 0
    links: int = 0
    distinct_urls: int = 0
    queued: int = 0
    bytes: int = 0
    in_scope: int = 0


def join(db: sqlite3.Connection, samples: Mapping[int, list[Sample]]) -> None:
    """Write table `growth`. `samples`: of each ring, in order, with the URLs as this ring has counted them."""
    latest = {ring: Sample(ring=ring, seconds=0.0) for ring in samples}
    series = [list(_counted(db, each)) for each in samples.values()]
    for sample in merge(*series, key=attrgetter("seconds")):
        latest[sample.ring] = sample
        counts = [
            sum(getattr(each, name) for each in latest.values())
            for name in ("pages", "links", "distinct_urls", "queued", "bytes", "in_scope")
        ]
        db.execute(_INSERT, (counts[0], sample.seconds, *counts[1:]))


def read(db: sqlite3.Connection, ring: int, began: float) -> list[Sample]:
    """Return the samples of the attached ring, which began `began` seconds after the first one."""
    rows = db.execute("SELECT seconds, pages, links, distinct_urls, queued, bytes FROM ring.growth ORDER BY pages")
    return [
        Sample(
            ring=ring, seconds=began + seconds, pages=pages, links=links, distinct_urls=urls, queued=queued, bytes=size
        )
        for seconds, pages, links, urls, queued, size in rows
    ]


def count(db: sqlite3.Connection) -> None:
    """Correct the last sample: a path that came late may have put a URL into the queue, and a page that several owners
    of its host have requested counts once."""
    db.execute(
        f"UPDATE growth SET in_scope = max(in_scope, (SELECT count(*) FROM url WHERE {IN_SCOPE}))"
        " WHERE pages = (SELECT max(pages) FROM growth)"
    )
    pages, links = (db.execute(TOTALS[name]).fetchone()[0] for name in ("pages", "found"))
    last = db.execute("SELECT * FROM growth ORDER BY pages DESC LIMIT 1").fetchone()
    if last is not None and (last[0] > pages or last[2] > links):
        db.execute("DELETE FROM growth WHERE pages >= ? OR links > ?", (pages, links))
        db.execute(_INSERT, (pages, last[1], links, *last[3:]))


def _counted(db: sqlite3.Connection, samples: list[Sample]) -> Iterator[Sample]:
    """Yield the samples of a ring with the URLs that count with its rows."""
    rows = db.execute(_ROWS, (samples[0].ring,)) if samples else iter(())
    number = opened = in_scope = 0
    for sample in samples:
        while number < sample.distinct_urls and (row := next(rows, None)) is not None:
            number += 1
            opened += row[0]
            in_scope += row[0] and row[1]
        yield replace(sample, distinct_urls=opened, in_scope=in_scope)
