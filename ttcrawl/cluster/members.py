"""Which rings there are, and how hosts move when one joins or leaves.

Each change makes a new epoch. A ring that hears of it begins nothing more at the hosts that it loses. When none of them
has a request in flight, it stores the new epoch, and hands them to their new owner, as adoptions in its outbox (see
ttcrawl.cluster.moves). Until all adoptions of an earlier owner are there, its hosts count as its own: whatever is
discovered of them is sent to it, and comes back after them. All other hosts go on.

A ring that has left owns no host. It stays until the end of the crawl, for its pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

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


def leaves(ring: int, before: Table, after: Table) -> Callable[[str], bool]:
    """Return what tells whether a host goes from a ring to another one."""
    return lambda host: before.ring_of(host) == ring and after.ring_of(host) != ring


def losers(members: Members, ring: int) -> frozenset[int]:
    """Return the rings that lose hosts to this one in the present epoch."""
    if not members.before:
        return frozenset()
    moved = table(members.before, buckets=members.buckets).moved(table(members.rings, buckets=members.buckets))
    return frozenset(before for before, after in moved.values() if after == ring)


def encoded(members: Members) -> str:
    """Return the members as text for table `crawl`."""
    return msgspec.json.encode(members).decode()


def decoded(text: str) -> Members:
    """Return the members that `encoded` wrote."""
    return msgspec.json.decode(text, type=Members)
