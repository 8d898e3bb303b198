"""crawl.db: the only writer is the crawl process, through this class. One transaction per group of outcomes.

Statements are executed at once inside the open transaction, so every look-up sees earlier writes. Rows that are written
once and not read while crawling (pages, links, visits) are collected and written in batches.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.messages import Moved, Page, Same
from ttcrawl.store import cookies, copies, ended, pages, versions
from ttcrawl.store.batches import Batches
from ttcrawl.store.buckets import Buckets
from ttcrawl.store.database import connect
from ttcrawl.store.fingerprints import Fingerprints
from ttcrawl.store.index import FIRST_QUEUED, OF_KEY, Index
from ttcrawl.store.moments import Moments
from ttcrawl.store.patterns import PatternRows
from ttcrawl.store.rows import COLUMNS, SITE_COLUMNS, NewUrl, NewVisit, Row, Sample, SiteRow, UrlPath, insert
from ttcrawl.store.schema import TABLES, VERSION
from ttcrawl.store.sizes import USUAL, Sizes
from ttcrawl.store.soft404 import Soft404s
from ttcrawl.vocabulary.region import MARK_DUPLICATE
from ttcrawl.vocabulary.state import QUEUED
from ttcrawl.web.cookies.jar import Cookie
from ttcrawl.web.storable import text

INSERT_URL, INSERT_VISIT = insert("url", NewUrl), insert("visit", NewVisit)
INSERT_SAMPLE = insert("growth", Sample, verb="INSERT OR REPLACE")
PATH = ", ".join(f"{column} = ?" for column in UrlPath._fields)


class Store:
    """An open crawl.db. `create` makes its tables; without it they must exist.

    `power` syncs every commit to the disk, so that committed data survives a power failure. `db` is the connection,
    for a caller that looks into the open transaction too; None: one of its own.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = False,
        power: bool = False,
        sizes: Sizes = USUAL,
        db: sqlite3.Connection | None = None,
    ) -> None:
        self._path, self._power = path, power
        self._db = db or connect(path, power=power)
        if create:
            self._db.executescript(TABLES)
        else:
            versions.upgrade(self._db)
        self._index = Index(self._db, sizes.new_urls)
        self.soft_404s = Soft404s(self._db)
        self.buckets, self.fingerprints = Buckets(self._db, sizes), Fingerprints(self._db)
        self.patterns, self.moments = PatternRows(self._db), Moments(self._db)
        self._file = os.lstat(path)
        self._db.execute("BEGIN")
        if create:
            self.set(schema_version=VERSION)
        self._batches = Batches(self._db)

    # -- the transaction ------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Commit. Raises CrawlFailedError if the file has been removed or replaced: the commit would be lost."""
        self.must_be_there()
        self.flush()
        self._index.sweep()
        self.buckets.sweep()
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    @property
    def there(self) -> bool:
        """Whether the file still has its name: it was neither removed nor replaced."""
        try:
            return os.path.samestat(self._file, os.lstat(self._path))
        except OSError:
            return False

    def must_be_there(self) -> None:
        """Raises CrawlFailedError if the file was removed or replaced: the directory is not ours to change then."""
        if not self.there:
            raise CrawlFailedError(f"{self._path} was removed or replaced during the crawl")

    @property
    def seen_file(self) -> Path:
        """The file of the seen filter."""
        return self._path.with_name("seen.bloom")

    def disk_left(self) -> int:
        """Return the free bytes on the file system of the crawl directory."""
        return shutil.disk_usage(self._path.parent).free

    def flush(self) -> None:
        """Write the collected rows (still inside the transaction). Raises UnstorableError."""
        self._batches.flush()

    def close(self) -> None:
        """Commit and close; afterwards the directory has crawl.db alone, without write-ahead log.

        If a process is reading, the log stays, without harm: crawl.db has all changes up to the moment that it reads.
        """
        self.flush()
        self._index.complete()
        self.buckets.complete()
        self._db.execute("COMMIT")
        self._db.execute("PRAGMA wal_checkpoint")
        with contextlib.suppress(sqlite3.OperationalError):  # a process is reading
            self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()

    def rollback(self) -> None:
        """Return to the last commit."""
        self._batches.clear()
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._index.restart()
        self.buckets.close()
        self._db.execute("BEGIN")

    def abandon(self) -> None:
        """Close, if it is still open, without uncommitted changes."""
        with contextlib.suppress(sqlite3.Error):
            self._db.close()

    # -- the crawl ------------------------------------------------------------------------------------------------

    def set(self, **values: object) -> None:
        rows = [(name, text(str(value))) for name, value in values.items()]
        self._db.executemany("INSERT OR REPLACE INTO crawl VALUES (?, ?)", rows)

    def why_nothing(self) -> str:
        """Return why no page was fetched, in one line; "" if one was."""
        return ended.why_nothing(self._db)

    def about(self) -> dict[str, str]:
        """Return table `crawl`, name -> value."""
        return dict(self._db.execute("SELECT name, value FROM crawl"))

    def set_archive(self, sizes: Mapping[str, int]) -> None:
        """Note the new sizes of WARC files; with `power` they are on the disk before the rows that refer to them."""
        for name in sizes if self._power else ():
            with open(self._path.parent / "warc" / name, "rb") as file:
                os.fsync(file.fileno())
        self._db.executemany("INSERT OR REPLACE INTO archive VALUES (?, ?)", sizes.items())

    def archive(self) -> dict[str, int]:
        """Return file name -> size in bytes up to the last record in the tables."""
        return dict(self._db.execute("SELECT file, size FROM archive"))

    # -- cookies --------------------------------------------------------------------------------------------------

    def cookies(self) -> list[Cookie]:
        """Return the cookies in the order in which they were first set."""
        return cookies.read(self._db)

    def set_cookies(self, changed: Sequence[Cookie], expired: Sequence[tuple[str, str, str]]) -> None:
        cookies.write(self._db, changed, expired)

    # -- sites ----------------------------------------------------------------------------------------------------

    def site(self, host: str) -> SiteRow | None:
        row = self._db.execute(f"SELECT {SITE_COLUMNS} FROM site WHERE host = ?", (host,)).fetchone()
        return SiteRow(*row) if row else None

    def site_by_id(self, site: int) -> SiteRow:
        return SiteRow(*self._db.execute(f"SELECT {SITE_COLUMNS} FROM site WHERE id = ?", (site,)).fetchone())

    def sites_with_queue(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return (id, host) of the sites with queued URLs after site `after`: one step in the index for each."""
        return self._db.execute(
            "WITH RECURSIVE waiting (site) AS (SELECT ?1 UNION ALL SELECT ("
            " SELECT min(site) FROM (SELECT min(site) AS site FROM queue WHERE site > waiting.site UNION ALL"
            " SELECT min(site) FROM fresh_queue WHERE site > waiting.site))"
            " FROM waiting WHERE waiting.site IS NOT NULL LIMIT ?2 + 1)"
            " SELECT site.id, site.host FROM waiting JOIN site ON site.id = waiting.site WHERE waiting.site != ?1",
            (after, limit),
        ).fetchall()

    def add_site(self, host: str, domain: str) -> int:
        cursor = self._db.execute("INSERT INTO site (host, domain) VALUES (?, ?)", (host, domain))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def update_site(self, site: int, **values: object) -> None:
        names = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE site SET {names} WHERE id = ?", (*values.values(), site))

    def robots(self, site: int) -> str:
        """Return the robots.txt of a site as it was read last."""
        row = self._db.execute("SELECT robots FROM site WHERE id = ?", (site,)).fetchone()
        return (row[0] if row else None) or ""

    def add_robots(self, site: int, at: float, url: str, status: int, text: str) -> None:
        """Store a robots.txt that was read, if it differs from the last one."""
        last = self._db.execute(
            "SELECT url, status, text FROM robots WHERE site = ? ORDER BY time DESC LIMIT 1", (site,)
        ).fetchone()
        if last != (url, status, text):
            self._db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?, ?)", (site, at, url, status, text))

    # -- the ledger -----------------------------------------------------------------------------------------------

    def keys(self, after: int) -> Iterator[int]:
        """Return the keys of the URLs discovered after the one with this id."""
        return (key for (key,) in self._db.execute("SELECT key FROM url WHERE id > ?", (after,)))

    def last_id(self) -> int:
        last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()[0]
        return last

    def find(self, key: int) -> Row | None:
        row = self._db.execute(f"SELECT {COLUMNS} FROM url WHERE id = {OF_KEY}", (key,)).fetchone()
        return Row(*row) if row else None

    def row(self, url: int) -> Row:
        return Row(*self._db.execute(f"SELECT {COLUMNS} FROM url WHERE id = ?", (url,)).fetchone())

    def source(self, url: int) -> tuple[str, bytes] | None:
        """Return the page on which a URL was first discovered, and the digest of its bytes."""
        row = self._db.execute(
            "SELECT source.url, digest FROM url JOIN url AS source ON source.id = url.found_on"
            " JOIN page ON page.url = source.id WHERE url.id = ?",
            (url,),
        ).fetchone()
        return (row[0], row[1]) if row else None

    def add_urls(self, rows: Sequence[NewUrl]) -> None:
        """Add URLs by rising id."""
        if not rows:
            return
        self._db.executemany(INSERT_URL, rows)
        self._index.add(rows[0][0])

    def rule(self, rule: str) -> int | None:
        """Return the id of a rule, whose text may come from a command line; None if it is empty."""
        if not rule:
            return None
        row = (text(rule),)
        self._db.execute("INSERT INTO rule (text) VALUES (?) ON CONFLICT DO NOTHING", row)
        found: int = self._db.execute("SELECT id FROM rule WHERE text = ?", row).fetchone()[0]
        return found

    def settle(self, url: int, state: str, reason: str, rule: int | None, at: float, attempts: int) -> None:
        """Store the state of a URL that leaves the queue."""
        site, priority = self._db.execute(
            "UPDATE url SET state = ?, reason = ?, rule = ?, processed = ?, attempts = ?, due = 0 WHERE id = ?"
            " RETURNING site, priority",
            (state, reason, rule, at, attempts, url),
        ).fetchone()
        self._index.dequeue(url, site, priority)

    def refuse_for(self, url: int, reason: str, rule: int | None) -> None:
        """Change the reason of a refused URL."""
        self._db.execute("UPDATE url SET reason = ?, rule = ? WHERE id = ?", (reason, rule, url))

    def put_off(self, url: int, attempts: int, due: float) -> None:
        self._db.execute("UPDATE url SET attempts = ?, due = ? WHERE id = ?", (attempts, due, url))

    def shorten(self, row: Row, path: UrlPath, priority: int) -> None:
        """Update a URL that has become nearer or gets a higher priority."""
        self._db.execute(
            f"UPDATE url SET {PATH}, priority = ? WHERE id = ?",
            (*path, priority, row.id),
        )
        if row.state == QUEUED and priority != row.priority:
            self._index.dequeue(row.id, row.site, row.priority)
            self._index.enqueue(row.id)

    def demote(self, url: int, site: int, before: int, priority: int) -> None:
        """Put a queued URL behind all others of its host."""
        self._db.execute("UPDATE url SET demoted = 1, priority = ? WHERE id = ?", (priority, url))
        self._index.dequeue(url, site, before)
        self._index.enqueue(url)

    def reorder(self, name: str, score: Callable[[str], int], priority: Callable[[int, int, int, int], int]) -> None:
        """Put the queue into another order. `priority` takes depth, rank, score and whether a URL is demoted."""
        self._db.create_function("score_of", 1, score, deterministic=True)
        self._db.create_function("priority_of", 4, priority, deterministic=True)
        self._db.execute("UPDATE url SET score = score_of(url)")
        self._db.execute("UPDATE url SET priority = priority_of(coalesce(depth, 0), rank, score, demoted)")
        self._index.reorder()
        self.set(queue_order=name)

    def requeue(self, url: int, path: UrlPath, priority: int) -> None:
        """Queue a refused URL that was rediscovered on a permitted path."""
        self._db.execute(
            "UPDATE url SET state = 'queued', reason = '', rule = NULL, processed = NULL,"
            f" {PATH}, priority = ? WHERE id = ?",
            (*path, priority, url),
        )
        self._index.enqueue(url)

    def queued(self, site: int, limit: int) -> list[Row]:
        """Return the next queued URLs of a site in order of priority."""
        query = f"SELECT {COLUMNS} FROM url WHERE id IN (SELECT id FROM ({FIRST_QUEUED})) ORDER BY priority, id"
        return [Row(*row) for row in self._db.execute(query, (site, limit))]

    def rows_of(self, sites: Sequence[int], state: str, after: int, limit: int) -> list[Row]:
        """Return the first URLs of these sites in this state, of those discovered after the one with this id."""
        rows = self._db.execute(
            f"SELECT {COLUMNS} FROM url WHERE id > ? AND state = ? AND site IN (SELECT value FROM json_each(?))"
            " ORDER BY id LIMIT ?",
            (after, state, json.dumps(sites), limit),
        )
        return [Row(*row) for row in rows]

    def outlinks(self, source: int) -> Iterator[tuple[int, int, int]]:
        """Yield (key of the target, letter of its kind, letter of its region) of every link of a page, in order."""
        self.flush()
        row = self._db.execute("SELECT targets, kinds, regions FROM outlinks WHERE source = ?", (source,)).fetchone()
        if row:
            yield from zip(json.loads(row[0]), row[1], row[2], strict=True)

    def stop_links(self, source: int) -> None:
        """Mark the links of a page as not followed, because it is a duplicate."""
        self.flush()
        for (regions,) in self._db.execute("SELECT regions FROM outlinks WHERE source = ?", (source,)).fetchall():
            row = (regions.translate(MARK_DUPLICATE), source)
            self._db.execute("UPDATE outlinks SET regions = ? WHERE source = ?", row)

    # -- outcomes -------------------------------------------------------------------------------------------------

    def add_answer(self, url: int, at: float, status: int, answer: Page | Moved, payload: int | None = None) -> None:
        for statement, row in pages.rows(url, at, status, answer, payload):
            self._batches.add(statement, row, url)

    def add_copy(self, url: int, key: int, at: float, status: int, same: Same, payload: int) -> copies.Copied:
        """Copy the original's rows for a response that was not parsed; `payload`: the URL with the archived bytes."""
        self.flush()
        return copies.copy(self._db, url, key, at, status, same, payload)

    def add_visit(self, row: NewVisit) -> None:
        self._batches.add(INSERT_VISIT, row, row[1])

    def add_growth(self, row: Sample) -> None:
        self._batches.add(INSERT_SAMPLE, row, "")
