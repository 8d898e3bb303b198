"""One crawl on 1 to 16 cores, simulated: python -m benchmarks.cores [--owner MS --fetch MS --parse MS] [--save]

Each process of a crawl is one thread. A page costs the crawl process, a fetch process and a parse process what
docs/speed.md measured; a simulation lets them work on N cores, with as many processes as a crawl of N cores has, and
prints pages a second, how busy each role is, and which one is the limit. Parse processes are added as in a crawl, if
answers wait for them. Sites answer after `LATENCY`. Ready processes take turns on the cores, as under a fair scheduler.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import random
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import manual
from ttcrawl.config import Config, Crawl
from ttcrawl.ring.sizes import QUICK, Demand, fetchers, first_parsers, most_parsers

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "speed.md"
BEGIN, END = "<!-- cores -->\n", "<!-- cores end -->\n"

OWNER, FETCH, PARSE = "owner", "fetch", "parse"

#: Role -> the name of its process in the table of docs/speed.md.
MEASURED = {OWNER: "ttcrawl", FETCH: "ttcrawl-fetch", PARSE: "ttcrawl-parse"}

#: What a page costs each role, in the order of its life, as shares of the price of that role: the crawl process takes
#: it from the queue, hands it to a parse process, and writes its outcome; a fetch process begins and ends a request.
LIFE = ((OWNER, 0.25), (FETCH, 0.5), ("network", 0.0), (FETCH, 0.5), (OWNER, 0.15), (PARSE, 1.0), (OWNER, 0.6))

DEFAULTS = Config().crawl
CORES = (1, 2, 4, 8, 16)
LATENCY = 0.005  # seconds that a site takes to answer
PAGES = 20_000
TURN = 0.001  # seconds for which a process runs before another one that is ready

#: What is said of a role that is the limit.
LIMITS = {OWNER: "the crawl process", FETCH: "the fetch processes", PARSE: "the parse processes"}


@dataclass(slots=True, kw_only=True, eq=False)
class Process:
    """One process: the pages that it has not done, and its CPU time so far, seconds."""

    role: str
    pages: deque[int] = field(default_factory=deque)
    remaining: float = 0.0  # seconds of work for the first page; 0: not begun
    cpu: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`busy`: role -> share of the time in which one of its processes works, on average."""

    rate: float  # pages a second
    busy: Mapping[str, float]
    cores: float  # share of the cores that work, on average

    def limit(self) -> str:
        """What bounds the rate: who is busy for most of the time."""
        shares = {"the cores": self.cores} | {LIMITS[role]: share for role, share in self.busy.items()}
        return max(shares, key=lambda each: shares[each])


class Simulation:
    """A crawl in which there is always a page to fetch."""

    def __init__(self, prices: Mapping[str, float], cores: int, crawl: Crawl = DEFAULTS) -> None:
        self._prices = prices  # role -> seconds of CPU a page
        self._cores = self._idle = cores
        self._most, self._demand = most_parsers(crawl, cores), Demand()
        numbers = {OWNER: 1, FETCH: fetchers(crawl, cores), PARSE: first_parsers(crawl, cores)}
        self.processes = {role: [Process(role=role) for _ in range(number)] for role, number in numbers.items()}
        self._ready = deque[Process]()
        self._steps: dict[int, int] = {}  # page -> its step of LIFE
        self._events: list[tuple[float, int, int, Process | None]] = []
        self._numbers = itertools.count()
        self._random = random.Random(1)
        self._in_flight = numbers[FETCH] * (crawl.threads or QUICK) + crawl.data_queue
        self.now, self.done = 0.0, 0

    def run(self, pages: int) -> Result:
        for page in range(self._in_flight):
            self._enter(page, 0)
        while self.done < pages:
            self._run_ready()
            self.now, _, page, process = heapq.heappop(self._events)
            if process is None:
                self._enter(page, self._steps[page] + 1)
            else:
                self._pause(process)
            self._grow()
        busy = {role: sum(each.cpu for each in group) / len(group) / self.now for role, group in self.processes.items()}
        cpu = sum(each.cpu for group in self.processes.values() for each in group)
        return Result(rate=self.done / self.now, busy=busy, cores=cpu / self.now / self._cores)

    def _enter(self, page: int, step: int) -> None:
        """Let a page begin a step of its life; after the last one, another page begins in its place."""
        if step == len(LIFE):
            self.done += 1
            step = 0
        self._steps[page] = step
        role = LIFE[step][0]
        if role not in self.processes:
            self._add(LATENCY, page, None)
            return
        process = min(self.processes[role], key=lambda each: len(each.pages))
        process.pages.append(page)
        if len(process.pages) == 1:
            self._ready.append(process)

    def _run_ready(self) -> None:
        """Give idle cores to ready processes, for one turn."""
        while self._idle and self._ready:
            process = self._ready.popleft()
            page = process.pages[0]
            if not process.remaining:
                role, share = LIFE[self._steps[page]]
                process.remaining = self._prices[role] * share * self._random.expovariate(1)  # pages differ in size
            seconds = min(TURN, process.remaining)
            process.remaining -= seconds
            process.cpu += seconds
            self._idle -= 1
            self._add(seconds, page, process)

    def _pause(self, process: Process) -> None:
        """End the turn of a process; a page that it has done goes on."""
        self._idle += 1
        done = process.pages.popleft() if not process.remaining else None
        if process.pages:
            self._ready.append(process)
        if done is not None:
            self._enter(done, self._steps[done] + 1)

    def _grow(self) -> None:
        """Add a parse process if answers have waited for long."""
        group = self.processes[PARSE]
        waiting = all(len(each.pages) > 1 for each in group)
        if len(group) < self._most and self._demand.lasts(waiting=waiting, now=self.now):
            group.append(Process(role=PARSE))

    def _add(self, seconds: float, page: int, process: Process | None) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._numbers), page, process))


def measured(page: str) -> dict[str, float]:
    """The prices in docs/speed.md: role -> seconds of CPU a page."""
    names = {name: role for role, name in MEASURED.items()}
    rows = re.findall(r"^\| (\S+) \| ([\d.]+) \|", page, re.MULTILINE)
    return {names[name]: float(price) / 1000 for name, price in rows if name in names}


def table(prices: Mapping[str, float], pages: int = PAGES) -> str:
    columns = "cores | fetch processes | parse processes | pages/s | crawl process busy | fetch | parse | cores | limit"
    lines = [f"| {columns} |", "|--:|--:|--:|--:|--:|--:|--:|--:|---|"]
    for cores in CORES:
        simulation = Simulation(prices, cores)
        result = simulation.run(pages)
        numbers = f"{len(simulation.processes[FETCH])} | {len(simulation.processes[PARSE])}"
        busy = " | ".join(f"{100 * share:.0f} %" for share in (*result.busy.values(), result.cores))
        lines.append(f"| {cores} | {numbers} | {result.rate:,.0f} | {busy} | {result.limit()} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    prices = measured(MANUAL.read_text(encoding="utf-8"))
    for role, price in prices.items():
        parser.add_argument(f"--{role}", type=float, default=price * 1000, help=f"ms a page (default {price * 1e3:g})")
    parser.add_argument("--save", action="store_true", help="write the table into docs/speed.md")
    options = parser.parse_args(arguments)
    prices = {role: getattr(options, role) / 1000 for role in prices}
    text = ", ".join(f"{role} {price * 1000:.3g} ms" for role, price in prices.items())
    result = f"A page costs: {text}.\n\n{table(prices)}"
    print(result)
    if options.save:
        manual.write(MANUAL, BEGIN, END, result)


if __name__ == "__main__":
    main()
