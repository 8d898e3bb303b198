"""Crawl the site, then visit it again and again, while pages change and processes are killed."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.changing.web import Change, Key, answer, changes, first
from tests.support.crawls.crawling import command, crawl, options_for, query
from tests.support.faults.killing import cpu_seconds, kill, processes
from tests.support.web.site import Hit, Web
from tests.weeks.watch import proportional

#: What is done to a running crawl, one after the other. stop: Ctrl-C; all but the first two end it.
STEPS = ("fetch", "parse", "crawl", "all", "stop")

#: Outcomes that are committed together at most.
COMMITTED = 20

#: Seconds that a crawl has to end after Ctrl-C, on a busy machine.
PATIENCE = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Memory in bytes (PSS) of the largest process by role, sizes in bytes."""

    at: float
    visits: int
    memory: dict[str, int]
    database: int
    log: int  # of the database, to be written into it
    cpu: float  # seconds of this run of the crawl process


@dataclass(slots=True, kw_only=True)
class Play:
    """`interval`: from one visit of a page to the next; `delay`: between requests to a host; both in seconds. There
    are `kills` steps in `seconds`."""

    directory: Path  # of everything
    hosts: int
    pages: int  # of a host
    interval: float
    delay: float
    seconds: float
    kills: int
    say: Callable[[str], None] = print
    hits: list[Hit] = field(default_factory=list)
    #: page -> (time before, time after) each of its changes
    changed: dict[Key, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    steps: list[tuple[float, str]] = field(default_factory=list)  # (time, what was done)
    samples: list[Sample] = field(default_factory=list)
    begun: float = 0.0
    ended: float = 0.0
    _process: subprocess.Popen[bytes] = field(init=False)
    _again: list[str] = field(init=False)

    @property
    def crawl(self) -> Path:
        return self.directory / "crawl"

    @property
    def output(self) -> Path:
        return self.directory / "output.txt"

    def play(self) -> None:
        with Web(first(self.hosts, self.pages)) as web:
            polite = ("--set", f"politeness.delay={self.delay}")
            done = crawl(web, [web.url(host, "/") for host in web.hosts], self.crawl, *polite, timeout=600)
            assert done.status == 0, done.err
            again = ("revisit.policy=fixed", f"revisit.interval={self.interval}", f"store.commit_pages={COMMITTED}")
            options = [word for each in again for word in ("--set", each)]
            self._again = command("recrawl", self.crawl, *options_for(web), *options, "--progress", "none")
            self._start()
            try:
                self._run(web)
                self._stop()
            finally:
                self._process.kill()
            self.hits = web.log()

    def _run(self, web: Web) -> None:
        rng = random.Random(self.hosts * self.pages)
        waiting = changes(self.hosts, self.pages, self.interval, self.seconds, rng)
        self.begun = time.time()
        steps = [self.begun + self.seconds * (n + 1) / (self.kills + 1) for n in range(self.kills)]
        next_sample, every = self.begun, max(2.0, self.seconds / 60)
        while (now := time.time()) < self.begun + self.seconds:
            due = [each for each in waiting if self.begun + each.at <= now]
            if due:
                del waiting[: len(due)]
                self._change(web, due)
            if steps and now >= steps[0]:
                steps.pop(0)
                self._step(STEPS[len(self.steps) % len(STEPS)], rng)
            if now >= next_sample:
                next_sample += every
                self._sample()
            time.sleep(0.05)
        self.ended = time.time()

    def _change(self, web: Web, due: list[Change]) -> None:
        versions = {each.key: answer(each.key, each.version) for each in due}
        one_by_one = len(versions) < len(due)  # a page that changes twice
        before = time.time()
        for each in due if one_by_one else ():
            web.change({each.key: answer(each.key, each.version)})
        if not one_by_one:
            web.change(versions)
        after = time.time()
        for each in due:
            self.changed[each.key].append((before, after))

    # -- the crawl ------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        with open(self.output, "ab") as file:
            self._process = subprocess.Popen(
                self._again,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                cwd=self.directory,
                start_new_session=True,
            )

    def _stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE)

    def _step(self, what: str, rng: random.Random) -> None:
        assert self._process.poll() is None, self.output.read_text()[-2000:]
        self.steps.append((time.time(), what))
        self.say(f"{time.strftime('%H:%M:%S')}  {what}")
        roles = processes(self._process.pid)
        if what == "stop":
            self._stop()
        elif what == "all":
            kill(pid for pids in roles.values() for pid in pids)
            self._process.wait(PATIENCE)
        else:
            kill(rng.sample(roles[what], min(1, len(roles[what]))))
        if what == "crawl":
            self._process.wait(PATIENCE)
        if what not in ("fetch", "parse"):
            self._start()

    def _sample(self) -> None:
        roles = processes(self._process.pid)
        sizes = [path.stat().st_size if path.exists() else 0 for path in self._files()]
        visits = query(self.crawl, "SELECT count(*) FROM visit")[0][0]
        memory = {role: max(map(proportional, pids), default=0) for role, pids in roles.items()}
        cpu = cpu_seconds(self._process.pid)
        sample = Sample(at=time.time(), visits=visits, memory=memory, database=sizes[0], log=sizes[1], cpu=cpu)
        self.samples.append(sample)

    def _files(self) -> tuple[Path, Path]:
        return self.crawl / "crawl.db", self.crawl / "crawl.db-wal"
