"""Hosts that a ring gives away: some rows in each turn, each exactly once. Everything else of the crawl goes on.

How far it has come is stored in the transaction of the adoptions, so a kill neither repeats nor skips any. Queued URLs
go over; those that were processed stay where their pages are, and the new owner notes who has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.cluster.members import former, leaves, receivers, table_of
from ttcrawl.cluster.messages import AdoptedUrl, Adoption, Columns, HostState, Members
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.sqlite import Store

#: The name in table `crawl` of how far it has come.
MOVING = "moving"

#: Columns of table `site` that are moments; they travel as seconds from now, because the clocks of machines differ.
_MOMENTS = frozenset(("robots_time", "next_at", "backoff_until", "robots_failing"))

#: Columns of table `site` that do not travel.
_OWN = frozenset(("id", "host", "domain"))

T = TypeVar("T")

#: Takes an adoption for a ring.
Post: TypeAlias = Callable[[int, Adoption], None]


class Portions(Struct, frozen=True, kw_only=True):
    """How much of a move is done in a turn, so that the crawl goes on."""

    rows: int = 10_000  # that are read: hosts first, then URLs
    hosts: int = 20  # of an adoption; one may have a robots.txt of 500 KB
    urls: int = 1_000  # of an adoption
    adoptions: int = 4  # that their receiver processes


class Move(Struct, frozen=True, kw_only=True):
    """The first site and the first URL that were not looked at, and the last ones; later URLs are sent as always."""

    site: int = 1
    last_site: int
    url: int = 1
    last_url: int
    adoptions: dict[int, int]  # ring -> adoptions for it so far


class Moves:
    """`post(ring, adoption)` sends. `leaves(name)`: whether a host moves."""

    leaves: Callable[[str], bool]

    def __init__(self, ring: int, store: Store, mailbox: Mailbox, post: Post, portions: Portions) -> None:
        self._ring, self._store = ring, store
        self._portions = portions
        self._mailbox, self._post = mailbox, post
        self._move: Move | None = None
        self._receivers: dict[int, int] = {}  # sites that move -> their new owner

    def __bool__(self) -> bool:
        return self._move is not None

    def begin(self, members: Members, last_url: int) -> None:
        """Give away the hosts that belong to others in this epoch. Nothing is in flight at them."""
        self._know(members)
        if others := receivers(members, self._ring):
            adoptions = dict.fromkeys(others, 0)
            self._note(Move(last_site=self._store.sites.last(), last_url=last_url, adoptions=adoptions))

    def resume(self, members: Members) -> None:
        """Go on where the last process was."""
        if stored := self._store.about().get(MOVING):
            self._move = msgspec.json.decode(stored, type=Move)
            self._know(members)
            self._moving(1, self._move.site)

    def _know(self, members: Members) -> None:
        self._new = table_of(members)
        self.leaves = leaves(self._ring, table_of(former(members)), self._new)
        self._receivers.clear()

    def turn(self, now: float) -> int:
        """Give away the next hosts or URLs; return how many of the URLs were queued."""
        assert self._move is not None
        move, queued = self._move, 0
        if move.site <= move.last_site:
            move = self._give_hosts(move, now)
        elif move.url <= move.last_url:
            move, queued = self._give_urls(move, now)
        else:
            for receiver in move.adoptions:
                move = self._sent(move, receiver, Adoption(epoch=self._new.epoch, number=move.adoptions[receiver] + 1))
            self._note(None)
            return 0
        self._note(move)
        return queued

    def _note(self, move: Move | None) -> None:
        self._move = move
        self._store.set(**{MOVING: msgspec.json.encode(move).decode() if move is not None else ""})

    def _sent(self, move: Move, receiver: int, adoption: Adoption) -> Move:
        self._post(receiver, adoption)
        return replace(move, adoptions={**move.adoptions, receiver: move.adoptions[receiver] + 1})

    # -- hosts ----------------------------------------------------------------------------------------------------

    def _give_hosts(self, move: Move, now: float) -> Move:
        end = min(move.site + self._portions.rows, move.last_site + 1)
        states: dict[int, list[HostState]] = {}
        sites = self._moving(move.site, end)
        for site, host in sites:
            states.setdefault(self._receivers[site], []).append(self._leaving(site, host, now))
        for receiver, hosts in states.items():
            for part in batched(hosts, self._portions.hosts):
                move = self._sent(move, receiver, Adoption(epoch=self._new.epoch, hosts=part))
        self._store.soft_404s.drop_due([site for site, _ in sites])
        return replace(move, site=end)

    def _moving(self, first: int, end: int) -> list[tuple[int, str]]:
        """Return the sites that move, of those from `first` to before `end`, and note where to."""
        moving = [(site, host) for site, host in self._store.sites.between(first, end) if self.leaves(host)]
        self._receivers |= {site: self._new.ring_of(host) for site, host in moving}
        return moving

    def _leaving(self, site: int, host: str, now: float) -> HostState:
        """Return the columns of a host for its new owner. After a kill its last request may have ended just now."""
        row = self._store.sites.row(site)
        row = replace(row, next_at=max(row.next_at, now + self._store.sites.delay(site)))
        columns = {name: getattr(row, name) for name in row.__struct_fields__ if name not in _OWN}
        return HostState(host=host, columns=shifted(columns, -now))

    # -- URLs -----------------------------------------------------------------------------------------------------

    def _give_urls(self, move: Move, now: float) -> tuple[Move, int]:
        end = min(move.url + self._portions.rows, move.last_url + 1)
        adopted, queued_ids = dict[int, list[AdoptedUrl]](), list[int]()
        for id, site, url, is_queued, foreign, path in self._store.urls.moving(move.url, end):
            if (receiver := self._receivers.get(site)) is None:
                continue
            holder = self._mailbox.holder(id)
            if is_queued:
                queued_ids.append(id)
            if not foreign or holder:
                holder = 0 if is_queued else holder or self._ring
                adopted.setdefault(receiver, []).append(AdoptedUrl(url=url, path=path, holder=holder))
        for receiver, urls in adopted.items():
            for part in batched(urls, self._portions.urls):
                move = self._sent(move, receiver, Adoption(epoch=self._new.epoch, urls=part))
        self._store.urls.give_away(queued_ids, now)
        return replace(move, url=end), len(queued_ids)


def shifted(columns: Columns, seconds: float) -> Columns:
    """Return the columns with moments that are so much later; 0 is none."""
    return {
        name: value + seconds if name in _MOMENTS and isinstance(value, float) and value else value
        for name, value in columns.items()
    }


def batched(entries: list[T], most: int) -> Iterator[list[T]]:
    """Yield lists of at most so many entries."""
    return (entries[at : at + most] for at in range(0, len(entries), most))
