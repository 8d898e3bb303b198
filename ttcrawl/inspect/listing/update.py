"""Brings view.db up to date with crawl.db, in small steps. Each is one transaction, so one that is killed is repeated.

New URLs come first, then those that were requested since, then all others in turn: a round over all URLs finds what
changes without a request (refused in its turn, queued again, deleted, marked as a duplicate). A step reads the rows of
some URLs, compares them with those in view.db, and writes what differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ttcrawl.inspect.listing.facets import FACETS, ROWS
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.view_db import SEGMENT, body_key
from ttcrawl.web.url import key

#: URLs, and requests, of a step.
URLS, REQUESTS = 5_000, 1_000

_TEMPORARY = (
    "CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE IF NOT EXISTS changed AS SELECT * FROM listing.listed WHERE 0",
    "CREATE TEMP TABLE IF NOT EXISTS stale (id INTEGER PRIMARY KEY)",
)
_EMPTY = ("DELETE FROM temp.changed", "DELETE FROM temp.stale")

#: {0}: a condition on the id; table `changed`: the new rows that differ. Table `stale`: the rows that they replace.
_COMPARE = (
    f"INSERT INTO temp.changed {ROWS} WHERE {{url}} EXCEPT SELECT * FROM listing.listed WHERE {{listed}}",
    "INSERT INTO temp.stale SELECT id FROM temp.changed UNION"
    " SELECT id FROM listing.listed WHERE {listed} AND id NOT IN (SELECT id FROM url WHERE {url})",
)
_COUNT = """
    INSERT INTO listing.tally (facet, state, value, urls)
    SELECT '{name}', {state}, ifnull({name}, ''), sum(sign) FROM (
        SELECT state, {name}, 1 AS sign FROM temp.changed UNION ALL
        SELECT state, {name}, -1 FROM listing.listed WHERE id IN (SELECT id FROM temp.stale))
    GROUP BY 2, 3 HAVING sum(sign) ORDER BY 2, 3
    ON CONFLICT DO UPDATE SET urls = urls + excluded.urls"""
_COUNTS = tuple(_COUNT.format(name=each.name, state=state) for each in FACETS for state in ("state", "''"))

#: The links of answers that are new. In order of the targets, so that the pages of the table are found together.
_PAIRS = f"""
    INSERT OR IGNORE INTO listing.pair SELECT DISTINCT source / {SEGMENT}, link.value, source
    FROM temp.changed CROSS JOIN outlinks ON source = changed.id
    CROSS JOIN json_each(CASE WHEN json_valid(targets) THEN targets ELSE '[]' END) AS link
    WHERE link.type = 'integer'
    AND changed.time IS NOT (SELECT time FROM listing.listed WHERE listed.id = changed.id) ORDER BY 1, 2, 3"""
_BODIES = """
    INSERT OR IGNORE INTO listing.body SELECT body_key(page.digest), page.url
    FROM temp.changed CROSS JOIN page ON page.url = changed.id
    WHERE typeof(page.digest) = 'blob' AND length(page.digest) >= 8 ORDER BY 1, 2"""
_REQUESTS = """
    INSERT OR IGNORE INTO listing.request SELECT CASE kind WHEN 'robots' THEN site ELSE url_key(url) END, id
    FROM visit WHERE id > ?1 AND id <= ?2 ORDER BY 1, 2"""
_REPLACE = (
    "DELETE FROM listing.listed WHERE id IN (SELECT id FROM temp.stale)",
    "INSERT INTO listing.listed SELECT * FROM temp.changed",
)


class Update:
    """Of a view to which view.db is attached as `listing`, open for writing."""

    def __init__(self, crawl: View) -> None:
        self._crawl = crawl
        crawl.define("url_key", 1, key)
        crawl.define("body_key", 1, body_key)
        for statement in _TEMPORARY:
            crawl.execute(statement)

    def step(self) -> bool:
        """Do some of the work. Return whether there was any, but for the round over all URLs."""
        self._crawl.renew()
        # the first statement writes: a transaction that has read before cannot wait for another writer
        self._crawl.execute("UPDATE listing.progress SET swept = swept")
        row = self._crawl.execute("SELECT last, visit, request FROM listing.progress").fetchone()
        if row is None:
            return self._begin()
        last, visit, request = row
        (newest,) = self._crawl.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
        (latest,) = self._crawl.execute("SELECT coalesce(max(id), 0) FROM visit").fetchone()
        if last < newest:
            self._set("last", self._segment(last, newest))
        elif visit < latest:
            self._requested(visit)
        elif request < latest:
            end = min(request + URLS, latest)
            self._crawl.execute(_REQUESTS, (request, end))
            self._set("request", end)
        return bool(last < newest or visit < latest or request < latest)

    def sweep(self) -> bool:
        """Compare the next URLs of the round over all of them. Return whether the round has ended."""
        self._crawl.renew()
        self._crawl.execute("UPDATE listing.progress SET swept = swept")
        last, swept = self._crawl.execute("SELECT last, swept FROM listing.progress").fetchone()
        end = self._segment(swept, max(last, swept))
        ended = bool(end >= last)
        self._set("swept", 0 if ended else end)
        return ended

    def done(self) -> None:
        """End the transaction of the last step."""
        self._crawl.rest()

    def _begin(self) -> bool:
        """What happens from now on is found by its request: the URLs are read after this."""
        self._crawl.execute(
            "INSERT INTO listing.progress SELECT ?, 0, coalesce(max(id), 0), 0, 0, '' FROM visit",
            (self._crawl.settings.get("started", ""),),
        )
        return True

    def _set(self, column: str, value: int) -> None:
        self._crawl.execute(f"UPDATE listing.progress SET {column} = ?", (value,))

    def _segment(self, after: int, last: int) -> int:
        """Read the URLs behind an id; return the id of the last one."""
        end = min(after + URLS, last)
        # behind the last URL of the crawl there are rows only if its last commits were lost with the power
        self._read(f"{{}} > {after} AND {{}} <= {end if end < last else 1 << 62}")
        return end

    def _requested(self, after: int) -> None:
        rows = self._crawl.execute(
            "SELECT id, url FROM visit WHERE id > ? ORDER BY id LIMIT ?", (after, REQUESTS)
        ).fetchall()
        self._choose({url for _, url in rows})
        self._read("{} IN (SELECT id FROM temp.chosen)")
        self._set("visit", rows[-1][0])

    def _choose(self, urls: Iterable[str]) -> None:
        ids = [id for url in urls if (id := self._crawl.url_id(url)) is not None]
        self._crawl.execute("DELETE FROM temp.chosen")
        self._crawl.execute("INSERT OR IGNORE INTO temp.chosen SELECT value FROM json_each(?)", (json.dumps(ids),))

    def _read(self, condition: str) -> None:
        """Compare the URLs whose ids fulfil a condition, with {} for the id, and write what differs."""
        names = {"url": condition.replace("{}", "url.id"), "listed": condition.replace("{}", "listed.id")}
        for statement in _EMPTY:
            self._crawl.execute(statement)
        for statement in _COMPARE:
            self._crawl.execute(statement.format(**names))
        if self._crawl.execute("SELECT 1 FROM temp.stale LIMIT 1").fetchone():
            for statement in (*_COUNTS, _PAIRS, _BODIES, *_REPLACE):
                self._crawl.execute(statement)
