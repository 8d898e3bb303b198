"""Visits to URLs that were answered before: taken from table `revisit` when they are due, and handed to the frontier.

Moments are by the clock on the wall, so a schedule holds when the clock is set, and when the machine was asleep.
If it is set back, so are visits in the future. Pauses are counted by the clock of the crawl. Nothing is
lost with the memory: a URL stays due until its visit has ended.
"""

from __future__ import annotations

from dataclasses import replace as replaced

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.engine.recrawl.announcements import announce
from ttcrawl.engine.recrawl.another import AnotherAnswer
from ttcrawl.engine.recrawl.lost_links import LostLinks
from ttcrawl.engine.recrawl.moves import Moves
from ttcrawl.engine.recrawl.pace import Pace
from ttcrawl.engine.recrawl.settler import RecrawlSettler
from ttcrawl.engine.settle import UrlSettler
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host import Host, RobotsGate
from ttcrawl.frontier.host_queue import queued_of
from ttcrawl.frontier.visit import Visit
from ttcrawl.recrawl.cap import Cap
from ttcrawl.recrawl.json_text import trust_of
from ttcrawl.recrawl.prior import DAY
from ttcrawl.recrawl.validators import OK, UNCONDITIONAL, Trust, condition, sendable, settled
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import Outcome, Page
from ttcrawl.store.recrawls import Due, Waits
from ttcrawl.store.rows import Latest, Row
from ttcrawl.store.seeds import seeds_of
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import family
from ttcrawl.vocabulary.state import ANSWERED, FAILED, REFUSED
from ttcrawl.web.ignored import compile_ignored
from ttcrawl.web.url import host, key

#: Visits of a host in memory.
MOST_OF_HOST = 100

#: Rows that are read at once.
LOOK = 5_000

#: Seconds between two looks: while more are due than fit into memory, at least, and at most, because the clock may be
#: set.
PAUSE, SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 0.05, 60.0

#: Seconds after which a host is tried again that was given up.
GIVEN_UP = 3600.0

#: Seconds by which the clock on the wall must be set back for the schedule to be corrected: a visit is late by fewer.
SET_BACK = 60.0

BEGIN = (float("-inf"), 0)


class Recrawl(Struct, frozen=True, kw_only=True):
    """How a crawl is continued for ever. `once`: until what is due at its beginning was visited. `known`: URLs that are
    queued stay queued. `everything`: all URLs are due at the beginning. `pause`: the longest time between two looks,
    seconds. `share`: of the budget, which a ring of a cluster may spend."""

    wall: Clock
    once: bool = False
    known: bool = False
    everything: bool = False
    share: float = 1.0
    pause: float = LONGEST_PAUSE


class Recrawls:
    """`settler` processes the outcomes of visits."""

    def __init__(self, shared: Shared, urls: UrlSettler, another: AnotherAnswer, recrawl: Recrawl) -> None:
        self._settings = shared.config.revisit
        own = replaced(shared.config.revisit, budget=shared.config.revisit.budget * recrawl.share)
        self._store = shared.store
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._selects = bool(compile_ignored(shared.config.revisit.ignore).selector)
        self._clock = shared.clock
        self._wall = recrawl.wall
        self._once = recrawl.once
        self._everything = recrawl.everything
        self._pause = recrawl.pause
        self._pace = Pace(own, shared.store.recrawls)
        spent = shared.store.about().get("visits_spent", "")
        self._cap = Cap(own.budget, spent) if own.budget else None
        self._moves = Moves(shared.store, shared.config.duplicates)
        seeds = frozenset(map(key, seeds_of(shared.store.about())))
        self._links = LostLinks(shared.store.unlinked, seeds, shared.config.revisit.longest, self._due_again)
        self.settler = RecrawlSettler(
            shared, urls, another, recrawl.wall, self._pace, self._moves, self._links, self._ended
        )
        self._began = self._wall()
        # seconds by which the clock on the wall is ahead of the crawl's clock
        self._offset = self._began - shared.clock()
        self._active = dict[int, str]()  # ids of URLs that are to be taken, put off or in flight -> their host
        self._answered = list[int]()  # for the first time, since the last look
        self._position = BEGIN  # of the last row of the last look; BEGIN: it has come to the end
        self._more = True  # URLs may be due that are not active ...
        self._passed = False  # ... and some of them are before the position
        self._next: float | None = None  # when the next URL is due after the last look
        self._tried = dict[str, float]()  # host that was given up -> when it was tried again
        self.next_look = 0.0

    def begin(self) -> str:
        """Give a next visit to all URLs that earlier runs have left without one. Return what the user must know."""
        now = self._wall()
        trouble = self._store.compact() if self._settings.drops else ""
        self._store.retention.limit(self._settings.keep_answers, self._settings.keep_days * DAY)
        self._store.recrawls.take_up(self._waits)
        self._store.recrawls.set_back(now, 0.0, self._settings.furthest)
        self._plan(now)
        if self._store.about().get("revisit_plan", "") not in ("", self._settings.plan):
            self._store.recrawls.sooner(self._pace.interval_of, self._waits)
        self._store.set(revisit_plan=self._settings.plan)
        if self._everything:
            self._store.recrawls.all_due(self._began)
        return trouble

    def _plan(self, now: float) -> None:
        if self._pace.plan(now):
            self._store.recrawls.spread(self._waits)

    @property
    def _waits(self) -> Waits:
        settings = self._settings
        return Waits(
            interval=self._pace.first,
            after_error=settings.after_error or settings.longest,
            after_failure=settings.after_failure or settings.longest,
            after_robots=settings.after_robots or settings.longest,
            fresh=settings.longest if settings.obey_expiry else 0.0,
            listing=settings.interval if settings.signals else settings.longest,
        )

    @property
    def over(self) -> bool:
        """Whether there will be no visit."""
        if self._active or self._answered or self._links.pending(self._wall()):
            return False
        if self._once and self._more:
            return not self._room()
        return not self._more and (self._once or self._next is None)

    def visits(self, url: int) -> bool:
        """Whether a URL is being visited."""
        return url in self._active

    def _room(self) -> bool:
        """Whether one more visit may begin."""
        return self._cap is None or self._cap.room(self._wall(), len(self._active)) > 0

    def before_commit(self) -> None:
        """Store what a later run needs, before a commit."""
        if self._cap is not None:
            self._store.set(visits_spent=self._cap.text)

    def answered(self, url: int) -> None:
        """Note the first outcome of a URL."""
        self._moves.appeared(url, self._wall())
        self._links.appeared(url, self._wall())
        self.refused(url)

    def refused(self, url: int) -> None:
        """Note that a URL was refused, or is on a host that does not answer."""
        self._answered.append(url)
        self.next_look = min(self.next_look, self._clock() + PAUSE)

    def announced(self, outcome: Outcome) -> None:
        """Make pages due that a sitemap or feed calls changed."""
        if not self._settings.signals or not isinstance(outcome, Page):
            return
        if announce(outcome.links, self._settings, self._store.recrawls, self._active.__contains__):
            self._due_again()

    def _due_again(self) -> None:
        """Note that URLs have become due, perhaps before the position."""
        self._more = self._passed = True
        self.next_look = self._clock()

    def _ended(self, url: int, next_visit: float, *, requested: bool) -> None:
        """Note the end of a visit. `requested`: it spends the budget."""
        self._active.pop(url, None)
        if requested and self._cap is not None:
            self._cap.ended(self._wall())
        self._next = min(next_visit, self._next) if self._next is not None else next_visit
        pause = 0.0 if self._more and not self._active else max(0.0, next_visit - self._wall())
        self.next_look = min(self.next_look, self._clock() + pause)

    def look(self) -> None:
        """Hand URLs that are due to the frontier, if it is time to look for them."""
        if self._links.pending(self._wall()):
            self._links.step(self._wall())
            self.next_look = min(self.next_look, self._clock() + SHORTEST_PAUSE)
        if self._clock() < self.next_look:
            return
        if self._ledger.foreign is not None:  # hosts that have moved took their visits out of memory
            self._active = {url: name for url, name in self._active.items() if not self._is_foreign(name)}
        now = self._wall()
        before, self._offset = self._offset, now - self._clock()
        if self._offset < before - SET_BACK:
            self._store.recrawls.set_back(now, before - self._offset, self._settings.furthest)
        if self._answered:
            self._store.recrawls.add(self._answered, self._waits, self._offset)
            self._answered.clear()
        self._plan(now)
        room = LOOK if self._cap is None else self._cap.room(now, len(self._active))
        if not room:
            pause = PAUSE if self._active or self._cap is None else self._cap.opens(now) - now
            self.next_look = self._clock() + min(max(pause, SHORTEST_PAUSE), self._pause)
            return
        most = min(LOOK, max(room, MOST_OF_HOST))
        rows = self._store.recrawls.due(self._position, min(now, self._began) if self._once else now, most)
        complete, skipped = len(rows) < most, False
        for due in rows:
            if not self._room():
                complete = False
                break
            self._position = due[1].next, due[1].url
            skipped = not self._take(due) or skipped
        skipped = skipped or self._passed
        if complete:
            self._position = BEGIN
        self._passed = skipped and not complete
        self._more = skipped or not complete
        self._next = self._store.recrawls.next_after(now)
        pause = PAUSE if self._more else self._pause if self._next is None else self._next - now
        self.next_look = self._clock() + min(max(pause, SHORTEST_PAUSE), self._pause)

    def _take(self, due: Due) -> bool:
        """Return False if there is no room for it now."""
        row, revisit, latest = due
        name = host(row.url)
        if row.id in self._active:
            return True
        answered = row.state in ANSWERED and latest.status is not None
        never = row.state == FAILED or (row.state == REFUSED and family(row.reason) is Family.ROBOTS)
        # else it was queued again, refused by another rule or deleted since, or its host is visited by another ring
        if self._is_foreign(name) or not (answered or never):
            self._store.recrawls.remove(row.id)
            return True
        at = self._host(row)
        if at is None or len(at.queue.visits) >= MOST_OF_HOST:
            return False
        trust = trust_of(revisit.trust) if revisit.trust else _trust_in(latest)
        known = latest.status == OK and latest.digest == trust.body and bool(latest.file)
        sent = condition(trust, self._clock()) if known else UNCONDITIONAL
        queued = queued_of(replace(row, attempts=0, due=0.0))
        before = self._store.recrawls.before(row.id) if self._selects else None
        queued.visit = Visit(row=revisit, latest=latest, trust=trust, condition=sent, before=before)
        self._active[row.id] = name
        self._frontier.visit(at, queued)
        return True

    def _is_foreign(self, name: str) -> bool:
        """Whether a host belongs to another ring of a cluster."""
        return self._ledger.foreign is not None and self._ledger.foreign.is_foreign(name)

    def _host(self, row: Row) -> Host | None:
        """Return the host of a URL in memory; None: there is no room for it now."""
        name, hosts = host(row.url), self._frontier.hosts
        if name not in hosts and (hosts.crowded(name) or not hosts.room(1)):
            return None
        at, now = self._ledger.host(name, row.site), self._clock()
        if at.gate is RobotsGate.SHUT and self._tried.get(name, 0.0) <= now - GIVEN_UP:
            self._tried[name] = now
            self._frontier.robots_again(at, now)
        return at


def _trust_in(latest: Latest) -> Trust:
    """Return what is known of a page that was never visited again."""
    if latest.status != OK or latest.time is None:
        return Trust()
    return Trust(
        etag=sendable(latest.etag or ""),
        last_modified=settled(latest.last_modified or "", latest.time),
        body=latest.digest or b"",
        time=latest.time,
    )
