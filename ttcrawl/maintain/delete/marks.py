"""New originals for the duplicates of deleted pages, by the rules of the crawl (ttcrawl.engine.duplicates).

A deleted page leaves its buckets, and the next page by order becomes the first one there. The marks of all pages in
these buckets are decided anew: until this is done, the pages are in table `unsettled`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.engine.duplicates.marks import Order, order
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.maintain.delete.selection import GONE
from ttcrawl.output.steps import Progress
from ttcrawl.read.fingerprints import keys
from ttcrawl.store.database import Database
from ttcrawl.store.sqlite import Store

#: Rows read at once.
BATCH = 10_000


def leave_buckets(db: Database) -> None:
    """Remove the pages of table `gone` from their buckets, and the marks that refer to them."""
    left = set[int]()
    for body, text, bands in db.execute(f"SELECT bytes, text, bands FROM fingerprint WHERE url IN ({GONE})"):
        left.update(keys.of_page(body, text, bands))
    db.execute(
        f"DELETE FROM bucket WHERE n IN (SELECT n FROM fingerprint WHERE url IN ({GONE}))"
        if len(left) > BATCH
        else f"DELETE FROM bucket WHERE key IN ({', '.join(map(str, left))})"
        f" AND n IN (SELECT n FROM fingerprint WHERE url IN ({GONE}))"
    )
    db.execute(f"DELETE FROM unsettled WHERE n IN (SELECT n FROM fingerprint WHERE url IN ({GONE}))")
    db.execute(
        f"DELETE FROM duplicate WHERE duplicate_of IN ({GONE}) OR near_duplicate_of IN ({GONE}) OR url IN ({GONE})"
    )
    firsts = dict[int, tuple[Order, int]]()
    for n, order_of_page, own in _others(db) if left else ():
        shared = left.intersection(own)
        for key in shared:
            firsts[key] = min(firsts.get(key, (order_of_page, n)), (order_of_page, n))
        if shared:
            db.execute("INSERT OR IGNORE INTO unsettled VALUES (?)", (n,))
    db.executemany("INSERT OR REPLACE INTO bucket VALUES (?, ?)", [(key, n) for key, (_, n) in sorted(firsts.items())])


def _others(db: Database) -> Iterator[tuple[int, Order, tuple[int, ...]]]:
    """Yield (number, order, keys) of the pages that stay."""
    last = 0
    while rows := db.execute(
        "SELECT n, depth, rank, url.url, bytes, text, bands FROM fingerprint JOIN url ON url.id = fingerprint.url"
        f" WHERE n > ? AND url.id NOT IN ({GONE}) ORDER BY n LIMIT ?",
        (last, BATCH),
    ).fetchall():
        last = rows[-1][0]
        for n, depth, rank, url, body, text, bands in rows:
            yield n, order(depth, rank, url), tuple(keys.of_page(body, text, bands))


def settle(directory: Path, config: Config, progress: Progress) -> None:
    """Decide the marks of the unsettled pages."""
    store = Store(directory / "crawl.db", power=config.store.durability == "power")
    try:
        Originals(store, config.duplicates).mark_anew(lambda done, of: progress("duplicates", done, of))
        store.close()
    finally:
        store.abandon()
