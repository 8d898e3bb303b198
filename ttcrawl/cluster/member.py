"""The process of a ring: the crawl of one machine, whose peers are the other rings.

It belongs to its parent, the conductor or an actor: it ends by itself when that has ended, or when it may be counted
out (see ttcrawl.cluster.presence), so that two processes never crawl for one ring.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.members import first
from ttcrawl.cluster.messages import Ended, Letter, Look, Members, Poll, Renewed
from ttcrawl.cluster.plan import CONFIG, HOST_CLOCKS, Plan, read_plan, ring_directory, wait_for_earlier
from ttcrawl.cluster.post import CONDUCTOR, Post
from ttcrawl.cluster.presence import FENCE, Fence
from ttcrawl.config import Line, read
from ttcrawl.engine.companion import Course
from ttcrawl.engine.peers import Membership
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.interrupts import StopNow
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.session import begin, resume
from ttcrawl.engine.shared import Shared
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.errors import DONE, FAILED, CrawlFailedError, UsageError, plain
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.robots_relay import Settler
from ttcrawl.output.counters import Snapshot
from ttcrawl.ring import fork_server
from ttcrawl.ring.host_desk import Desk
from ttcrawl.store.regular import is_there, open_regular
from ttcrawl.store.seeds import seeds_of

#: Seconds that a ring of an earlier conductor may take to end: it notices, and finishes its last transaction.
EARLIER = 2 * FENCE


class Member(Post):
    """A post with a courier: what comes is read in the main loop. `early`: what came before it, taken over."""

    def __init__(
        self,
        ring: int,
        members: Members,
        courier: Courier,
        early: list[Letter],
        *,
        revisits: bool = False,
        desk: Desk | None = None,
    ) -> None:
        super().__init__(ring, members, courier.send, revisits=revisits, desk=desk)
        self._courier = courier
        self.incoming.extend(letter.message for letter in early)
        early.clear()

    def join(self, shared: Shared, bounds: Bounds, robots: Settler, recall: TargetRecall | None = None) -> None:
        super().join(shared, bounds, robots, recall)
        self._fence = Fence(shared.clock())

    def turn(self, course: Course) -> int:
        """Process what has come from others; return the number of changes to be committed.

        Raises StopNow if its parent has ended, or if the ring may be counted out.
        """
        for letter in self._courier.receive():
            self.incoming.append(letter.message)
            if isinstance(letter.message, Poll):
                self._fence.asked(self.status_known(letter.message), self._clock())
            elif isinstance(letter.message, Renewed):
                self._fence.renew(self._clock() - (time.monotonic() - letter.message.asked))
        if self._courier.closed or self._fence.is_over(self._clock()):
            raise StopNow
        changes = super().turn(course)
        self._courier.flush()
        return changes

    def after_commit(self) -> None:
        super().after_commit()
        self._courier.flush()


def main(arguments: Sequence[str]) -> int:
    """Crawl as a ring; return the exit status. Arguments: directory of the cluster, ring, open socket."""
    path, ring = Path(arguments[0]), int(arguments[1])
    connection = socket.socket(fileno=int(arguments[2]))
    connection.set_inheritable(False)
    with contextlib.closing(Courier(connection)) as courier, contextlib.closing(Desk()) as desk:
        try:
            ended = _crawl(path, ring, courier, desk)
        except (UsageError, CrawlFailedError, OSError) as error:
            ended = Ended(failed=True, why=plain(error))
        courier.send(CONDUCTOR, ended)
    return FAILED if ended.failed else DONE


def _crawl(path: Path, ring: int, courier: Courier, desk: Desk) -> Ended:
    """Begin or continue; return how it ended."""
    plan, own = read_plan(path), ring_directory(path, ring)
    used = desk if plan.ray else None  # the rings of one machine share a file
    members = first(plan.members, ring)
    early = list[Letter]()
    recrawl = recrawl_of(plan, ring)
    moved = recrawl is not None and not recrawl.known  # else URLs that others have processed stay there
    membership = Membership(
        ring=ring,
        peers=lambda: Member(ring, members, courier, early, revisits=moved, desk=used),
        alarms=(courier.fileno(), desk.fileno()),
        host_clocks=lambda: open_regular(path / HOST_CLOCKS, os.O_RDWR | os.O_CREAT, 0o600),
        entrance=used.entrance if used else None,
    )

    def look(now: Snapshot) -> None:
        courier.send(CONDUCTOR, Look(snapshot=now))

    fork_server.prepare(fetch_first=True)
    wait_for_earlier(own, EARLIER)
    early += courier.receive()
    if courier.closed:  # another conductor may have begun meanwhile
        return Ended(failed=False, why="interrupted")
    if is_there(own / "crawl.db"):
        added = tuple(Line(text=url) for url in _added(plan, own))
        resume(own, Changes(seeds=added), look, inline=False, recrawl=recrawl, membership=membership)
    else:
        job = Job(
            seeds=plan.seeds,
            directory=own,
            config=read(path / CONFIG),
            progress=look,
            permitted=frozenset(plan.allowed),
            recrawl=recrawl,
            membership=membership,
        )
        begin(job)
    with directory.existing(own, ring=True) as (store, _):
        nothing = store.answers.why_nothing()
        return Ended(failed=False, why=store.about()["finished"], nothing=nothing)


def recrawl_of(plan: Plan, ring: int) -> Recrawl | None:
    """Return how a ring visits URLs again, None if it does not."""
    if plan.revisits is None:
        return None
    share = plan.revisits.shares.get(ring, 1 / len(plan.rings))
    return Recrawl(wall=time.time, once=plan.revisits.once, known=plan.revisits.known, share=share)


def _added(plan: Plan, own: Path) -> list[str]:
    """Return the seeds that a ring does not know yet."""
    with directory.existing(own, ring=True) as (store, _):
        known = set(seeds_of(store.about()))
    return [url for url in plan.seeds if url not in known]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
