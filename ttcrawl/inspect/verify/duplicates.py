"""Checks of the tables of duplicates against each other and the pages, in the form of `tables` beside it."""

from __future__ import annotations

import json

from ttcrawl.engine.duplicates.marks import order
from ttcrawl.read.fingerprints import keys
from ttcrawl.store.database import Database

#: The pages of each bucket, and the first page that the table has for it. `bucket` may lack pages after the one in
#: `bucketed`, but its rows must be correct.
PRINTED = "fingerprint JOIN url ON url.id = fingerprint.url"
IN_BUCKETS = f"""
    FROM {PRINTED}, json_each(buckets_of(fingerprint.bytes, fingerprint.text, fingerprint.bands)) AS each
    LEFT JOIN bucket ON bucket.key = each.value LEFT JOIN fingerprint AS head ON head.n = bucket.n
    LEFT JOIN url AS first ON first.id = head.url
"""
ORDER = "order_of({0}.depth, {0}.rank, {0}.url)"
BUCKETED = "coalesce((SELECT CAST(value AS INTEGER) FROM crawl WHERE name = 'bucketed'), 0)"
CHECKS = {
    "fingerprint: of a page that was not fetched": f"SELECT url.url FROM {PRINTED} WHERE state != 'fetched'",
    "bucket: lacks a page": f"SELECT url.url {IN_BUCKETS} WHERE bucket.key IS NULL AND fingerprint.n <= {BUCKETED}",
    "bucket: its first page is not the first, or not there": f"""
        SELECT url.url {IN_BUCKETS} WHERE bucket.key IS NOT NULL
        AND (first.id IS NULL OR {ORDER.format("first")} > {ORDER.format("url")})""",
    "bucket: its first page is not in it": """
        SELECT bucket.key FROM bucket LEFT JOIN fingerprint ON fingerprint.n = bucket.n
        WHERE bucket.key NOT IN (SELECT value FROM json_each(buckets_of(bytes, text, bands)))""",
    "duplicate: lacks a page with the bytes or the text of another": f"""
        SELECT url.url {IN_BUCKETS} WHERE each.value IN (SELECT value FROM json_each(buckets_of(
            fingerprint.bytes, fingerprint.text, x''))) AND first.id != url.id
        AND NOT EXISTS (SELECT 1 FROM duplicate WHERE duplicate.url = url.id AND duplicate_of IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM unsettled)
        AND (SELECT value LIKE 'True %' FROM crawl WHERE name = 'marked_by')""",
    "duplicate: of nothing, or of two pages": """
        SELECT duplicate.url FROM duplicate
        WHERE (duplicate_of IS NULL) = (near_duplicate_of IS NULL) OR (same = 'near') = (near_duplicate_of IS NULL)
        OR same NOT IN ('bytes', 'text', 'near') OR similarity NOT BETWEEN 0 AND 1""",
    "duplicate: of a page that does not come before it, or was not fetched": f"""
        SELECT url.url FROM duplicate JOIN url ON url.id = duplicate.url
        LEFT JOIN url AS first ON first.id = coalesce(duplicate_of, near_duplicate_of)
        WHERE url.state != 'fetched' OR first.state IS NOT 'fetched' OR NOT EXISTS (SELECT 1 FROM unsettled)
        AND {ORDER.format("first")} >= {ORDER.format("url")}""",
    "duplicate: not of the bytes or the text of its original": """
        SELECT duplicate.url FROM duplicate JOIN fingerprint AS here ON here.url = duplicate.url
        JOIN fingerprint AS there ON there.url = duplicate_of
        WHERE same = 'bytes' AND here.bytes != there.bytes OR same = 'text' AND here.text != there.text""",
    "duplicate: shares no bucket with the original that it is near": """
        SELECT duplicate.url FROM duplicate JOIN fingerprint AS here ON here.url = duplicate.url
        JOIN fingerprint AS there ON there.url = near_duplicate_of
        WHERE NOT EXISTS (SELECT 1 FROM json_each(buckets_of(x'', x'', here.bands)) AS each
            WHERE each.value IN (SELECT value FROM json_each(buckets_of(x'', x'', there.bands))))""",
    # if the original is a duplicate itself, its mark must be for other bytes or another text than this page has
    "duplicate: of a duplicate": """
        SELECT duplicate.url FROM duplicate JOIN duplicate AS next ON next.url = duplicate.duplicate_of
        JOIN fingerprint AS here ON here.url = duplicate.url JOIN fingerprint AS there ON there.url = next.duplicate_of
        WHERE NOT EXISTS (SELECT 1 FROM unsettled)
        AND (next.same = 'bytes' AND here.bytes = there.bytes OR next.same = 'text' AND here.text = there.text)""",
}


def define(db: Database) -> None:
    """Define the Python functions that the queries use."""
    db.define("buckets_of", 3, _buckets)
    db.define("order_of", 3, _order)


def _buckets(body: bytes | None, text: bytes, bands: bytes) -> str:
    return json.dumps(keys.of_page(body or b"", text or b"", bands or b""))


def _order(depth: int | None, rank: int, address: str) -> str:
    """As text, with numbers padded to equal length so that they compare as numbers."""
    far, rank, text = order(depth, rank, address)
    return f"{far:020}{rank + (1 << 63):020}{text}"
