"""The rows of deleted URLs: what is removed, and what is noted. Everything here is part of one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.maintain.delete.selection import GONE
from ttcrawl.store import deletions
from ttcrawl.store.database import Database
from ttcrawl.store.totals import bring_up_to_date
from ttcrawl.vocabulary.reason import DELETED_BY_USER
from ttcrawl.vocabulary.state import DELETED, FETCHED, QUEUED

#: The tables with rows of a page, besides those that need more care: table -> column of its URL.
_OF_PAGE = {
    **{name: "url" for name in ("page", "metadata", "text", "fields", "topic", "link_score")},
    "outlinks": "source",
    **{f"earlier_{name}": "url" for name in ("page", "metadata", "text", "fields", "topic", "link_score")},
    "earlier_outlinks": "source",
    **{name: "url" for name in ("image", "document", "unread", "audit", "soft_404", "fingerprint", "duplicate")},
    "revisit": "url",
    **{name: "url" for name in ("dropped", "vanished", "vanished_print", "vanished_key", "unlinked")},
    "browser_use": "url",
    "failed_steps": "url",
    "resource": "page",
    "link_meta": "url",
}

#: The records of answers to scripts of selected pages that no other page needs.
_RESOURCES = f"""
    SELECT '{deletions.RECORD}', file, offset, size FROM resource WHERE page IN ({GONE}) AND NOT EXISTS (
        SELECT 1 FROM resource AS other
        WHERE other.file = resource.file AND other.offset = resource.offset AND other.page NOT IN ({GONE})
    )"""

_COUNTS = f"""
    SELECT count(*), coalesce(sum(state = '{FETCHED}'), 0), coalesce(sum(state = '{QUEUED}'), 0),
           (SELECT count(*) FROM answer WHERE url IN ({GONE}) AND file != ''),
           (SELECT coalesce(sum(links), 0) FROM page WHERE url IN ({GONE}))
    FROM gone"""

#: Other URLs with the same content as a selected one.
_SAME = f"""
    SELECT count(*) FROM (
        SELECT url FROM duplicate WHERE coalesce(duplicate_of, near_duplicate_of) IN ({GONE})
        UNION SELECT coalesce(duplicate_of, near_duplicate_of) FROM duplicate WHERE url IN ({GONE})
        UNION SELECT url FROM duplicate WHERE duplicate_of IN (SELECT duplicate_of FROM duplicate WHERE url IN ({GONE}))
    ) WHERE url NOT IN ({GONE})"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What is selected."""

    urls: int
    pages: int  # of `urls`: fetched
    queued: int  # of `urls`: not requested yet
    records: int  # in WARC files, with records of earlier answers
    links: int  # occurrences on the pages
    same: int  # other URLs that are duplicates or originals of selected ones


def counts(db: Database) -> Counts:
    urls, pages, queued, records, links = db.execute(_COUNTS).fetchone()
    (same,) = db.execute(_SAME).fetchone()
    return Counts(urls=urls, pages=pages, queued=queued, records=records, links=links, same=same)


def delete(db: Database, what: str, now: float) -> None:
    """Delete the rows of the URLs in table `gone`. Their fingerprints have left their buckets already."""
    count, rule = counts(db), f"ttcrawl delete {what}"
    db.execute(
        "INSERT INTO deletion (time, what, urls, pages, links) VALUES (?, ?, ?, ?, ?)",
        (now, what, count.urls, count.pages, count.links),
    )
    db.execute("INSERT INTO rule (text) VALUES (?) ON CONFLICT DO NOTHING", (rule,))
    _note_files(db)
    for table, column in _OF_PAGE.items():
        db.execute(f"DELETE FROM {table} WHERE {column} IN ({GONE})")
    db.execute(f"DELETE FROM link_meta WHERE source IN ({GONE})")  # it comes from the page
    db.execute(f"DELETE FROM queue WHERE id IN ({GONE})")
    db.execute(
        "UPDATE url SET state = ?, reason = ?, rule = (SELECT id FROM rule WHERE text = ?), processed = ?, due = 0"
        f" WHERE id IN ({GONE})",
        (DELETED, DELETED_BY_USER, rule, now),
    )
    db.execute(
        f"UPDATE site SET fetched = (SELECT count(*) FROM url WHERE url.site = site.id AND state = '{FETCHED}')"
        " WHERE id IN (SELECT site FROM gone)"
    )
    bring_up_to_date(db)


def _note_files(db: Database) -> None:
    """Note what is left over on the disk."""
    db.execute(
        "INSERT OR IGNORE INTO leftover (kind, file, offset, size)"
        f" SELECT '{deletions.RECORD}', file, offset, size FROM answer WHERE url IN ({GONE}) AND file != ''"
    )
    db.execute(f"INSERT OR IGNORE INTO leftover (kind, file, offset, size) {_RESOURCES}")
    for table in ("image", "document"):
        db.execute(
            "INSERT OR IGNORE INTO leftover (kind, file)"
            f" SELECT '{deletions.SAVED}', saved FROM {table} WHERE saved != '' AND url IN ({GONE})"
        )
    names = [(deletions.DERIVED, name) for name in deletions.MADE_AGAIN]
    db.executemany("INSERT OR IGNORE INTO leftover (kind, file) VALUES (?, ?)", names)
