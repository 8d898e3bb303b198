"""What a ring knows of the members of its cluster, and which hosts it adopts. See ttcrawl.cluster.members."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttcrawl.cluster.members import decoded, encoded, leaves, losers, routes, table_of
from ttcrawl.cluster.messages import AdoptedUrl, Adoption, Item, Members, packed, unpacked
from ttcrawl.cluster.moves import Moves, Portions, shifted
from ttcrawl.frontier.foreign import link_to
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.ring.clock import Clock
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import REFUSED

#: The value of `adoptions_of_RING` in table `crawl` when all are there; before, their number if it is known.
COMPLETE = "complete"


class Membership:
    """`members`: the present ones. `adopting`: the ring that has processed the URL that is adopted; 0: none is.

    `revisits`: URLs are requested again, by the owner of their host: nobody else has processed them.
    """

    def __init__(self, ring: int, members: Members, portions: Portions, *, revisits: bool = False) -> None:
        self._ring, self.members = ring, members
        self._portions = portions
        self._revisits, self._holds = revisits, revisits
        self.adopting = 0
        self.awaited = losers(members, ring)
        self._announced: Members | None = None
        self._complete: list[int] = []  # rings all of whose adoptions are there
        self._posted: list[tuple[int, int, int]] = []  # batches of the present transaction: ring, number, bytes
        self._owner_of = routes(members, ring, self.awaited)
        self._later = 0, self._owner_of

    def join(self, store: Store, mailbox: Mailbox, ledger: Ledger, clock: Clock) -> None:
        """Take up what is stored; if other members were announced, what is theirs is not ours any more. Commits."""
        self._store = store
        self._mailbox = mailbox
        self._ledger = ledger
        self._clock = clock
        self._moves = Moves(self._ring, store, mailbox, self._post, self._portions)
        about = store.about()
        self._announced = decoded(about["announced"]) if about.get("announced") else None
        self._posted.clear()
        if "members" in about:
            self.members = decoded(about["members"])
        else:
            mailbox.wait_for(losers(self.members, self._ring))
        if self._announced is not None:
            self._change(self._announced)
        else:
            self._moves.resume(self.members)
        if self._moves:
            ledger.frontier.departures.hold_back(self._moves.leaves)
        store.set(members=encoded(self.members))
        store.commit()
        self._route()
        self._complete = [ring for ring in self.awaited if about.get(f"adoptions_of_{ring}") == COMPLETE]

    def ring_of(self, host: str) -> int:
        """Return the ring that owns a host, or an IP address."""
        return self.adopting or self._owner_of(host)

    @property
    def routes(self) -> object:
        """Who owns what: another object after each change."""
        return self._owner_of

    def _route(self) -> None:
        self.awaited = self._mailbox.awaited()
        self._owner_of = routes(self.members, self._ring, self.awaited)
        self._later = 0, self._owner_of

    # -- changes --------------------------------------------------------------------------------------------------

    @property
    def epoch(self) -> int:
        """The last epoch whose adoptions are all there."""
        return self.members.epoch - bool(self.awaited)

    @property
    def is_settled(self) -> bool:
        """Whether no host comes or goes."""
        return not (self.awaited or self._announced or self._moves or self._holds)

    def announce(self, members: Members) -> bool:
        """Begin nothing more at the hosts that are ours no longer in the next epoch; return whether it is new."""
        if members.epoch != self.members.epoch + 1 or not self.is_settled:
            return False
        self._announced = members
        self._store.set(announced=encoded(members))
        leaving = leaves(self._ring, table_of(self.members), table_of(members))
        self._ledger.frontier.departures.hold_back(leaving)
        return True

    def turn(self) -> int:
        """Give away and adopt the next hosts and URLs; return the number of changes to be committed."""
        frontier = self._ledger.frontier
        if self._announced is not None:
            if not frontier.departures.ready:
                return 0
            waiting = frontier.departures.let_go()
            self._change(self._announced)
            self._store.set(members=encoded(self.members))
            self._route()
            assert self._ledger.relay is not None
            self._ledger.relay.moved(waiting)
            changes = 1
        elif self._moves:
            frontier.queued -= self._moves.turn(self._clock())
            changes = 1
        elif self._holds:
            return self._let_go()
        else:
            return self._adopt_next()
        if not self._moves:
            frontier.departures.over()
        return changes

    def _change(self, members: Members) -> None:
        self._moves.begin(members, self._ledger.last_id)
        self.members, self._announced = members, None
        self._store.set(announced="")
        self._mailbox.wait_for(losers(members, self._ring))

    def _post(self, ring: int, adoption: Adoption) -> None:
        batch = packed(adoption)
        self._posted.append((ring, self._mailbox.post(ring, batch), len(batch)))

    def posted(self) -> list[tuple[int, int, int]]:
        """Return the batches since the last call, (ring, number, bytes): they may be sent after the commit."""
        posted, self._posted = self._posted, []
        return posted

    # -- adoptions ------------------------------------------------------------------------------------------------

    def takes(self, epoch: int, contents: list[Item] | Adoption) -> bool:
        """Whether a batch can be received now; later it comes again.

        Links wait for the adoptions. So do the links of a ring that knows other members already: a URL that is ours
        there would be foreign here, go back to its earlier owner, and from there to us, who have sent it.
        """
        return epoch <= self.members.epoch and (isinstance(contents, Adoption) or not self.awaited)

    def adopt(self, sender: int, incarnation: str, adoption: Adoption, data: bytes) -> None:
        """Take an adoption of a directory. The clock of a host counts from now on; its URLs are ours with the last
        adoption."""
        name, now, frontier = f"adoptions_of_{sender}", self._clock(), self._ledger.frontier
        self._store.set(**{f"adopted_from_{sender}": incarnation})
        for host in adoption.hosts:
            if (known := frontier.hosts.get(host.host)) is not None:
                frontier.departures.remove(known)  # it was here for its robots.txt alone, with a clock of its own
            self._store.sites.update(self._ledger.site_of(host.host), **shifted(host.columns, now))
        if adoption.number:
            self._store.set(**{name: adoption.number})
        if self._mailbox.add_adoption(sender, data) == int(self._store.about().get(name) or 0):
            self._store.set(**{name: COMPLETE})
            self._complete.append(sender)

    def _adopt_next(self) -> int:
        """Adopt some of the URLs of a ring that has sent all; after the last ones, its hosts are ours."""
        if not self._complete:
            return 0
        ring, now = self._complete[0], self._clock()
        adoptions = [unpacked(batch) for batch in self._mailbox.next_adoptions(ring, self._portions.adoptions)]
        before, self._owner_of = self._owner_of, self._owner_with(ring)
        for url in (url for each in adoptions if isinstance(each, Adoption) for url in each.urls):
            self._adopt(url, now)
        self._owner_of = before
        if ring not in self._mailbox.awaited():
            self._complete.remove(ring)
            self._store.set(**{f"adoptions_of_{ring}": ""})
            self._route()
        return 1

    def _owner_with(self, ring: int) -> Callable[[str], int]:
        """Return who owns what once the hosts of a ring have come."""
        if self._later[0] != ring:
            self._later = ring, routes(self.members, self._ring, self.awaited - {ring})
        return self._later[1]

    def _adopt(self, url: AdoptedUrl, now: float) -> None:
        link = link_to(url.url, "", url.path)
        _, row = self._ledger.find(link)
        if self._revisits or url.holder in (0, self._ring) or not (row is None or row.state == REFUSED):
            self._ledger.receive(link, url.path, now)
            return
        self.adopting = url.holder
        self._ledger.receive(link, url.path, now)
        self.adopting = 0
        _, row = self._ledger.find(link)
        if row is not None:
            self._mailbox.hold(row.id, url.holder)

    def holds(self, ring: int, incarnation: str) -> bool:
        """Whether a ring may still have what it had processed when its hosts moved here: its directory is the same."""
        return self._store.about().get(f"adopted_from_{ring}", incarnation) == incarnation

    def lost(self, ring: int) -> None:
        """Queue the URLs again that a ring had processed whose disk is lost."""
        self._queue(self._mailbox.release(ring))

    def _let_go(self) -> int:
        """Queue some of the URLs that earlier owners of their hosts have processed: this ring visits them from now on.

        It is the first request of this ring, so it depends on no earlier answer.
        """
        urls = self._mailbox.release_next(self._portions.urls)
        self._queue(urls)
        self._holds = bool(urls)
        return len(urls)

    def _queue(self, urls: Iterable[int]) -> None:
        for id in urls:
            row = self._store.urls.row(id)
            self._ledger.receive(link_to(row.url, "", row.path), row.path, self._clock())
