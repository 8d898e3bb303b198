"""The new ids of sites, URLs and rules, and the rows of these tables.

A URL has a row in each ring that has found it. The row of its owner, or of an earlier one, has what became of it; those
of other rings say `foreign`, or why the URL was not sent to its owner. So each URL takes one row, and `id_of_url` says
which. Its new id is its position in the order of discovery by all rings.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from ttcrawl.store.columns import columns
from ttcrawl.store.rows import UrlPath
from ttcrawl.vocabulary.reason import FOREIGN, KIND
from ttcrawl.vocabulary.state import ANSWERED

#: `owned`: the host belongs to the ring. `choice`: which row of a URL wins, the smallest: an answer to its owner, one
#: to an earlier owner, what they say, a URL that was sent but has not arrived (it is queued), why it was not sent, a
#: link that is only recorded.
TEMPORARY = (
    "CREATE TEMP TABLE host_row (ring INTEGER, old INTEGER, host TEXT, owned INTEGER, requested INTEGER, next_at REAL,"
    " PRIMARY KEY (ring, old)) WITHOUT ROWID",
    "CREATE TEMP TABLE discovery (ring INTEGER, old INTEGER, url TEXT, key INTEGER, moment REAL, found_on INTEGER,"
    " choice INTEGER, aside INTEGER)",
    "CREATE TEMP TABLE rule_row (ring INTEGER, old INTEGER, text TEXT, PRIMARY KEY (ring, old)) WITHOUT ROWID",
    "CREATE TEMP TABLE path (ring INTEGER, old INTEGER, depth INTEGER, redirects INTEGER, off_domain INTEGER,"
    " off_topic INTEGER, rank INTEGER, score INTEGER, sitemap INTEGER, requisite INTEGER, sent INTEGER,"
    " PRIMARY KEY (ring, old)) WITHOUT ROWID",
    # without declared types an index would not be used for what is compared with a column of the crawl
    *(
        f"CREATE TEMP TABLE id_of_{table} (ring INTEGER, old INTEGER, new INTEGER, own INTEGER{more},"
        " PRIMARY KEY (ring, old)) WITHOUT ROWID"
        for table, more in (("site", ""), ("url", ", discovered REAL, opened INTEGER"), ("rule", ""))
    ),
)

_HOSTS = "INSERT INTO host_row SELECT ?1, id, host, owner_of(host) = ?1, requested, next_at FROM ring.site"
_DISCOVERIES = f"""
    INSERT INTO discovery SELECT ?1, id, url, key, discovered, found_on,
        CASE WHEN state IN {ANSWERED} THEN iif(owned, -1, 0) WHEN reason = '{FOREIGN}' THEN 2
             WHEN reason = '{KIND}' THEN 4 WHEN owned OR state NOT IN ('refused', 'queued') THEN 1 ELSE 3 END,
        reason = '{KIND}'
    FROM ring.url JOIN host_row ON host_row.ring = ?1 AND host_row.old = url.site"""
_PATHS = f"""
    INSERT INTO path SELECT ?1, id, depth, redirects, off_domain, off_topic, rank, score, sitemap, requisite,
        reason = '{FOREIGN}'
    FROM ring.url WHERE state = 'refused'"""
_RULES = "INSERT INTO rule_row SELECT ?1, id, text FROM ring.rule"

#: `own`: this row is the one of its site or URL. `discovered`: when any ring found the URL. `opened`: it is the first
#: row with a link that is followed, by which the growth of the crawl counts the URL.
_IDS = (
    """INSERT INTO id_of_site
    SELECT ring, old, dense_rank() OVER (ORDER BY first, host) AS new, turn = 1 AS own FROM (
        SELECT ring, old, host, min(old) OVER (PARTITION BY host) AS first,
               row_number() OVER (PARTITION BY host ORDER BY owned DESC, requested DESC, ring) AS turn
        FROM host_row)""",
    """INSERT INTO id_of_url
    SELECT ring, old, dense_rank() OVER (ORDER BY discovered, first_ring, first_old) AS new, turn = 1 AS own,
           discovered, NOT aside AND place = 1 AS opened FROM (
        SELECT ring, old, aside, first_value(moment) OVER each AS discovered, first_value(ring) OVER each AS first_ring,
               first_value(old) OVER each AS first_old,
               row_number() OVER (PARTITION BY url ORDER BY choice, ring) AS turn,
               row_number() OVER (PARTITION BY url, aside ORDER BY moment, ring, old) AS place
        FROM discovery WINDOW each AS (PARTITION BY url ORDER BY moment, ring, old))""",
    """INSERT INTO id_of_rule
    SELECT ring, old, dense_rank() OVER (ORDER BY text) AS new,
           row_number() OVER (PARTITION BY text ORDER BY ring) = 1 AS own FROM rule_row""",
    "CREATE INDEX temp.url_new ON id_of_url (new)",
)

_SITE = "(SELECT new FROM id_of_site WHERE ring = ?1 AND old = site)"
_RULE = "(SELECT new FROM id_of_rule WHERE ring = ?1 AND old = rule)"
_SENT = f"reason = '{FOREIGN}'"
#: What the columns of `url` become; the others stay.
_CHANGED = {
    "id": "id_of_url.new",
    "key": "coalesce((SELECT key FROM key_of_url WHERE id = id_of_url.new), each.key)",
    "site": _SITE,
    "state": f"iif({_SENT}, 'queued', state)",
    "reason": f"iif({_SENT}, '', reason)",
    "rule": f"iif({_SENT}, NULL, {_RULE})",
    "processed": f"iif({_SENT}, NULL, processed)",
    "discovered": "id_of_url.discovered",
    "found_on": "NULL",
}

#: The earliest discovery on a page, by any ring; a seed has none.
_FOUND_ON = """
    UPDATE url SET found_on = source FROM (
        SELECT own.new AS id, page.new AS source, row_number() OVER (
                   PARTITION BY own.new ORDER BY page.new >= own.new, moment, found.ring, found.old) AS turn
        FROM discovery AS found JOIN id_of_url AS own ON own.ring = found.ring AND own.old = found.old
        JOIN id_of_url AS page ON page.ring = found.ring AND page.old = found.found_on
        WHERE found.url NOT IN (SELECT value FROM json_each(?))
    ) AS first WHERE first.id = url.id AND turn = 1"""

#: Each ring knows the paths from its own pages to a refused URL; the smallest numbers hold over all paths. A path
#: that was sent changes more than the numbers, so the ledger receives it: see `late_paths`.
_JOINED = """
    UPDATE url SET depth = least.depth, redirects = coalesce(least.redirects, url.redirects),
        off_domain = coalesce(least.off_domain, url.off_domain), off_topic = coalesce(least.off_topic, url.off_topic),
        rank = coalesce(least.rank, url.rank), score = least.score, sitemap = coalesce(least.sitemap, 0),
        requisite = coalesce(least.requisite, 0)
    FROM (
        SELECT new, min(depth) AS depth, min(redirects) FILTER (WHERE depth NOT NULL) AS redirects,
               min(off_domain) FILTER (WHERE depth NOT NULL) AS off_domain,
               min(off_topic) FILTER (WHERE depth NOT NULL) AS off_topic,
               min(rank) FILTER (WHERE depth NOT NULL) AS rank, max(score) AS score,
               min(nullif(sitemap, 0)) AS sitemap, min(nullif(requisite, 0)) AS requisite
        FROM path JOIN id_of_url USING (ring, old) WHERE NOT sent GROUP BY new HAVING count(*) > 1
    ) AS least WHERE least.new = url.id AND state = 'refused'"""


#: Sent paths to the owner of a URL that had not arrived, and are shorter than those it knew. The row `foreign` of the
#: finder has the smallest numbers of all paths that were sent.
_LATE = """
    CREATE TABLE late AS
    SELECT url.url, path.depth, path.redirects, path.off_domain, path.rank, path.sitemap, path.requisite,
           path.off_topic, path.score
    FROM path JOIN id_of_url USING (ring, old) JOIN url ON url.id = id_of_url.new
    WHERE sent AND NOT own AND (
        coalesce(path.depth, 1 << 62) < coalesce(url.depth, 1 << 62)
        OR path.depth NOT NULL AND (path.redirects < url.redirects OR path.off_domain < url.off_domain
            OR path.off_topic < url.off_topic OR path.rank < url.rank)
        OR path.score > url.score
        OR path.sitemap > 0 AND (url.sitemap = 0 OR path.sitemap < url.sitemap)
        OR path.requisite > 0 AND (url.requisite = 0 OR path.requisite < url.requisite))"""


def collect(db: sqlite3.Connection, ring: int) -> None:
    """Read the sites, URLs and rules of the attached ring. `owner_of(host)` is defined."""
    for query in (_HOSTS, _DISCOVERIES, _PATHS, _RULES):
        db.execute(query, (ring,))


def number(db: sqlite3.Connection) -> None:
    """Give all sites, URLs and rules their new ids, once all rings are read."""
    for statement in _IDS:
        db.execute(statement)


def copy(db: sqlite3.Connection, ring: int) -> None:
    """Copy the rows that the attached ring has for all."""
    for table, changed in (("site", {"id": "id_of_site.new"}), ("url", _CHANGED), ("rule", {"id": "id_of_rule.new"})):
        names = columns(table)
        values = ", ".join(changed.get(name, f"each.{name}") for name in names)
        db.execute(
            f"INSERT INTO main.{table} ({', '.join(names)}) SELECT {values} FROM ring.{table} AS each"
            f" CROSS JOIN id_of_{table} ON id_of_{table}.ring = ?1 AND id_of_{table}.old = each.id"
            f" WHERE id_of_{table}.own",
            (ring,),
        )


def join(db: sqlite3.Connection, seeds: str) -> None:
    """Join what several rings know of a URL or a host. `seeds`: their URLs, a JSON array."""
    db.execute(_FOUND_ON, (seeds,))
    db.execute(_JOINED)
    db.execute(
        "UPDATE site SET next_at = latest FROM (SELECT new, max(next_at) AS latest FROM host_row"
        " JOIN id_of_site USING (ring, old) GROUP BY new HAVING count(*) > 1) AS rows WHERE rows.new = site.id"
    )


def note_late(db: sqlite3.Connection) -> None:
    """Note the paths that were on their way when the cluster stopped, in a table of their own."""
    db.execute(_LATE)


def late_paths(db: sqlite3.Connection) -> Iterator[tuple[str, UrlPath]] | None:
    """Return their URLs and paths, None without any; the caller may change other tables meanwhile."""
    (last,) = db.execute("SELECT coalesce(max(rowid), 0) FROM late").fetchone()
    rows = (db.execute("SELECT * FROM late WHERE rowid = ?", (each,)).fetchone() for each in range(1, last + 1))
    return ((url, UrlPath(*path)) for url, *path in rows) if last else None


def forget_late(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE late")
