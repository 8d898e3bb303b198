"""Checks revisit records against the records with their bytes, after all files are read."""

from __future__ import annotations

from ttcrawl.ask.verify.findings import Findings
from ttcrawl.ask.view.view import View

NOWHERE = "page: its bytes are missing"
FOREIGN = "page: its bytes are not its response"

#: `held`: sound records with bytes that revisits refer to; `revisit`: the references of sound revisit records. Each
#: record belongs to its page; the key is the URL of the page.
TEMPORARY = """
    CREATE TEMP TABLE spoken_of (url INTEGER PRIMARY KEY);
    CREATE TEMP TABLE held (url INTEGER PRIMARY KEY, target, date, digest);
    CREATE TEMP TABLE revisit (url INTEGER PRIMARY KEY, target, date, digest);
    INSERT OR IGNORE INTO spoken_of SELECT payload FROM page WHERE payload IS NOT NULL;
"""

#: Revisits whose bytes are missing, or differ from the record or the page.
_WRONG = """
    SELECT page.url, url.url, held.url IS NULL
    FROM revisit JOIN page USING (url) JOIN url ON url.id = page.url
    LEFT JOIN held ON held.url = page.payload LEFT JOIN page AS original ON original.url = page.payload
    WHERE held.url IS NULL OR (held.target, held.date, held.digest) != (revisit.target, revisit.date, revisit.digest)
    OR (original.digest, original.length) IS NOT (page.digest, page.length)
"""

#: Pages to fetch again together with the pages in `misplaced`.
WITH_THEM = "INSERT OR IGNORE INTO misplaced SELECT url FROM page WHERE payload IN (SELECT url FROM misplaced)"


def check(db: View, findings: Findings) -> None:
    """Runs inside the guard of `archive.check`."""
    for id, url, lost in db.execute(_WRONG).fetchall():
        findings.add(NOWHERE if lost else FOREIGN, url)
        db.execute("INSERT OR IGNORE INTO misplaced VALUES (?)", (id,))
