"""Which rings there are, and how hosts move when one joins or leaves, or when a registrable domain is split.

Each change makes a new epoch. A ring that hears of it begins nothing more at the hosts that it loses. When none of them
has a request in flight, it stores the new epoch, and hands them to their new owner, as adoptions in its outbox (see
ttcrawl.cluster.moves). Until all adoptions of an earlier owner are there, its hosts count as its own: whatever is
discovered of them is sent to it, and comes back after them. All other hosts go on.

A ring that has left owns no host. It stays until the end of the crawl, for its pages. A domain that is split stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import msgspec

from ttcrawl.cluster.messages import Members
from ttcrawl.cluster.route import Table, table


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


def divided(members: Members, domains: Iterable[str]) -> Members:
    """Return the next epoch, in which hosts of these registrable domains belong to rings one by one."""
    later = _next(members, processes=members.processes, rings=members.rings)
    return msgspec.structs.replace(later, splits={**members.splits, **dict.fromkeys(domains, later.epoch)})


def former(members: Members) -> Members:
    """Return the members of the epoch before, from which hosts move."""
    splits = {domain: epoch for domain, epoch in members.splits.items() if epoch < members.epoch}
    return msgspec.structs.replace(members, epoch=members.epoch - 1, rings=members.before, before=(), splits=splits)


def first(members: Members, ring: int) -> Members:
    """Return the members with which a ring begins: the former ones, if it has hosts to give away in this epoch."""
    return former(members) if ring in members.before else members


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
    return table(members.rings, members.epoch, members.buckets, frozenset(members.splits))


def lenders(members: Members) -> Callable[[Collection[int]], Callable[[str], int]]:
    """Return what tells for the rings that are present which of them lends an IP address."""
    return lambda rings: table(rings, buckets=members.buckets).ring_of


def routes(members: Members, ring: int, awaited: frozenset[int]) -> Callable[[str], int]:
    """Return who owns a host in the eyes of a ring: of rings whose adoptions it awaits, nothing is its own yet."""
    new = table_of(members)
    if not awaited:
        return new.ring_of
    old = table_of(former(members))

    def ring_of(host: str) -> int:
        owner = new.ring_of(host)
        return before if owner == ring and (before := old.ring_of(host)) in awaited else owner

    return ring_of


def leaves(ring: int, before: Table, after: Table) -> Callable[[str], bool]:
    """Return what tells whether a host goes from a ring to another one."""
    return lambda host: before.ring_of(host) == ring and after.ring_of(host) != ring


def losers(members: Members, ring: int) -> frozenset[int]:
    """Return the rings that lose hosts to this one in the present epoch."""
    return frozenset(before for before, after in _moves(members) if after == ring)


def receivers(members: Members, ring: int) -> frozenset[int]:
    """Return the rings to which this one loses hosts in the present epoch."""
    return frozenset(after for before, after in _moves(members) if before == ring)


def _moves(members: Members) -> set[tuple[int, int]]:
    """Return (earlier owner, owner) of hosts that there may be. Of a split domain any other ring may own some."""
    if not members.before:
        return set()
    old, new = table_of(former(members)), table_of(members)
    moves = set(old.moved(new).values())
    for domain in new.split - old.split:
        owner = old.ring_of(domain)
        moves |= {(owner, ring) for ring in new.rings if ring != owner}
    return moves


def encoded(members: Members) -> str:
    """Return the members as text for table `crawl`."""
    return msgspec.json.encode(members).decode()


def decoded(text: str) -> Members:
    """Return the members that `encoded` wrote."""
    return msgspec.json.decode(text, type=Members)
