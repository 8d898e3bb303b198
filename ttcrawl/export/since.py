"""Which documents may have changed since a moment, and which may be gone.

The moments are those at which answers were processed. They rise from commit to commit, so what is committed after a
snapshot is not older than the latest moment in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ttcrawl.export.sources import Source
from ttcrawl.snapshot.page_records import PAGE_RECORDS, PageRecord
from ttcrawl.snapshot.pieces import of_query
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.state import DELETED

_LATEST = "SELECT max((SELECT coalesce(max(processed), 0) FROM url), (SELECT coalesce(max(time), 0) FROM page))"

_CHANGED = """
    CREATE TEMP TABLE changed AS
    SELECT id AS url FROM url WHERE processed >= {0} UNION SELECT url FROM page WHERE time >= {0}"""

#: A deletion leaves no trace of what the pages linked to, or had the same bytes as.
_ALL = """
    INSERT OR IGNORE INTO temp.touched SELECT url FROM page WHERE EXISTS (SELECT 1 FROM deletion WHERE time >= {0})"""

#: Pages with the same bytes, now or before, are one document: another one of them may have become its first URL.
_SAME_BYTES = """
    INSERT OR IGNORE INTO temp.touched SELECT url FROM page WHERE digest IN (
        SELECT digest FROM page WHERE url IN (SELECT url FROM temp.changed)
        UNION ALL SELECT digest FROM earlier_page WHERE url IN (SELECT url FROM temp.changed))"""

#: A document has the links to it, also those that have come or gone.
_LINKED = """
    INSERT OR IGNORE INTO temp.touched SELECT url FROM page WHERE url IN (
        SELECT {0} FROM (
            SELECT targets FROM outlinks WHERE source IN (SELECT url FROM temp.changed)
            UNION ALL SELECT targets FROM earlier_outlinks WHERE source IN (SELECT url FROM temp.changed)
        ) AS source, json_each(source.targets) AS each)"""

#: URLs that answered before the moment, as a document may have done.
_BEFORE = f"""
    SELECT url.id, url.url FROM temp.touched JOIN url ON url.id = touched.url
    WHERE url.state = '{DELETED}' OR EXISTS (SELECT 1 FROM dropped WHERE url = url.id)
    OR EXISTS (SELECT 1 FROM page WHERE url = url.id AND time < {{0}} AND status BETWEEN 200 AND 299)
    OR EXISTS (SELECT 1 FROM earlier_page WHERE url = url.id AND time < {{0}} AND status BETWEEN 200 AND 299)
    ORDER BY url.id"""


def latest(db: View) -> float:
    """Return the moment of the last answer, from which the next export starts, in seconds since the epoch."""
    (moment,) = db.execute(_LATEST).fetchone()
    return float(moment)


#: The pages that may have changed, in the order of their ids, while there is a `Since`.
TOUCHED = Source(
    name="pages",
    row=PageRecord,
    pieces=of_query(
        PAGE_RECORDS.expressions,
        f"touched CROSS JOIN page ON page.url = touched.url {PAGE_RECORDS.joins}",
        "touched.url",
        PageRecord,
    ),
    count="SELECT count(*) FROM temp.touched",
)


class Since:
    """What has changed since a moment, in seconds since the epoch. `links`: also the pages whose links have changed."""

    def __init__(self, db: View, moment: float, *, links: bool = True) -> None:
        self._db, self._moment = db, moment
        db.execute(_CHANGED.format(moment))
        db.execute("CREATE TEMP TABLE touched (url INTEGER PRIMARY KEY)")
        db.execute("INSERT INTO temp.touched SELECT url FROM temp.changed")
        for statement in (_ALL, _SAME_BYTES):
            db.execute(statement.format(moment))
        if links:
            db.execute(_LINKED.format(db.id_of("each.value")))

    def deletions(self, documents: Collection[int]) -> Iterator[str]:
        """The URLs that were documents and are none now. `documents`: the ids of the documents among those touched."""
        for id, url in self._db.execute(_BEFORE.format(self._moment)).fetchall():
            if id not in documents:
                yield url
