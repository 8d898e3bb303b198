"""The explanation for a crawl, or a seed, without a page."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from ttcrawl.store.index import OF_KEY
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import family
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED


def why_nothing(db: sqlite3.Connection) -> str:
    """Return why no URL was answered with a status of 2xx, in one line, by the first seed; "" if one was."""
    if db.execute("SELECT 1 FROM page WHERE status BETWEEN 200 AND 299 LIMIT 1").fetchone() is not None:
        return ""
    first = db.execute(
        "SELECT url.url, url.state, url.reason, page.location FROM url LEFT JOIN page ON page.url = url.id"
        " ORDER BY url.id LIMIT 1"
    ).fetchone()
    if first is None:
        return "no URL was discovered"
    url, state, reason, moved = first
    nothing = f"no page could be fetched: the seed {url}"
    if state != MOVED:
        became = {FAILED: "has failed:", FETCHED: "was answered with"}.get(state, "is refused:")
        return f"{nothing} {became} {reason}"
    target, ended, why = db.execute("SELECT url, state, reason FROM url ORDER BY id DESC LIMIT 1").fetchone()
    hint = "; give that address as the seed, or widen --scope" if family(why) is Family.SCOPE else ""
    if ended == MOVED:
        hint = "; its redirects lead in a circle, as those of sites do that want cookies: see [fetch] cookies"
    return f"{nothing} redirects to {moved}, and {target} ends with: {why}{hint}"


def failing(db: sqlite3.Connection, keys: Iterable[int]) -> list[str]:
    """Return the URLs of these that have failed or were answered with an error, each with its reason."""
    rows: list[tuple[str, str]] = []
    for key in keys:
        rows += db.execute(
            "SELECT url.url, url.reason FROM url LEFT JOIN page ON page.url = url.id"
            f" WHERE url.id = {OF_KEY} AND (url.state = ?2 OR page.status >= 400)",
            (key, FAILED),
        )
    return [f"{url} ({reason})" for url, reason in rows]
