"""URLs are queued again: what stands in the way of a request is forgotten, and the totals are brought up to date."""

from __future__ import annotations

from ttcrawl.store.earlier import set_aside
from ttcrawl.store.mending import Mending
from ttcrawl.store.rows import AS_QUEUED
from ttcrawl.store.totals import IN_SCOPE, bring_up_to_date, shorten_growth
from ttcrawl.vocabulary.reason import DUPLICATE_PATTERN
from ttcrawl.vocabulary.state import FETCHED

_REACHED = "SELECT id FROM again WHERE reached"


def queue_again(db: Mending) -> None:
    """Queue the URLs of table `again` that are reached, and forget what stands in the way of a request."""
    db.execute(
        "UPDATE pattern SET refused = refused - (SELECT count(*) FROM again WHERE again.site = pattern.site"
        f" AND reached AND reason = '{DUPLICATE_PATTERN}' AND rule LIKE 'pattern ' || pattern.text || ': %')"
    )
    set_aside(db.execute, _REACHED)
    if db.execute(f"DELETE FROM fingerprint WHERE url IN ({_REACHED})").rowcount:
        db.forget_marks()
    db.execute(f"UPDATE url SET {AS_QUEUED} WHERE id IN ({_REACHED})")
    # a host that was given up is asked again; its delay holds on
    db.execute(
        "UPDATE site SET silent = 0, backoff = 0, backoff_until = 0, backoff_from = ''"
        " WHERE id IN (SELECT site FROM again WHERE reached)"
    )
    db.execute(
        "UPDATE site SET fetched = (SELECT count(*) FROM url WHERE url.site = site.id AND state = 'fetched')"
        f" WHERE id IN (SELECT site FROM again WHERE reached AND state = '{FETCHED}')"
    )


def count_again(db: Mending) -> None:
    """Bring the totals and the series of growth up to date."""
    bring_up_to_date(db)
    in_scope = f"SELECT count(*) FROM url WHERE {IN_SCOPE}"
    db.execute(f"UPDATE crawl SET value = max(CAST(value AS INTEGER), ({in_scope})) WHERE name = 'total_in_scope'")
    shorten_growth(db)
    db.execute("UPDATE crawl SET value = 'interrupted' WHERE name = 'finished' AND value = 'done'")
    db.finish()
