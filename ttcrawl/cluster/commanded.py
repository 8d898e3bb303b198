"""Commands for a cluster that is there: on its machine, or from any machine of the Ray cluster on which it crawls."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ttcrawl.cluster.change import WAITS, Request, Wanted, awaited
from ttcrawl.cluster.change import change as changed
from ttcrawl.cluster.conduct import Outcome
from ttcrawl.cluster.detached import View
from ttcrawl.cluster.distant import LostError, UnreachableError
from ttcrawl.cluster.plan import PLAN, Plan, read_plan
from ttcrawl.cluster.status import cluster_status
from ttcrawl.cluster.stop import stop as stopped
from ttcrawl.errors import CrawlFailedError, UsageError, require
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.shell import command_line
from ttcrawl.report.rings import RingsStatus
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.regular import is_there

if TYPE_CHECKING:
    from ttcrawl.cluster.on_ray import Call

#: Seconds between two looks.
LOOK = 0.25

#: Seconds without an answer after which the user reads of it.
SILENCE = 30.0

#: Seconds without an answer after which a conductor counts as lost for a command that would end or replace it.
LOST = 15.0


def join_ray(address: str) -> None:
    """Join the Ray cluster at an address. Raises UsageError."""
    require("ray")
    from ttcrawl.cluster.on_ray import connect

    connect(address)


def conductor(directory: Path, address: str = "") -> Call | None:
    """Return the conductor of a crawl, None if the crawl is not on Ray, or nobody conducts it.

    `address`: HOST:PORT of the Ray cluster, for a machine without the directory. Raises UsageError.
    """
    plan = read_plan(directory) if is_there(directory / PLAN) or not address else None
    if not (address := address or (plan.ray if plan is not None else "")):
        return None
    join_ray(address)
    return found(directory, plan)


def found(directory: Path, plan: Plan | None) -> Call | None:
    """The same, of the Ray cluster to which this process belongs."""
    from ttcrawl.cluster.on_ray import Names, conductor_of, names_of

    place = directory.absolute()
    names = names_of(place) if plan is None else Names(id=plan.id, directory=str(place))
    return None if names is None else conductor_of(names)


def answers(call: Call) -> bool:
    """Whether a conductor answers within some time. It may begin again just now."""
    end = time.monotonic() + LOST
    while time.monotonic() < end:
        try:
            call("plan")
        except UnreachableError:
            time.sleep(LOOK)
        except LostError:
            return False
        else:
            return True
    return False


def stop(directory: Path, address: str = "") -> bool:
    """Stop the crawl of a cluster, and wait until it has ended; return whether it was running.

    `address`: see `conductor`. Raises UsageError.
    """
    if not address and not read_plan(directory).ray:
        return stopped(directory)
    if (call := conductor(directory, address)) is None:
        return False
    followed = Followed(directory, call, lambda now: None, lambda line: None)
    followed.stop("interrupted")
    with contextlib.suppress(UsageError, CrawlFailedError):  # it has ended just now
        followed.run()
    return True


def status(directory: Path, address: str = "") -> RingsStatus:
    """Return what a cluster is doing, up to its last commits. `address`: see `conductor`. Raises UsageError."""
    if not address and (crawled_by(directory) or not read_plan(directory).ray):
        return cluster_status(directory)
    try:
        if (call := conductor(directory, address)) is not None:
            return cast(RingsStatus, _answer(directory, call, "status"))
    except (UsageError, CrawlFailedError):
        if not is_there(directory / PLAN):
            raise
    return cluster_status(directory)


def change(directory: Path, wanted: Wanted, say: Callable[[str], None], address: str = "") -> tuple[int, bool]:
    """Let a ring join or leave; see `ttcrawl.cluster.change`. `address`: see `conductor`."""
    if crawled_by(directory) or (call := conductor(directory, address)) is None:
        return changed(directory, wanted, say)
    request: Request = _answer(directory, call, "change", wanted)
    say(WAITS)
    return request.ring, awaited(request, lambda: _look(call))


def _answer(directory: Path, call: Call, method: str, *arguments: Any) -> Any:
    """Return the answer of the conductor. Raises what the method raises, CrawlFailedError if no answer comes."""
    try:
        return call(method, *arguments)
    except LostError as error:
        raise CrawlFailedError(
            f"the conductor of {directory} does not answer ({error}): its machine is off, or it begins again; try later"
        ) from error


def _look(call: Call) -> tuple[bool, Plan | None]:
    try:
        return True, call("plan")
    except LostError:
        return call.is_there(), None


class Followed:
    """A crawl that its conductor conducts, for those who look on. `look` and `say` as in `Supervisor`."""

    def __init__(
        self, directory: Path, call: Call, look: Callable[[Snapshot], None], say: Callable[[str], None]
    ) -> None:
        self._directory, self._call = directory, call
        self._look, self._say = look, say
        self._stopping = self._at_once = False
        self._count = 0  # of lines
        self._is_silent = False  # the user knows

    def stop(self, why: str) -> None:
        """Let the rings finish. A signal may call this, so it only takes note."""
        self._stopping = True

    def end(self) -> Outcome:
        """End the rings at once; return how."""
        self._stopping = self._at_once = True
        return self.run()

    def run(self) -> Outcome:
        """Look on until the crawl has ended; return how. A conductor that is to stop and does not answer is ended.

        Raises CrawlFailedError if its conductor is lost.
        """
        answered = time.monotonic()
        while True:
            try:
                if (outcome := self._show()) is not None:
                    return outcome
                answered = time.monotonic()
            except LostError:
                if not self._call.is_there():
                    return self._left()
                if self._stopping and time.monotonic() - answered > LOST:
                    self._call.end(rings=True)
                    return Outcome(finished="interrupted", pages=0)
                if time.monotonic() - answered > SILENCE and not self._is_silent:
                    self._is_silent = True
                    self._say("the conductor does not answer; rings that have begun go on without it")
            time.sleep(LOOK)

    def _show(self) -> Outcome | None:
        """Show what is new; return how the crawl has ended, None while it runs. Raises LostError."""
        if self._stopping:
            self._call("stop", at_once=self._at_once)
        view: View = self._call("watch", self._count)
        self._count, self._is_silent = view.count, False
        for line in view.lines:
            self._say(line)
        if view.snapshot is not None:
            self._look(view.snapshot)
        return view.outcome

    def _left(self) -> Outcome:
        """Return what the conductor has written before it was over."""
        if finished := read_plan(self._directory).finished:
            return Outcome(finished=finished, pages=1)
        resume = command_line("cluster", "resume", self._directory)
        raise CrawlFailedError(f"the conductor of {self._directory} is lost: continue with {resume}")
