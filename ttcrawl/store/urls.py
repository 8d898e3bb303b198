"""The ledger and its queue: tables `url` and `rule`.

New URLs, shorter paths and outcomes wait in memory, where look-ups by id and key see them. Everything else first writes
what waits.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence

from ttcrawl.store.index import FIRST_QUEUED, OF_KEY, Index
from ttcrawl.store.pending import PATH, Outcome, Pending
from ttcrawl.store.rows import AS_QUEUED, COLUMNS, NewUrl, Row, UrlPath
from ttcrawl.vocabulary.reason import FOREIGN, Code
from ttcrawl.vocabulary.state import QUEUED, REFUSED, State
from ttcrawl.web.storable import text
from ttcrawl.web.url import registrable_domain


class Urls:
    """Part of the store; works in its transactions. `index` finds URLs by key and by position in the queue."""

    def __init__(self, db: sqlite3.Connection, index: Index, pending: Pending) -> None:
        self._db = db
        self._index = index
        self._pending = pending

    def keys(self, after: int) -> Iterator[int]:
        """Return the keys of the URLs discovered after the one with this id."""
        self._pending.flush()
        return (key for (key,) in self._db.execute("SELECT key FROM url WHERE id > ?", (after,)))

    def last_id(self) -> int:
        self._pending.flush()
        last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()[0]
        return last

    def find(self, key: int) -> Row | None:
        if (new := self._pending.find(key)) is not None:
            return new
        row = self._db.execute(f"SELECT {COLUMNS} FROM url WHERE id = {OF_KEY}", (key,)).fetchone()
        return self._pending.current(Row(*row)) if row else None

    def row(self, url: int) -> Row:
        if (new := self._pending.row(url)) is not None:
            return new
        row = self._db.execute(f"SELECT {COLUMNS} FROM url WHERE id = ?", (url,)).fetchone()
        return self._pending.current(Row(*row))

    def add(self, rows: Sequence[NewUrl]) -> None:
        """Add URLs by rising id."""
        self._pending.add(rows)

    def flush(self) -> None:
        """Write what waits. Raises UnstorableError, or the error for a URL that was found on no page."""
        self._pending.flush()

    def rule(self, rule: str) -> int | None:
        """Return the id of a rule, whose text may come from a command line; None if it is empty."""
        if not rule:
            return None
        row = (text(rule),)
        self._db.execute("INSERT INTO rule (text) VALUES (?) ON CONFLICT DO NOTHING", row)
        found: int = self._db.execute("SELECT id FROM rule WHERE text = ?", row).fetchone()[0]
        return found

    def settle(self, url: int, state: State, reason: Code, rule: int | None, at: float, attempts: int) -> None:
        """Store the state of a URL that leaves the queue."""
        self._pending.settle(url, Outcome(state, reason, rule, at, attempts))

    def refuse_for(self, url: int, reason: str, rule: int | None) -> None:
        """Change the reason of a refused URL."""
        self._pending.flush()
        self._db.execute("UPDATE url SET reason = ?, rule = ? WHERE id = ?", (reason, rule, url))

    def refused_on(self, hosts: Sequence[str], reasons: Sequence[str]) -> list[int]:
        """Return the ids of URLs that are refused for these reasons, on these hosts and on all of their domains."""
        domains = json.dumps(sorted({registrable_domain(name) for name in hosts}))
        sites = self._db.execute("SELECT id FROM site WHERE domain IN (SELECT value FROM json_each(?))", (domains,))
        known = json.dumps([site for (site,) in sites])
        if known == "[]":
            return []
        self._pending.flush()
        query = (
            f"SELECT id FROM url WHERE state = '{REFUSED}' AND reason IN (SELECT value FROM json_each(?))"
            " AND site IN (SELECT value FROM json_each(?)) ORDER BY id"
        )
        return [url for (url,) in self._db.execute(query, (json.dumps(reasons), known))]

    def put_off(self, url: int, attempts: int, due: float) -> None:
        self._pending.flush()
        self._db.execute("UPDATE url SET attempts = ?, due = ? WHERE id = ?", (attempts, due, url))

    def shorten(self, row: Row, path: UrlPath, priority: int) -> None:
        """Update a URL that has become nearer or gets a higher priority."""
        self._pending.shorten(row, path, priority)

    def demote(self, url: int, priority: int) -> None:
        """Put a queued URL behind all others of its host."""
        self._pending.flush()
        self._index.dequeue((url,))
        self._db.execute("UPDATE url SET demoted = 1, priority = ? WHERE id = ?", (priority, url))
        self._index.enqueue((url,))

    def reorder(
        self,
        name: str,
        score: Callable[[str, int], int],
        priority: Callable[[int, int, int, int], int],
        of_seeds: int = 0,
        seeds: Sequence[str] = (),
    ) -> None:
        """Put the queue into another order. `score` takes a URL and the score of seeds for one; `priority` takes depth,
        rank, score and whether a URL is demoted.

        Seeds, and sitemaps in a robots.txt, are found on no page. In a ring of a cluster, neither are the URLs that
        other rings have found.
        """
        self._pending.flush()
        self._db.create_function("score_of", 2, score, deterministic=True)
        self._db.create_function("priority_of", 4, priority, deterministic=True)
        first = "(found_on IS NULL AND (sitemap = 1 OR url IN (SELECT value FROM json_each(?2))))"
        self._db.execute(  # in one pass: with millions of URLs each is a rewrite of the table
            f"UPDATE url SET score = score_of(url, ?1 * {first}),"
            f" priority = priority_of(coalesce(depth, 0), rank, score_of(url, ?1 * {first}), demoted)",
            (of_seeds, json.dumps(seeds)),
        )
        self._index.reorder()
        self._db.execute("INSERT OR REPLACE INTO crawl VALUES ('queue_order', ?)", (text(name),))

    def requeue(self, url: int, path: UrlPath, priority: int) -> None:
        """Queue a refused URL that was rediscovered on a permitted path."""
        self._pending.flush()
        self._db.execute(
            f"UPDATE url SET {AS_QUEUED}, {PATH}, priority = ? WHERE id = ?",
            (*path, priority, url),
        )
        self._index.enqueue((url,))

    def refused_for(self, reason: Code, after: int, limit: int) -> list[Row]:
        """Return the first URLs that are refused for a reason, of those after the one with this id."""
        self._pending.flush()
        query = f"SELECT {COLUMNS} FROM url WHERE id > ? AND state = ? AND reason = ? ORDER BY id LIMIT ?"
        return [Row(*row) for row in self._db.execute(query, (after, REFUSED, reason, limit))]

    def queue_again(self, urls: Sequence[int]) -> None:
        """Queue URLs on their paths."""
        self._db.executemany(f"UPDATE url SET {AS_QUEUED} WHERE id = ?", [(url,) for url in urls])
        self._index.enqueue(urls)

    def refuse_each(self, rows: Sequence[tuple[Code, int | None, int]]) -> None:
        """Change the reasons and rules of refused URLs, each with its id."""
        self._db.executemany("UPDATE url SET reason = ?, rule = ? WHERE id = ?", rows)

    def queued(self, site: int, limit: int) -> list[Row]:
        """Return the next queued URLs of a site in order of priority."""
        self._pending.flush()
        query = f"SELECT {COLUMNS} FROM url WHERE id IN (SELECT id FROM ({FIRST_QUEUED})) ORDER BY priority, id"
        return [Row(*row) for row in self._db.execute(query, (site, limit))]

    def rows_of(self, sites: Sequence[int], state: str, after: int, limit: int) -> list[Row]:
        """Return the first URLs of these sites in this state, of those discovered after the one with this id."""
        self._pending.flush()
        rows = self._db.execute(
            f"SELECT {COLUMNS} FROM url WHERE id > ? AND state = ? AND site IN (SELECT value FROM json_each(?))"
            " ORDER BY id LIMIT ?",
            (after, state, json.dumps(sites), limit),
        )
        return [Row(*row) for row in rows]

    def foreign(self, first: int, end: int) -> list[tuple[str, UrlPath]]:
        """Return the URLs of other rings with an id from `first` to before `end`, and the paths that were sent."""
        self._pending.flush()
        columns = ", ".join(UrlPath._fields)
        rows = self._db.execute(
            f"SELECT url, {columns} FROM url WHERE id >= ? AND id < ? AND state = ? AND reason = ? ORDER BY id",
            (first, end, REFUSED, FOREIGN),
        )
        return [(url, UrlPath(*path)) for url, *path in rows]

    def moving(self, first: int, end: int) -> list[tuple[int, int, str, bool, bool, UrlPath]]:
        """Return (id, site, URL, whether it is queued, whether its reason is that it is foreign, path) of the URLs with
        an id from `first` to before `end` that are not refused, or foreign."""
        self._pending.flush()
        columns = ", ".join(UrlPath._fields)
        rows = self._db.execute(
            f"SELECT id, site, url, state = ?, reason = ?, {columns} FROM url"
            " WHERE id >= ? AND id < ? AND (state != ? OR reason = ?) ORDER BY id",
            (QUEUED, FOREIGN, first, end, REFUSED, FOREIGN),
        )
        return [
            (id, site, url, bool(queued), bool(foreign), UrlPath(*path))
            for id, site, url, queued, foreign, *path in rows
        ]

    def by_domain(self, first: int, end: int) -> list[tuple[str, str, str, int]]:
        """Return (registrable domain, first and last of its hosts, number) of the URLs with an id from `first` to
        before `end` that are not refused."""
        self._pending.flush()
        return self._db.execute(
            "SELECT domain, min(host), max(host), count(*) FROM url JOIN site ON site.id = url.site"
            " WHERE url.id >= ? AND url.id < ? AND state != ? GROUP BY domain",
            (first, end, REFUSED),
        ).fetchall()

    def give_away(self, urls: Sequence[int], now: float) -> None:
        """Make queued URLs foreign."""
        self._index.dequeue(urls)
        self._db.executemany(
            "UPDATE url SET state = ?, reason = ?, rule = NULL, processed = ?, due = 0 WHERE id = ?",
            [(REFUSED, FOREIGN, now, url) for url in urls],
        )
