"""The explanation for a crawl that ends without a page."""

from __future__ import annotations

import sqlite3

from ttcrawl.vocabulary.reason import Family, family
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED


def why_nothing(db: sqlite3.Connection) -> str:
    """Return why no URL was answered with a status of 2xx, in one line, by the first seed; "" if one was."""
    if db.execute("SELECT 1 FROM page WHERE status BETWEEN 200 AND 299 LIMIT 1").fetchone() is not None:
        return ""
    url, state, reason, moved = db.execute(
        "SELECT url.url, url.state, url.reason, page.location FROM url LEFT JOIN page ON page.url = url.id"
        " ORDER BY url.id LIMIT 1"
    ).fetchone()
    nothing = f"no page could be fetched: the seed {url}"
    if state != MOVED:
        became = {FAILED: "has failed:", FETCHED: "was answered with"}.get(state, "is refused:")
        return f"{nothing} {became} {reason}"
    target, why = db.execute("SELECT url, reason FROM url ORDER BY id DESC LIMIT 1").fetchone()
    hint = "; give that address as the seed, or widen --scope" if family(why) is Family.SCOPE else ""
    return f"{nothing} redirects to {moved}, and {target} ends with: {why}{hint}"
