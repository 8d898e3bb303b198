"""`ttcrawl requeue` for all rings of a cluster.

A ring also has URLs of hosts that belong to others: it has refused them, or they were processed before their hosts
moved. Their owners request them again: such a URL goes there when the crawl continues, as one that a page links to.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ttcrawl.cluster.messages import Item, packed
from ttcrawl.cluster.moves import batched
from ttcrawl.cluster.post import MOST
from ttcrawl.cluster.stopped_rings import StoppedRings, stopped_rings
from ttcrawl.maintain.requeue import Requeued, Send, Which, make_due, requeue, requeue_recorded
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.mending import Mending, mending
from ttcrawl.store.rows import UrlPath
from ttcrawl.vocabulary.reason import FOREIGN
from ttcrawl.vocabulary.state import REFUSED

#: The URLs of table `again` whose hosts belong to other rings.
_OF_OTHERS = f"""
    SELECT url.id, owner_of(host), url, spelling, {", ".join(UrlPath._fields)}
    FROM again JOIN url USING (id) JOIN site ON site.id = url.site WHERE reached AND owner_of(host) != ?"""
_LEAVE = f"UPDATE url SET state = '{REFUSED}', reason = '{FOREIGN}', processed = ? WHERE id = ?"


def requeue_in_rings(directory: Path, which: Which) -> Requeued:
    """Queue URLs again. Raises UsageError if all URLs are meant, or while the crawl runs."""
    with stopped_rings(directory) as rings:
        done = [requeue(path, which, sending(rings, ring)) for ring, path in rings.paths.items()]
    queued = sum((each.queued for each in done), Counter())
    return Requeued(queued=queued, unreachable=sum(each.unreachable for each in done))


def requeue_recorded_in_rings(directory: Path) -> int:
    """Queue the URLs whose links were only recorded, and return how many. Raises UsageError while the crawl runs."""
    with stopped_rings(directory) as rings:
        return sum(requeue_recorded(path, sending(rings, ring)) for ring, path in rings.paths.items())


def make_due_in_rings(directory: Path, which: Which) -> int:
    """Let a recrawl visit URLs as soon as it runs, and return how many; without names, all of them."""
    with stopped_rings(directory) as rings:
        return sum(make_due(path, which, ring=True) for path in rings.paths.values())


def sending(rings: StoppedRings, ring: int) -> Send:
    """Return what puts the URLs of table `again` whose hosts belong to others into the outbox of a ring, instead of its
    queue."""
    return lambda db: _send(db, ring, rings)


def _send(db: Mending, ring: int, rings: StoppedRings) -> None:
    db.define("owner_of", 1, rings.table.ring_of)
    by_owner = dict[int, list[Item]]()
    for id, owner, url, spelling, *path in db.execute(_OF_OTHERS, (ring,)).fetchall():
        db.execute(_LEAVE, (round(time.time(), 3), id))
        by_owner.setdefault(owner, []).append((url, spelling, UrlPath(*path)))
    mailbox = Mailbox(db)
    for owner, items in by_owner.items():
        _release(rings, owner, ring, [url for url, _, _ in items])
        for part in batched(items, MOST):
            mailbox.post(owner, packed(part))


def _release(rings: StoppedRings, owner: int, ring: int, urls: Sequence[str]) -> None:
    """Let the owner request URLs that it believes a ring has processed. It is committed first: what happens twice is
    that a URL is queued."""
    if owner in rings.paths:
        with mending(rings.paths[owner] / "crawl.db") as db:
            Mailbox(db).forget_holder(ring, urls)
