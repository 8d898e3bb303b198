"""Which rings there are, and how hosts move when one joins or leaves.

Each change makes a new epoch. A ring that hears of it finishes its requests in flight and begins again; before it reads
its queue it hands the hosts that it has lost to their new owner, as adoptions in its outbox, in one transaction with
the new epoch. So a kill leaves either the old state or the new one. Queued URLs go over; those that were processed stay
where their pages are, and the new owner notes who has them. Until all adoptions of an earlier owner are there, its
hosts count as its own: whatever is discovered of them is sent to it, and comes back after them.

A ring that has left owns no host. It stays until the end of the crawl, for its pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import msgspec

from ttcrawl.cluster.messages import AdoptedUrl, Adoption, Columns, HostState, Members
from ttcrawl.cluster.route import Table, table
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.rows import SiteRow
from ttcrawl.store.sqlite import Store

#: Most hosts and URLs in an adoption; a host may have a robots.txt of 500 KB.
HOSTS, URLS = 20, 1_000

#: Columns of table `site` that are moments; they travel as seconds from now, because the clocks of machines differ.
_MOMENTS = frozenset(("robots_time", "next_at", "backoff_until", "robots_failing"))

#: Columns of table `site` that do not travel.
_OWN = frozenset(("id", "host", "domain"))


def founding(rings: Table) -> Members:
    """Return the members of a cluster that begins."""
    return Members(
        epoch=rings.epoch,
        processes=rings.rings,
        rings=rings.rings,
        before=(),
        buckets=len(rings.owner_of),
    )


def joined(members: Members, ring: int) -> Members:
    """Return the next epoch, in which a ring more owns hosts."""
    processes = tuple(sorted({*members.processes, ring}))
    return _next(members, processes=processes, rings=tuple(sorted({*members.rings, ring})))


def left(members: Members, ring: int) -> Members:
    """Return the next epoch, in which a ring owns none any more. Raises ValueError if it owns none, or is the last."""
    rings = tuple(each for each in members.rings if each != ring)
    if rings == members.rings:
        raise ValueError(f"ring {ring} owns no hosts: the rings that do are {', '.join(map(str, rings))}")
    if not rings:
        raise ValueError("the last ring cannot leave")
    return _next(members, processes=members.processes, rings=rings)


def first(members: Members, ring: int) -> Members:
    """Return the members with which a ring begins: the former ones, if it has hosts to give away in this epoch."""
    if ring not in members.before:
        return members
    return msgspec.structs.replace(members, epoch=members.epoch - 1, rings=members.before, before=())


def settled(members: Members) -> Members:
    """Return the members once all hosts have moved: a directory that is lost from now on awaits no adoptions."""
    return msgspec.structs.replace(members, before=())


def standing(members: Members, ring: int) -> str:
    """Return "joining", "leaving" or "left", "" for a ring that owns hosts."""
    if ring in members.rings:
        return "joining" if members.before and ring not in members.before else ""
    return "leaving" if ring in members.before else "left"


def _next(members: Members, processes: tuple[int, ...], rings: tuple[int, ...]) -> Members:
    changes = {"epoch": members.epoch + 1, "processes": processes, "rings": rings, "before": members.rings}
    return msgspec.structs.replace(members, **changes)


def table_of(members: Members) -> Table:
    """Return who owns what once all hosts have moved."""
    return table(members.rings, members.epoch, members.buckets)


def lenders(members: Members) -> Callable[[Collection[int]], Callable[[str], int]]:
    """Return what tells for the rings that are present which of them lends an IP address."""
    return lambda rings: table(rings, buckets=members.buckets).ring_of


def routes(members: Members, ring: int, awaited: frozenset[int]) -> Table:
    """Return who owns what in the eyes of a ring: of rings whose adoptions it awaits, nothing is its own yet."""
    new = table_of(members)
    if not awaited:
        return new
    old = table(members.before, buckets=members.buckets)
    pairs = zip(old.owner_of, new.owner_of, strict=True)
    owner_of = tuple(before if after == ring and before in awaited else after for before, after in pairs)
    return replace(new, owner_of=owner_of)


def losers(members: Members, ring: int) -> frozenset[int]:
    """Return the rings that lose hosts to this one in the present epoch."""
    if not members.before:
        return frozenset()
    moved = table(members.before, buckets=members.buckets).moved(table(members.rings, buckets=members.buckets))
    return frozenset(before for before, after in moved.values() if after == ring)


def adoptions(
    store: Store, mailbox: Mailbox, ring: int, old: Table, new: Table, now: float
) -> Iterator[tuple[int, Adoption]]:
    """Give away the hosts that a ring loses: yield (new owner, adoption), at least one for each that gains buckets."""
    for receiver in sorted({after for before, after in old.moved(new).values() if before == ring}):
        sites = [
            (site, host)
            for site, host in store.sites.all()
            if old.ring_of(host) == ring and new.ring_of(host) == receiver
        ]
        ids = [site for site, _ in sites]
        hosts = [
            HostState(host=host, columns=_leaving(store.sites.row(site), store.sites.delay(site), now))
            for site, host in sites
        ]
        urls = [
            AdoptedUrl(url=url, path=path, holder=0 if queued else mailbox.holder(id) or ring)
            for id, url, queued, foreign, path in store.urls.moving(ids)
            if not foreign or mailbox.holder(id)
        ]
        parts = max(-(-len(hosts) // HOSTS), -(-len(urls) // URLS), 1)
        for part in range(parts):
            of_hosts, of_urls = hosts[part * HOSTS : (part + 1) * HOSTS], urls[part * URLS : (part + 1) * URLS]
            yield receiver, Adoption(epoch=new.epoch, batches=parts, hosts=of_hosts, urls=of_urls)
        store.urls.give_away(ids, now)
        store.soft_404s.drop_due(ids)


def _leaving(row: SiteRow, delay: float, now: float) -> Columns:
    """Return the columns of a host that go to its new owner. After a kill its last request may have ended just now."""
    row = msgspec.structs.replace(row, next_at=max(row.next_at, now + delay))
    columns = {name: getattr(row, name) for name in row.__struct_fields__ if name not in _OWN}
    return _shifted(columns, -now)


def arriving(host: HostState, now: float) -> dict[str, object]:
    """Return the columns for the row of a host at its new owner."""
    return {**_shifted(host.columns, now)}


def _shifted(columns: Columns, seconds: float) -> Columns:
    """Return the columns with moments that are so much later; 0 is none."""
    return {
        name: value + seconds if name in _MOMENTS and isinstance(value, float) and value else value
        for name, value in columns.items()
    }


def encoded(members: Members) -> str:
    """Return the members as text for table `crawl`."""
    return msgspec.json.encode(members).decode()


def decoded(text: str) -> Members:
    """Return the members that `encoded` wrote."""
    return msgspec.json.decode(text, type=Members)
