"""Paths that were on their way to the owner of a URL when the cluster stopped, and are shorter than those it knew."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from ttcrawl.store.rows import UrlPath

#: The row `foreign` of the finder has the smallest numbers of all paths that were sent.
NOTE = """
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


def any_path(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM late LIMIT 1").fetchone() is not None


def paths(db: sqlite3.Connection) -> Iterator[tuple[str, UrlPath]]:
    """Yield URLs and paths; the caller may change other tables meanwhile."""
    (last,) = db.execute("SELECT coalesce(max(rowid), 0) FROM late").fetchone()
    for number in range(1, last + 1):
        url, *path = db.execute("SELECT * FROM late WHERE rowid = ?", (number,)).fetchone()
        yield url, UrlPath(*path)


def forget(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE late")
