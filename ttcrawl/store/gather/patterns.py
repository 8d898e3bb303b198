"""Table `pattern`: a host that has moved has patterns in each ring that owned it, and the whole has their sums."""

from __future__ import annotations

import sqlite3

from ttcrawl.vocabulary.reason import DUPLICATE_PATTERN

_COPY = """
    INSERT INTO main.pattern
    SELECT owner.new, text, fetched, duplicates, repeating, put_last, refused FROM ring.pattern AS each
    JOIN id_of_site AS owner ON owner.ring = ?1 AND owner.old = each.site WHERE true
    ON CONFLICT (site, text) DO UPDATE SET fetched = fetched + excluded.fetched,
        duplicates = duplicates + excluded.duplicates, repeating = max(repeating, excluded.repeating),
        put_last = put_last + excluded.put_last, refused = refused + excluded.refused"""

#: What an earlier owner had put last or refused may be queued, or was requested, at the next one. So its patterns count
#: too many: the difference is taken from those that count most.
_CORRECTED = """
    UPDATE pattern SET {column} = pattern.{column} - max(0, min(pattern.{column}, surplus - larger)) FROM (
        SELECT pattern.site, text, sum({column}) OVER (PARTITION BY pattern.site) - coalesce(urls, 0) AS surplus,
               sum({column}) OVER (PARTITION BY pattern.site ORDER BY {column} DESC, text) - {column} AS larger
        FROM pattern LEFT JOIN (SELECT site, sum({urls}) AS urls FROM url GROUP BY site) AS decided
        ON decided.site = pattern.site
    ) AS sums WHERE sums.site = pattern.site AND sums.text = pattern.text"""


def copy(db: sqlite3.Connection, ring: int) -> None:
    """Add the rows of the attached ring."""
    db.execute(_COPY, (ring,))


def join(db: sqlite3.Connection) -> None:
    """Let the patterns of each host count its URLs, once all rings are copied."""
    db.execute(_CORRECTED.format(column="put_last", urls="demoted"))
    db.execute(_CORRECTED.format(column="refused", urls=f"reason = '{DUPLICATE_PATTERN}'"))
