"""The conductor at work: it starts the rings, watches them, and ends the crawl; on one machine it carries letters."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ttcrawl.cluster.change import requested, taken_up
from ttcrawl.cluster.conductor import Silence, Waves, reached
from ttcrawl.cluster.courier import UnknownLetterError
from ttcrawl.cluster.largest import split_share, to_split
from ttcrawl.cluster.members import divided, settled
from ttcrawl.cluster.messages import AnyMessage, Ended, Finish, Letter, Look, Members, Said, Status, Stop
from ttcrawl.cluster.plan import Plan, write_plan
from ttcrawl.cluster.post import CONDUCTOR
from ttcrawl.cluster.presence import FENCE, Presence, no_engine
from ttcrawl.cluster.process import Running
from ttcrawl.cluster.remote_rings import RemoteRing, write_remote_rings
from ttcrawl.config import Config
from ttcrawl.errors import plain
from ttcrawl.output.counters import Snapshot
from ttcrawl.ring.poll import readable
from ttcrawl.ring.stuck import late_fetch

#: Shortest time between two waves, and longest time for the answers to one, seconds.
PAUSE, PATIENCE = 0.25, 5.0

#: Seconds after which a ring without an answer is asked again in the same wave: the letter may be lost.
AGAIN = 1.0

#: Seconds without an answer after which a ring is named.
SILENCE = 3 * PATIENCE

#: Deaths of a ring in a row, without an answer between them, after which another start is useless.
HOPELESS = 5

#: Bits of the number of a term or a wave that count those of one conductor; above them is the second in which it began.
COUNT = 20

#: Seconds that rings may take to end when the conductor ends at once.
END = 20.0


@dataclass(slots=True)
class _Child:
    """The process of a ring, and what is known of it."""

    running: Running
    ended: Ended | None = None
    unfinished: bytearray = field(default_factory=bytearray)  # of its errors: the line that is not complete
    answered: bool = False
    silence: Silence = field(default_factory=Silence)
    named: bool = False  # the user knows that it does not answer


class Supervisor:
    """`launch` starts the process of a ring; `fresh`: the directory is new, so no ring was ever started there.

    `absence`: see `Presence`.

    `look` is called with what all rings do together, `say` with their messages.

    `plan`: the present one, which changes when rings join or leave. `nothing`: ring -> why it has fetched no page, ""
    if it has; of rings that have ended in order. `look_at_ring` is called with what each ring does.
    """

    def __init__(
        self,
        directory: Path,
        plan: Plan,
        launch: Callable[[int], Running],
        config: Config,
        look: Callable[[Snapshot], None],
        say: Callable[[str], None],
        *,
        fresh: bool = False,
        absence: Callable[[int, float], float] = no_engine,
    ) -> None:
        self._directory = directory
        self.plan = plan
        self._launch = launch
        self._limits = config.crawl
        self._split_share = split_share(config) if plan.revisits is None else 0.0
        self._look, self._say = look, say
        last = FENCE + late_fetch(config.fetch, config.browser)
        first = int(time.time()) << COUNT
        self._presence = Presence(plan.rings, last, time.monotonic(), fresh=fresh, term=first, absence=absence)
        self._waves = Waves(plan.rings, first)
        self._children: dict[int, _Child] = {}
        self._deaths: Counter[int] = Counter()
        self._statuses: dict[int, Status] = {}
        self._snapshots: dict[int, Snapshot] = {}
        self.nothing: dict[int, str] = {}
        self.look_at_ring: Callable[[int, Snapshot], None] = _nobody
        self._finished, self._stopped_by = False, ""
        self._abandoned = False
        self._begun = time.monotonic() - (max(0.0, time.time() - plan.begun) if plan.begun else 0.0)
        self._asked_at = self._asked_again_at = float("-inf")

    def run(self) -> str:
        """Crawl; return how it ended: "done", a limit, "interrupted" or "failed: why"."""
        for ring in self.plan.rings:
            self._start(ring)
        while self._children and not self._abandoned:
            self._carry()
            for ring, child in list(self._children.items()):
                if child.running.courier.closed and (how := child.running.ended()) is not None:
                    self._ended(ring, child, how)
            self._conduct()
        self._note()
        return "done" if self._finished and not self._failed else self._stopped_by

    def stop(self, why: str) -> None:
        """Let the rings finish their requests in flight, and end with work left."""
        self._stopped_by = self._stopped_by or why

    def abandon(self) -> None:
        """End at once: `run` returns, and `close` ends the rings."""
        self._abandoned = True

    @property
    def _failed(self) -> bool:
        return self._stopped_by.startswith("failed: ")

    @property
    def pages(self) -> int:
        """Pages of all rings, with earlier runs, as far as is known."""
        return sum(each.pages for each in self._snapshots.values())

    @property
    def queued(self) -> int:
        """Queued URLs of all rings, as far as is known."""
        return sum(each.queued for each in self._snapshots.values())

    def close(self) -> None:
        """End what still runs: rings end when their connection does."""
        end = time.monotonic() + END
        for child in self._children.values():
            child.running.courier.close()
        for child in self._children.values():
            child.running.close(end)

    # -- processes ------------------------------------------------------------------------------------------------

    def _start(self, ring: int) -> None:
        self._children[ring] = _Child(self._launch(ring))
        self._presence.begun(ring)
        self._statuses.pop(ring, None)  # of the process before: this one has another epoch until it says so
        self._asked_at = float("-inf")  # the present wave does not wait for it

    def _ended(self, ring: int, child: _Child, how: str) -> None:
        """Decide what the end of a ring means for the others."""
        self._listen(ring, child)
        child.running.close(0.0)
        del self._children[ring]
        ended = child.ended
        if ended is not None and ended.failed:
            self._say(f"ring {ring}: {ended.why}")
            self.stop(f"failed: ring {ring}: {ended.why}")
        elif ended is not None and ended.why == "done":
            self._finished = True  # if it was not the last process of the conductor that has said so
        elif ended is not None and ended.why != "interrupted":
            self.stop(ended.why)
        elif self._stopped_by or (self._finished and ended is not None):
            return
        elif trouble := child.running.trouble:
            self.stop(f"failed: ring {ring}: {trouble}")
        else:
            self._again(ring, child.running.name, how)

    def _again(self, ring: int, name: str, how: str) -> None:
        """Start a ring that has ended by itself or was killed."""
        self._deaths[ring] += 1
        if self._deaths[ring] >= HOPELESS:
            self.stop(f"failed: ring {ring} {how}, {HOPELESS} times before it answered")
            return
        self._say(f"ring {ring} ({name}) {how}; it was started again")
        self._start(ring)

    # -- letters --------------------------------------------------------------------------------------------------

    def _carry(self) -> None:
        """Wait until the next wave, or until something has come; carry it to its receivers."""
        open_ = [(ring, child.running) for ring, child in self._children.items() if not child.running.courier.closed]
        outputs = {each.errors: ring for ring, each in open_ if each.errors is not None}
        couriers = {each.courier.fileno(): ring for ring, each in open_}
        wait = self._asked_at + PAUSE - time.monotonic()
        for each in readable([*couriers, *outputs], wait if wait > 0 else PAUSE):
            if each in outputs:
                self._listen(outputs[each], self._children[outputs[each]])
            else:
                self._receive(couriers[each], self._children[couriers[each]])
        for child in self._children.values():
            child.running.courier.flush()

    def _receive(self, ring: int, child: _Child) -> None:
        try:
            letters = child.running.courier.receive()
        except UnknownLetterError as error:
            self._say(f"ring {ring}: {error}; it is ended")
            child.running.kill()
            child.running.courier.closed = True
            return
        for letter in letters:
            self._deliver(ring, letter)

    def _deliver(self, ring: int, letter: Letter) -> None:
        message = letter.message
        if letter.to != CONDUCTOR:
            if (receiver := self._children.get(letter.to)) is not None:
                receiver.running.courier.send(letter.to, message)
        elif isinstance(message, Status):
            self._waves.hear(message)
            self._presence.hear(message, time.monotonic())
            self._statuses[ring] = message
            self._deaths[ring] = 0
            child = self._children[ring]
            child.answered = True
            child.silence.over()
            child.named = False
        elif isinstance(message, Look):
            self._snapshots[ring] = message.snapshot
            self.look_at_ring(ring, message.snapshot)
            running = {number for number, child in self._children.items() if not child.running.waits}
            if running <= self._snapshots.keys():  # else the sums would be of some rings only
                self._look(together(self._snapshots.values()))
        elif isinstance(message, Said):
            self._report(ring, self._children[ring], message.text)
        elif isinstance(message, Ended):
            self._children[ring].ended, self.nothing[ring] = message, message.nothing

    def _listen(self, ring: int, child: _Child) -> None:
        """Report the lines that a ring has written for the user."""
        if child.running.errors is not None:
            with contextlib.suppress(BlockingIOError):
                self._report(ring, child, os.read(child.running.errors, 1 << 16))

    def _report(self, ring: int, child: _Child, text: bytes) -> None:
        child.unfinished += text
        *lines, rest = child.unfinished.split(b"\n")
        child.unfinished = bytearray(rest)
        for line in lines:
            self._say(f"ring {ring}: {line.decode(errors='replace').removeprefix('ttcrawl: ')}")

    # -- the end --------------------------------------------------------------------------------------------------

    def _conduct(self) -> None:
        """End a wave whose answers are there, or do not come, and begin the next one."""
        now = time.monotonic()
        late = now >= self._asked_at + PATIENCE
        if now < self._asked_at + PAUSE:
            return
        if not late and (missing := self._waves.missing & self._children.keys()):
            self._ask_again(missing, now)
            return
        self._asked_at = self._asked_again_at = now
        if not self._stopped_by and self._waves.ended() and self.plan.settled:
            self._finished = True
        if not self._finished and not self._stopped_by:
            self._change()
        self._note()
        if not self._finished and (limit := reached(self._limits, self._statuses.values(), now - self._begun)):
            self.stop(limit)
        poll, messages = self._waves.poll(), list[AnyMessage]()
        if self._finished:
            messages.append(Finish())
        elif self._stopped_by:
            messages.append(Stop(why="interrupted" if self._failed else self._stopped_by))
        elif not self.plan.settled:
            messages.append(self.plan.members)
        for ring, child in self._children.items():
            self._watch(ring, child, now)
            for message in (self._presence.question(ring, poll, now), *messages):
                child.running.courier.send(ring, message)
            child.running.courier.flush()

    def _ask_again(self, rings: Iterable[int], now: float) -> None:
        """Ask those without an answer in the present wave, once in AGAIN seconds."""
        if now < self._asked_again_at + AGAIN:
            return
        self._asked_again_at = now
        for ring in rings:
            running = self._children[ring].running
            if not running.waits:
                running.courier.send(ring, self._presence.question(ring, self._waves.question, now))
                running.courier.flush()

    def _watch(self, ring: int, child: _Child, now: float) -> None:
        """Name a ring that does not answer, and kill it after the time in which it would have ended by itself.

        One that begins or ends may be busy for longer.
        """
        silence = child.silence.asked(now, waits=child.running.waits)
        if silence >= SILENCE and not (child.named or self._finished):
            child.named = True
            self._say(f"ring {ring} ({child.running.name}) has not answered for {silence:.0f} s")
        if silence > FENCE and child.answered and self.plan.settled and not (self._finished or self._stopped_by):
            child.running.kill()
        if self._stopped_by and child.running.waits:
            child.running.kill()  # it has nothing to finish

    def _note(self) -> None:
        """Write what rings on other machines do, for those who ask."""
        if not self.plan.ray:
            return
        running = {ring: child.running for ring, child in self._children.items() if not child.running.waits}
        rings = {
            ring: RemoteRing(
                process=running[ring].name.removeprefix("process ") if ring in running else "",
                seconds=each.seconds,
                pages=each.pages,
                queued=each.queued,
            )
            for ring, each in self._snapshots.items()
        }
        with contextlib.suppress(OSError):  # a full disk ends the crawl where it matters
            write_remote_rings(self._directory, rings)

    def _change(self) -> None:
        """Note that all hosts have moved; then begin the change that a command requests, or split large domains."""
        members = self.plan.members
        epochs = {ring: status.epoch for ring, status in self._statuses.items()}
        if not self.plan.settled and all(epochs.get(ring) == members.epoch for ring in members.processes):
            self._plan(settled(members))
            self._say(f"the hosts have moved: {_listed(members.rings)} own them")
        if not self.plan.settled:
            return
        members = self.plan.members
        if (request := requested(self._directory, self.plan)) is not None:
            self._begin(request.members_after(members))
            taken_up(self._directory)
        elif domains := to_split(self._statuses, members, self._split_share):
            for name, share in domains.items():
                self._say(f"{name} has {share:.0%} of the URLs: the rings share its hosts from now on")
            self._begin(divided(members, domains))

    def _begin(self, members: Members) -> None:
        """Begin a change: the rings are told the members until all hosts have moved."""
        new = set(members.processes) - set(self.plan.members.processes)
        self._plan(members)
        self._waves.change(members.processes)
        self._presence.add(members.processes)
        for ring in new:
            self._start(ring)

    def _plan(self, members: Members) -> None:
        self.plan = replace(self.plan, members=members)
        try:
            write_plan(self._directory, self.plan)
        except OSError as error:
            self.stop(f"failed: cannot write {self._directory}: {plain(error)}")


def _nobody(ring: int, now: Snapshot) -> None:
    """Nobody watches single rings."""


def _listed(rings: Iterable[int]) -> str:
    return ", ".join(f"ring {ring}" for ring in rings)


def together(snapshots: Iterable[Snapshot]) -> Snapshot:
    """Return the sums of several crawls; of the seconds the most, and the slowest host of all."""
    sums: dict[str, Any] = {}
    every = list(snapshots)
    for each in every:
        for name, value in asdict(each).items():
            if name == "slowest_host":
                continue
            before = sums.get(name)
            numbers = [number for number in (before, value) if number is not None]
            sums[name] = (max(numbers) if name == "seconds" else sum(numbers)) if numbers else None
    slowest = max(every, key=lambda each: each.slowest_seconds)
    sums |= {"slowest_host": slowest.slowest_host, "slowest_seconds": slowest.slowest_seconds}
    return Snapshot(**sums)
