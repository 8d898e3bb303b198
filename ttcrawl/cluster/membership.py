"""What a ring knows of the members of its cluster, and which hosts it adopts. See ttcrawl.cluster.members."""

from __future__ import annotations

from ttcrawl.cluster.members import adoptions, arriving, decoded, encoded, losers, routes, table_of
from ttcrawl.cluster.messages import AdoptedUrl, Adoption, Item, Members, packed, unpacked
from ttcrawl.frontier.foreign import link_to
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.ring.clock import Clock
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import REFUSED


class Membership:
    """`members`: the present ones. `adopting`: a URL is adopted that this ring has processed; 0: none is."""

    def __init__(self, ring: int, members: Members) -> None:
        self._ring, self.members = ring, members
        self.adopting = 0
        self.awaited = losers(members, ring)
        self._table = routes(members, ring, self.awaited)

    def join(self, store: Store, mailbox: Mailbox, ledger: Ledger, clock: Clock) -> None:
        """Take up what is stored; if other members were announced, give away what is theirs. Commits."""
        self._store = store
        self._mailbox = mailbox
        self._ledger = ledger
        self._clock = clock
        about = store.about()
        if "members" in about:
            self.members = decoded(about["members"])
        else:
            mailbox.wait_for(losers(self.members, self._ring))
        if about.get("announced"):
            self._change(decoded(about["announced"]))
        store.set(members=encoded(self.members), announced="")
        store.commit()
        self._route()

    def _change(self, members: Members) -> None:
        before, after = map(table_of, (self.members, members))
        frontier = self._ledger.frontier
        for receiver, adoption in adoptions(self._store, self._mailbox, self._ring, before, after, self._clock()):
            self._mailbox.post(receiver, packed(adoption))
            frontier.queued -= sum(not url.holder for url in adoption.urls)
        self._store.set(total_queued=frontier.queued)
        self.members = members
        self._mailbox.wait_for(losers(members, self._ring))

    def _route(self) -> None:
        self.awaited = self._mailbox.awaited()
        self._table = routes(self.members, self._ring, self.awaited)

    @property
    def epoch(self) -> int:
        """The last epoch whose adoptions are complete."""
        return self.members.epoch - bool(self.awaited)

    def ring_of(self, host: str) -> int:
        """Return the ring that owns a host, or an IP address."""
        return self.adopting or self._table.ring_of(host)

    def announce(self, members: Members) -> bool:
        """Note the members of the next epoch; return whether the crawl must begin again."""
        if members.epoch != self.members.epoch + 1 or self.awaited:
            return False
        self._store.set(announced=encoded(members))
        return True

    def takes(self, epoch: int, contents: list[Item] | Adoption) -> bool:
        """Whether a batch can be received now; later it comes again.

        Links wait for the adoptions. So do the links of a ring that knows other members already: a URL that is ours
        there would be foreign here, go back to its earlier owner, and from there to us, who have sent it.
        """
        return epoch <= self.members.epoch and (isinstance(contents, Adoption) or not self.awaited)

    def adopt(self, sender: int, incarnation: str, adoption: Adoption, data: bytes) -> None:
        """Keep an adoption of a directory. With the last one of an earlier owner, its hosts are ours."""
        self._store.set(**{f"adopted_from_{sender}": incarnation})
        if self._mailbox.add_adoption(sender, data) < adoption.batches:
            return
        contents = [each for each in map(unpacked, self._mailbox.complete(sender)) if isinstance(each, Adoption)]
        self._route()
        now = self._clock()
        for host in (host for each in contents for host in each.hosts):
            self._store.sites.update(self._ledger.site_of(host.host), **arriving(host, now))
        for url in (url for each in contents for url in each.urls):
            self._adopt(url, now)

    def _adopt(self, url: AdoptedUrl, now: float) -> None:
        link = link_to(url.url, "", url.path)
        _, row = self._ledger.find(link)
        if url.holder in (0, self._ring) or not (row is None or row.state == REFUSED):
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
        for id in self._mailbox.release(ring):
            row = self._store.urls.row(id)
            self._ledger.receive(link_to(row.url, "", row.path), row.path, self._clock())
