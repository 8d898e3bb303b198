"""Which pages have changed: by their bytes, as this check and earlier ones saw them."""

from __future__ import annotations

from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.side_database import SideDatabase


def unchanged_pages(checks: SideDatabase, crawl: View, moment: float | None) -> set[str]:
    """The URLs of HTML pages that are as they were at a moment (seconds since the epoch), None: at the last check.

    Keeps what this check saw for the next one. A page that no earlier check saw has changed when it was fetched.
    """
    seen = {key: (digest, since) for key, digest, since in checks.execute("SELECT key, digest, since FROM page")}
    rows, unchanged = [], set()
    for key, url, digest, time in crawl.execute(f"SELECT url.key, url.url, page.digest, page.time FROM {PAGES}"):
        before, since = seen.get(key, (None, 0.0))
        same = before is not None and before == digest
        since = since if same else time or 0.0
        rows.append((key, digest, since))
        if same if moment is None else since < moment:
            unchanged.add(url)
    checks.execute("BEGIN IMMEDIATE")
    checks.execute("DELETE FROM page")
    checks.executemany("INSERT INTO page VALUES (?, ?, ?)", rows)
    for table in ("facts", "positions"):
        checks.execute(f"DELETE FROM {table} WHERE key NOT IN (SELECT key FROM page)")
    checks.execute("COMMIT")
    return unchanged
