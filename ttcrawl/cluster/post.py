"""The part of a ring in a cluster: URLs for other rings leave in batches, URLs of others arrive, each exactly once.

A batch is stored in the transaction of the pages that lead to its URLs, and sent after the commit; its receiver
acknowledges it after its own commit. What is not acknowledged is sent again.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable

from ttcrawl.cluster.largest import Largest, split_share
from ttcrawl.cluster.leases import Leases
from ttcrawl.cluster.members import lenders
from ttcrawl.cluster.membership import Membership
from ttcrawl.cluster.messages import (
    Ack,
    Adoption,
    AnyMessage,
    Batches,
    Born,
    Finish,
    HeldBack,
    HostMessage,
    Item,
    Known,
    Lease,
    Members,
    Poll,
    Recall,
    RobotsFound,
    RobotsWanted,
    Status,
    Stop,
    packed,
    unpacked,
)
from ttcrawl.cluster.moves import Portions, batched
from ttcrawl.cluster.outbox import Outbox
from ttcrawl.cluster.replay import Replays
from ttcrawl.cluster.ring_hosts import RingHosts
from ttcrawl.cluster.shared_recall import SharedRecall
from ttcrawl.engine.companion import Course
from ttcrawl.engine.peers import Peers
from ttcrawl.engine.shared import Shared
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.foreign import ForeignUrls, link_to
from ttcrawl.frontier.robots_relay import RobotsAnswer, RobotsRelay, Settler
from ttcrawl.ring.host_desk import Desk
from ttcrawl.ring.stuck import late_fetch
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.rows import UrlPath
from ttcrawl.web.url import host

#: The address of the conductor: no ring has this number.
CONDUCTOR = 0

#: Most URLs in a batch: some 70 KB before packing.
MOST = 1_000

#: How hosts move, where it is not said otherwise.
PORTIONS = Portions()

#: Seconds until the others are told once more which directory this ring has.
AGAIN = 3.0


class Post(Peers):
    """`send(ring, message)` may lose a message; `incoming` has those that came.

    `members`: the first that this ring knows. A directory that knows later ones keeps to them. `revisits`: URLs of
    hosts that have moved are requested by their new owner, also those that were processed before. `desk`: where
    browsers ask for hosts; None: the rings share a file.
    """

    def __init__(
        self,
        ring: int,
        members: Members,
        send: Callable[[int, AnyMessage], None],
        portions: Portions = PORTIONS,
        *,
        revisits: bool = False,
        desk: Desk | None = None,
    ) -> None:
        self._ring, self._send = ring, send
        self._desk = desk
        self._membership = Membership(ring, members, portions, revisits=revisits)
        self.incoming: deque[AnyMessage] = deque()
        self._finished = False
        self._new: dict[int, list[Item]] = {}  # posted since the last commit
        self._uncommitted: list[tuple[int, Ack | Known]] = []  # answers that wait for the commit
        self._unanswered: dict[int, float] = {}  # rings that do not know this directory -> when they were told
        self._outbox = Outbox()
        self._statuses: dict[int, float] = {}  # wave -> when its status was sent first
        self._activity = 0
        self._at_rest = False  # the crawl has nothing else to do

    def is_foreign(self, name: str) -> bool:
        """Whether a host belongs to another ring."""
        return self._membership.ring_of(name) != self._ring

    @property
    def epoch(self) -> int:
        """The last epoch of the members whose hosts have all come."""
        return self._membership.epoch

    def join(self, shared: Shared, bounds: Bounds, robots: Settler, recall: TargetRecall | None = None) -> None:
        """Take part in a crawl that begins, or continues from its last commit."""
        store, ledger, clock = shared.store, shared.ledger, shared.clock
        self._mailbox: Mailbox = store.mailbox()
        self._ledger = ledger
        self._counters = shared.counters
        self._clock = clock
        self._incarnation = store.about().get("incarnation") or os.urandom(12).hex()
        store.set(incarnation=self._incarnation, ring=self._ring)
        self._replays = Replays(self._mailbox, store.urls, lambda url: self._membership.ring_of(host(url)), self._post)
        self._membership.join(store, self._mailbox, ledger, clock)
        members = self._membership.members
        self._life = f"{self._incarnation}-{os.urandom(6).hex()}"
        ledger.foreign = ForeignUrls(store, bounds, self.is_foreign, self._post, self._mailbox.holder)
        self._relay = ledger.relay = RobotsRelay(self.is_foreign, self._ask_robots, self._tell_robots, clock, robots)
        self._leases: Leases | None = None
        if delay := shared.config.politeness.address_delay:
            frontier = ledger.frontier
            self._leases = Leases(self._ring, lenders(members), clock, self._send, frontier.unlock, delay)
            frontier.hosts.on_new_address = self._leases.borrow
        self._hosts: RingHosts | None = None
        if self._desk is not None and shared.config.browser.on:
            longest = late_fetch(shared.config.fetch, shared.config.browser)
            self._hosts = RingHosts(self._ring, self._membership.ring_of, clock, self._send, longest)
            self._hosts.others = self._others
        self._recall = SharedRecall(recall, self._send, lambda url: self._membership.ring_of(host(url)), clock)
        share = split_share(shared.config)
        self._largest = Largest(store, share) if share else None
        self._unanswered = dict.fromkeys(self._others, float("-inf"))
        self._new.clear()
        self._uncommitted.clear()
        self._outbox = Outbox()
        self._statuses.clear()
        for batch in self._mailbox.unacknowledged():
            self._outbox.add(*batch)

    @property
    def _others(self) -> set[int]:
        return set(self._membership.members.processes) - {self._ring}

    def _post(self, url: str, spelling: str, path: UrlPath, ring: int = 0) -> None:
        if not self._membership.adopting:  # else the other ring has this path already
            self._new.setdefault(ring or self._membership.ring_of(host(url)), []).append((url, spelling, path))

    def _ask_robots(self, asker: str, url: str, source: str) -> None:
        wanted = RobotsWanted(sender=self._ring, asker=asker, url=url, source=source)
        self._send(self._membership.ring_of(host(url)), wanted)

    def _tell_robots(self, ring: int, asker: str, url: str, answer: RobotsAnswer) -> None:
        self._send(ring, RobotsFound(asker=asker, url=url, answer=answer))

    # -- in the main loop -----------------------------------------------------------------------------------------

    def pending(self) -> bool:
        return not self._finished

    def turn(self, course: Course) -> int:
        """Process what has come; return the number of changes to be committed."""
        changes, wave = 0, -1
        idle, at_rest = course.idle, course.at_rest
        while self.incoming:
            message = self.incoming.popleft()
            if isinstance(message, Batches):
                changes += self._receive(message)
            elif isinstance(message, Ack):
                changes += self._acknowledged(message)
            elif isinstance(message, Born):
                changes += self._born(message)
            elif isinstance(message, Known):
                if message.incarnation == self._incarnation:
                    self._unanswered.pop(message.sender, None)
            elif isinstance(message, Members):
                changes += self._announced(message)
            elif isinstance(message, Finish):
                self._finished = True
            elif isinstance(message, Stop):
                course.stop(message.why)
            elif isinstance(message, Poll):
                wave = max(wave, message.wave)
                if self._leases is not None and message.life == self._life:
                    self._leases.enter(message.term, message.present)
                if self._hosts is not None and message.life == self._life:
                    self._hosts.enter(message.present, self._statuses.get(message.heard, float("-inf")))
            elif isinstance(message, RobotsWanted):
                if not self.is_foreign(host(message.url)):
                    self._relay.wanted(message.sender, message.asker, message.url, message.source)
            elif isinstance(message, RobotsFound):
                changes += self._relay.answered(message.asker, message.url, message.answer)
            elif isinstance(message, Recall | HeldBack):
                self._recall.receive(message)
            elif isinstance(message, Lease):
                if self._leases is not None:
                    self._leases.receive(message)
            elif isinstance(message, HostMessage) and self._hosts is not None:
                self._hosts.receive(message)
        changes += self._membership.turn()
        if self._largest is not None and self._membership.is_settled:
            changes += self._largest.turn(self.epoch, self._ledger.last_id)
        if self._leases is not None:
            self._leases.turn()
        if self._hosts is not None and self._desk is not None:
            self._hosts.turn(self._membership.routes, self._others)
            self._hosts.serve(self._desk)
        self._relay.turn()
        self._recall.turn(self._ring, self._membership.members.processes)
        if self._replays and sum(map(len, self._new.values())) < MOST:
            changes += 1
            for ring in self._replays.turn():
                self._welcome(ring, self._mailbox.directory_of(ring))
        if self._unanswered:
            self._introduce()
        if wave >= 0:
            self._statuses.setdefault(wave, self._clock())
            self._send(CONDUCTOR, self.status(wave, idle=idle and not changes))
        self._at_rest = at_rest
        self._send_due()
        return changes + bool(self._new)

    def _announced(self, members: Members) -> bool:
        """Begin to move hosts, if these members are the next ones; return whether that is so."""
        new = set(members.processes) - set(self._membership.members.processes)
        if not self._membership.announce(members):
            return False
        self._unanswered |= dict.fromkeys(new - {self._ring}, float("-inf"))
        return True

    def status(self, wave: int, *, idle: bool) -> Status:
        """Return the answer to a poll; `idle`: the crawl itself has nothing to do."""
        return Status(
            ring=self._ring,
            wave=wave,
            idle=idle
            and not (self._new or self._uncommitted or self._unanswered or self._outbox)
            and self._membership.is_settled
            and not self._replays,
            life=self._life,
            activity=self._activity,
            epoch=self.epoch,
            term=self._leases.term if self._leases is not None else 0,
            fetched=self._counters.fetched,
            bytes=self._counters.bytes,
            count=self._largest.report() if self._largest is not None and self._membership.is_settled else None,
        )

    def status_known(self, poll: Poll) -> float | None:
        """Return when the last status was sent that the conductor has heard, None if it has heard none of this life."""
        if poll.life != self._life or poll.heard not in self._statuses:
            return None
        self._statuses = {wave: sent for wave, sent in self._statuses.items() if wave >= poll.heard}
        return self._statuses[poll.heard]

    def before_commit(self) -> None:
        """Put the new URLs for others into the outbox."""
        for posted in self._membership.posted():
            self._outbox.add(*posted)
            self._activity += 1
        for ring, items in self._new.items():
            for part in batched(items, MOST):
                batch = packed(part)
                self._outbox.add(ring, self._mailbox.post(ring, batch), len(batch))
                self._activity += 1
        self._new.clear()

    def after_commit(self) -> None:
        """Send acknowledgements and batches that are committed now."""
        for ring, ack in self._uncommitted:
            self._send(ring, ack)
        self._uncommitted.clear()
        if self._hosts is not None:
            self._hosts.others = self._others
        self._send_due()

    # -- batches --------------------------------------------------------------------------------------------------

    def _send_due(self) -> None:
        """Send the batches that are due; those of the present transaction are not in the outbox yet."""
        at_once = self._at_rest or not self._membership.is_settled  # hosts that move wait for this
        for ring, numbers in self._outbox.due(self._clock(), at_once=at_once):
            batches = Batches(
                sender=self._ring,
                incarnation=self._incarnation,
                epoch=self._membership.members.epoch,
                batches={number: self._mailbox.batch(ring, number) for number in numbers},
            )
            self._send(ring, batches)

    def _receive(self, message: Batches) -> int:
        """Discover the URLs of batches that are new. They are acknowledged after the commit, unless they come too
        early."""
        taken = tuple(number for number, batch in message.batches.items() if self._takes(message, number, batch))
        if taken:
            ack = Ack(sender=self._ring, incarnation=message.incarnation, numbers=taken)
            self._uncommitted.append((message.sender, ack))
        return len(taken)

    def _takes(self, message: Batches, number: int, batch: bytes) -> bool:
        contents = unpacked(batch)
        if not self._membership.takes(message.epoch, contents):
            return False
        if self._mailbox.receive(message.incarnation, number):
            self._activity += 1
            if isinstance(contents, Adoption):
                self._membership.adopt(message.sender, message.incarnation, contents, batch)
            else:
                now = self._clock()
                for url, spelling, path in contents:
                    self._ledger.receive(link_to(url, spelling, path), path, now)
        return True

    def _acknowledged(self, ack: Ack) -> int:
        if ack.incarnation != self._incarnation:
            return 0
        numbers = [number for number in ack.numbers if self._outbox.acknowledged(ack.sender, number)]
        for number in numbers:
            self._mailbox.acknowledge(ack.sender, number)
        return len(numbers)

    # -- lost disks -----------------------------------------------------------------------------------------------

    def _introduce(self) -> None:
        """Tell the others the directory of this ring, until all have answered."""
        now = self._clock()
        for ring, since in self._unanswered.items():
            if now - since >= AGAIN:
                self._unanswered[ring] = now
                self._send(ring, Born(sender=self._ring, incarnation=self._incarnation))

    def _born(self, message: Born) -> int:
        """Post all URLs of a ring once more if its directory is a new one: what was sent to the old one is lost."""
        before = self._mailbox.peer(message.sender, message.incarnation)
        if before != message.incarnation:
            self._replays.begin(message.sender, self._ledger.last_id)
            if before or not self._membership.holds(message.sender, message.incarnation):
                self._membership.lost(message.sender)
        if message.sender not in self._replays:
            self._welcome(message.sender, message.incarnation)
        return 1

    def _welcome(self, ring: int, incarnation: str) -> None:
        """Tell a ring, after the commit, that all its URLs were sent or are in the outbox."""
        self._uncommitted.append((ring, Known(sender=self._ring, incarnation=incarnation)))
