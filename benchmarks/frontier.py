"""The frontier at scale, without a network: what a push and a take cost while the queue grows, memory, time to resume.

python -m benchmarks.frontier [--urls N] [--hosts N]

URLs are pushed in batches through the ledger (seen set, exact index, queue) into a real crawl.db, with commits as in a
crawl. At each mark the cost of the last 200,000 pushes is written down, then 20,000 turns are taken and settled (a fake
fetch) and theirs is. At the end a second process resumes the crawl, which nobody has closed, and says when it would
make its first request.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ttcrawl.config import Config, read
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.priority import queue_order
from ttcrawl.frontier.seen import Seen
from ttcrawl.frontier.spill import Spill
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import IdenticalBody, Link, Request
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import HTTP, NONE, filled
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.url import key

RESULTS = Path(__file__).resolve().parent.parent / "bench-results"
BATCH, COMMIT, TURNS = 100, 10_000, 20_000
WINDOW = 200_000  # pushes up to a mark that are measured: a round of all that is done now and then
ABOUT = {"seconds": 0, "finished": "", "seeds": "http://h0.example/"}


def links(count: int, hosts: int, rng: random.Random, first: int) -> Iterator[list[Link]]:
    """Batches of new URLs of random hosts, as a parse process would send them."""
    for start in range(first, first + count, BATCH):
        batch = []
        for number in range(start, start + BATCH):
            host = f"h{rng.randrange(hosts)}.example"
            url = f"http://{host}/section-{number % 97}/document-{number}.html"
            batch.append(Link(url=url, key=key(url), host=host, distance=number % 7, refused=NONE))
        yield batch


class Bench:
    def __init__(self, directory: Path, config: Config, hosts: int) -> None:
        self.store = Store(directory / "crawl.db", create=True)
        self.store.set(**ABOUT)
        self.seen = Seen(config.seen)
        self.ledger = Ledger(
            self.store,
            self.seen,
            queue_order(config.frontier),
            Bounds(follow_all=True),
            robots_max_age=1e9,
        )
        self.frontier = self.ledger.frontier = Frontier(
            config.politeness,
            config.frontier,
            self.ledger.load,
            self.ledger.forget,
            lambda name: ("192.0.2.1",),
            own_delay=lambda name: None,
            most_turns=16,
        )
        self.spill = Spill(self.store, self.ledger, self.frontier)
        self.hosts, self.rng, self.pushed = hosts, random.Random(1), 0

    def push(self, count: int) -> float:
        """Seconds a push."""
        spent = 0.0
        for batch in links(count, self.hosts, self.rng, self.pushed):
            began = time.process_time()
            self.ledger.discover(batch, None, 0.0)
            self.pushed += BATCH
            if self.pushed % COMMIT == 0:
                self.commit()
            spent += time.process_time() - began
        return spent / max(count, 1)

    def commit(self) -> None:
        self.store.set(total_queued=self.frontier.queued)
        self.store.commit()
        if self.seen.due(self.ledger.last_id):
            self.seen.save(self.store.seen_file, self.ledger.last_id)

    def take(self, count: int) -> float:
        """Seconds a turn: taken, settled, its host let go. A robots.txt is answered at once and not counted."""
        began, turns = time.process_time(), 0
        while turns < count:
            if self.frontier.asleep and self.frontier.hosts.much_room():
                self.spill.wake_more()
            turn = self.frontier.take(0.0)
            assert isinstance(turn, Turn)
            if turn.queued is None:
                assert turn.asker is not None
                self.frontier.robots_read(turn.asker, None)
            else:
                self.ledger.settle(turn.host, turn.queued, FETCHED, filled(HTTP, 200), 0.0)
                turns += 1
            self.frontier.release(turn, 0.0)
        self.commit()
        return (time.process_time() - began) / count


class FirstTurn(Exception):
    """A request would be made now."""


class NoRing:
    """A ring that is ready at once and takes no request."""

    def ready(self) -> None: ...

    def room(self) -> bool:
        return True

    flights: ClassVar[dict[int, Flight[Turn]]] = {}

    def launch(self, request: Request, turn: Turn) -> None:
        raise FirstTurn

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        raise AssertionError("the answer is missing")


def resume(directory: Path) -> float:
    """Seconds from a crawl directory to the first request."""
    began = time.perf_counter()
    store = Store(directory / "crawl.db")
    crawl = Crawl(
        Environment(config=_config(), store=store, ring=NoRing(), clock=time.time, bounds=Bounds(), say=print)  # type: ignore[arg-type]
    )
    try:
        crawl.run([])
    except FirstTurn:
        return time.perf_counter() - began
    raise AssertionError("no request was made")


def _config() -> Config:
    return read(None, [("politeness.obey_delay", "no")])


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def plot(rows: list[dict[str, float]], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for name, style in (("push", "o-"), ("take", "s--")):
        axes.plot([row["urls"] for row in rows], [row[name] for row in rows], style, label=f"a {name}")
    axes.set(xscale="log", xlabel="URLs in the queue", ylabel="microseconds", ylim=(0, None))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=10_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--resume", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.resume:
        print(json.dumps({"resume": resume(options.resume), "peak": _peak()}))
        return
    RESULTS.mkdir(exist_ok=True)
    marks = [n for n in (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000) if n <= options.urls]
    rows = []
    print("| URLs queued | us a push | us a take | peak MB |\n|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(dir=RESULTS) as directory:
        bench = Bench(Path(directory), _config(), options.hosts)
        for mark in marks:
            bench.push(max(0, mark - bench.pushed - WINDOW))
            push = bench.push(mark - bench.pushed)
            take = bench.take(TURNS)
            rows.append({"urls": mark, "push": push * 1e6, "take": take * 1e6, "peak": _peak()})
            print(f"| {mark:,} | {push * 1e6:.1f} | {take * 1e6:.1f} | {_peak():.0f} |", flush=True)
        bench.store.abandon()  # as if it had been killed
        command = [sys.executable, "-m", "benchmarks.frontier", "--resume", directory]
        rates = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        size = sum(path.stat().st_size for path in Path(directory).iterdir()) / 2**20
    print(
        f"\nresume: {rates['resume']:.2f} s to the first request, peak {rates['peak']:.0f} MB; directory {size:,.0f} MB"
    )
    (RESULTS / "frontier.json").write_text(json.dumps({"rows": rows, **rates}, indent=1))
    plot(rows, RESULTS / "frontier.png")


if __name__ == "__main__":
    main()
