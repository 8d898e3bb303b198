"""The conductor as an actor: a crawl goes on when the command that began it has ended.

It keeps nothing that is not in the directory of the cluster, so the engine may start it again at any moment: the rings
go on meanwhile, and it finds them.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.cluster.change import Request, Wanted, put
from ttcrawl.cluster.conduct import Outcome, conduct
from ttcrawl.cluster.distant import Distant
from ttcrawl.cluster.messages import Letter
from ttcrawl.cluster.plan import CONFIG, Plan, existing, read_plan
from ttcrawl.cluster.recrawl import limits_of
from ttcrawl.cluster.status import cluster_status
from ttcrawl.cluster.supervisor import Supervisor
from ttcrawl.config import read
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.output.counters import Snapshot
from ttcrawl.report.rings import RingsStatus

#: Lines for the user that wait for somebody who reads them.
LINES = 1_000

#: Seconds for which the outcome waits for those who watch, and until a watcher who has asked nothing has left.
LINGER, LEFT = 10.0, 3.0

#: Seconds for which an earlier process of the conductor may have the lock.
EARLIER = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What somebody who watches sees: the lines since his last look, and how the crawl has ended."""

    lines: Sequence[str]
    count: int  # of all lines so far
    snapshot: Snapshot | None
    outcome: Outcome | None


class Conductor:
    """An actor. `launch(ring)` starts or finds a ring; `over` is called after the end. Calls may be repeated."""

    def __init__(
        self,
        directory: str,
        launch: Callable[[int], Distant],
        absence: Callable[[int, float], float],
        over: Callable[[], None],
        *,
        fresh: bool,
    ) -> None:
        """`fresh`, `absence`: see `Supervisor`."""
        self._directory = Path(directory)
        self._launch = launch
        self._absence, self._over = absence, over
        self._fresh = fresh
        self._rings: dict[int, Distant] = {}
        self._lines: deque[tuple[int, str]] = deque(maxlen=LINES)  # numbered from 1
        self._snapshot: Snapshot | None = None
        self._outcome: Outcome | None = None
        self._supervisor: Supervisor | None = None
        self._stopping = self._at_once = False
        self._watched, self._seen = float("-inf"), threading.Event()
        threading.Thread(target=self._live, daemon=True).start()

    # -- calls ------------------------------------------------------------------------------------------------------

    def send(self, letters: Sequence[Letter], ring: int) -> None:
        """Take letters of a ring."""
        if (distant := self._rings.get(ring)) is not None:
            distant.deliver(letters)

    def watch(self, count: int) -> View:
        """Return what is new after so many lines."""
        self._watched = time.monotonic()
        if (outcome := self._outcome) is not None:
            self._seen.set()
        lines = list(self._lines)
        last = lines[-1][0] if lines else 0
        before = count if count <= last else 0  # an earlier process of the conductor has said more
        new = tuple(line for number, line in lines if number > before)
        return View(lines=new, count=last, snapshot=self._snapshot, outcome=outcome)

    def stop(self, *, at_once: bool = False) -> None:
        """Let the rings finish their requests in flight, or end at once."""
        self._stopping, self._at_once = True, self._at_once or at_once
        self._pass_on()

    def change(self, wanted: Wanted) -> Request:
        """Request that a ring joins or leaves. Raises UsageError."""
        return put(self._directory, wanted)

    def plan(self) -> Plan:
        """Return the present plan."""
        return read_plan(self._directory)

    def status(self) -> RingsStatus:
        """Return what the cluster is doing."""
        return cluster_status(self._directory)

    # -- in its thread ----------------------------------------------------------------------------------------------

    def _live(self) -> None:
        try:
            outcome = self._conducted()
        except (UsageError, CrawlFailedError, OSError) as error:
            outcome = Outcome(finished=f"failed: {plain(error)}", pages=0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)  # it begins again
        self._outcome = outcome
        if time.monotonic() - self._watched < LEFT:
            self._seen.wait(LINGER)
            time.sleep(0.5)  # the answer leaves
        self._over()

    def _conducted(self) -> Outcome:
        end = time.monotonic() + EARLIER
        while True:
            try:
                with existing(self._directory) as plan:
                    return self._crawled(plan)
            except UsageError:
                if self._supervisor is not None or time.monotonic() > end:
                    raise
                time.sleep(0.5)

    def _crawled(self, plan: Plan) -> Outcome:
        if plan.finished:  # it had ended, and was started again before it was over
            return Outcome(finished=plan.finished, pages=0)
        config = read(self._directory / CONFIG)
        supervisor = self._supervisor = Supervisor(
            self._directory,
            plan,
            self._begin,
            limits_of(self._directory, plan, config),
            self._show,
            self._say,
            fresh=self._fresh,
            absence=self._absence,
        )
        self._pass_on()
        return conduct(self._directory, supervisor, config.crawl.metrics)

    def _begin(self, ring: int) -> Distant:
        distant = self._rings[ring] = self._launch(ring)
        return distant

    def _pass_on(self) -> None:
        if self._supervisor is not None and self._stopping:
            self._supervisor.stop("interrupted")
            if self._at_once:
                self._supervisor.abandon()

    def _show(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def _say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)  # the log of the engine
        self._lines.append((self._lines[-1][0] + 1 if self._lines else 1, line))
