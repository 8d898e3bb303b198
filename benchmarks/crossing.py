"""What it costs that a link crosses from one ring to another: frames, post, mailbox and ledger, in one process.

python -m benchmarks.crossing [--rounds N] [--save]

A ring discovers foreign URLs, stores them in batches, commits, and sends frames; another one opens them, discovers the
URLs, commits and acknowledges. All is the real thing but the carrier between them: frames are handed over. Seconds are
processor time of the crawl processes. From batches of one and of a thousand links follow the prices of a link and of a
batch. Carriage is what the conductor of one machine does for a letter: it reads it from the connection of a ring, and
writes it for another one. On Ray letters do not pass it.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import manual
from benchmarks.frontier import Bench
from ttcrawl.cluster import outbox
from ttcrawl.cluster.conductor import Waves
from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.messages import AnyMessage, Batches, Born, Grant, Known, Letter, Status, letters_of, posted
from ttcrawl.cluster.post import MOST, Post
from ttcrawl.cluster.route import Table, owners, table
from ttcrawl.config import Config, Politeness
from ttcrawl.engine.settle import HostSettler
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.output.counters import Counters
from ttcrawl.ring.messages import Link
from ttcrawl.vocabulary.reason import NONE
from ttcrawl.web.url import host, key

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "scale.md"
BEGIN, END = "<!-- crossing -->\n", "<!-- crossing end -->\n"

#: Links in a batch; the first and the last give the prices.
SIZES = (1, 10, 100, MOST)
#: Batches of a round.
BATCHES = 16
#: Bytes of a link between real pages in a large batch; they are opened by its receiver, not by the conductor.
REAL = 35

#: Small messages of a measurement.
MESSAGES = 5_000
GRANT = Grant(sender=1, term=1, life=1, holder_life=1, address="192.0.2.1", serial=1, age=0.0)


@dataclass(slots=True, kw_only=True)
class Seconds:
    """Processor time of one round of batches."""

    out: float = 0.0  # the sender: from the discovery of the links to the frames, and the acknowledgements
    into: float = 0.0  # the receiver
    sizes: list[int] = field(default_factory=list)  # bytes of the frames of batches


class Busy:
    """A crawl with something to do."""

    stopped_by, at_rest, idle = "", False, False

    def stop(self, why: str) -> None:
        raise AssertionError(why)


class Ring:
    """One ring: its tables, ledger and post, and one end of a connection."""

    def __init__(self, number: int, members: Table, directory: Path) -> None:
        config = Config(politeness=Politeness(address_delay=0.0))
        directory.mkdir()
        self.bench = Bench(directory, config, hosts=1)
        self.frames: deque[bytes] = deque()
        self.post = Post(number, founding(members), self._send)
        bench = self.bench
        shared = Shared(
            config=config,
            store=bench.store,
            seen=bench.seen,
            ledger=bench.ledger,
            frontier=bench.frontier,
            counters=Counters(),
            clock=time.time,
        )
        self.post.join(shared, Bounds(follow_all=True), HostSettler(shared))
        self.bench.commit()

    def _send(self, ring: int, message: AnyMessage) -> None:
        if not isinstance(message, Born | Known):
            self.frames.append(posted([Letter(to=ring, message=message)]))

    def receive(self, frames: Sequence[bytes]) -> None:
        for frame in frames:
            self.post.incoming.extend(each.message for each in letters_of(frame))
        self.post.turn(Busy())

    def commit(self) -> None:
        self.post.before_commit()
        self.bench.commit()
        self.post.after_commit()


def links(hosts: Sequence[str], size: int, first: int) -> list[Link]:
    urls = (f"http://{hosts[n % len(hosts)]}/section-{n % 97}/document-{n}.html" for n in range(first, first + size))
    return [Link(url=url, key=key(url), host=host(url), distance=n % 7, refused=NONE) for n, url in enumerate(urls)]


def crossed(sender: Ring, receiver: Ring, batches: Sequence[Sequence[Link]]) -> Seconds:
    """Let these batches cross in one transaction of each ring."""
    seconds, began = Seconds(), time.process_time()
    for batch in batches:
        sender.bench.ledger.discover(batch, None, 0.0)
        sender.post.before_commit()
    sender.commit()
    frames = [sender.frames.popleft() for _ in range(len(sender.frames))]
    seconds.sizes = [len(each) for each in frames]
    seconds.out, began = time.process_time() - began, time.process_time()
    receiver.receive(frames)
    receiver.commit()
    answers = [receiver.frames.popleft() for _ in range(len(receiver.frames))]
    seconds.into, began = time.process_time() - began, time.process_time()
    sender.receive(answers)
    seconds.out += time.process_time() - began
    return seconds


def measure(directory: Path, rounds: int) -> dict[int, Seconds]:
    """Return the least of rounds for each size of a batch: other programs make a round slower, never faster."""
    members = table([1, 2])
    sender, receiver = (Ring(number, members, directory / f"ring-{number}") for number in members.rings)
    hosts = [name for name in (f"www.site{each}.example" for each in range(20_000)) if members.ring_of(name) == 2]
    found, first = dict[int, Seconds](), 0
    for size in SIZES:
        each_round = []
        for _ in range(rounds):
            batches = [links(hosts, size, first + size * number) for number in range(BATCHES)]
            first += size * BATCHES
            each_round.append(crossed(sender, receiver, batches))
        found[size] = Seconds(
            out=min(each.out for each in each_round),
            into=min(each.into for each in each_round),
            sizes=[each for one in each_round for each in one.sizes],
        )
    return found


def carried(message: AnyMessage, rounds: int) -> float:
    """Return the seconds of the conductor for a letter that it carries from ring to ring: the least of some rounds."""
    source, sender = map(Courier, socket.socketpair())
    target, receiver = map(Courier, socket.socketpair())
    for each in (source, target, sender, receiver):
        each.receive()
    least, several = float("inf"), 100
    for _ in range(rounds):
        began = seconds = 0.0
        arrived = 0
        for _ in range(several):
            sender.send(1, message)
        while arrived < several:
            sender.flush()
            began = time.process_time()
            for letter in source.receive():
                target.send(2, letter.message)
            target.flush()
            seconds += time.process_time() - began
            arrived += len(receiver.receive())
        least = min(least, seconds / several)
    for each in (source, target, sender, receiver):
        each.close()
    return least


def carriage(rounds: int) -> dict[str, float]:
    """Return the microseconds of the conductor by name: of a lease or an acknowledgement, of a batch and of a link."""
    seconds = []
    for size in (SIZES[0], SIZES[-1]):
        batch = Batches(sender=1, incarnation="a" * 24, epoch=1, batches={1: os.urandom(REAL * size)})
        seconds.append(carried(batch, rounds))
    link = (seconds[1] - seconds[0]) / (SIZES[-1] - SIZES[0])
    return {
        "a message of a lease through the conductor, us": carried(GRANT, rounds) * 1e6,
        "a batch through the conductor, us": (seconds[0] - link) * 1e6,
        "a link through the conductor, us": link * 1e6,
    }


def small(message: AnyMessage, heard: Callable[[AnyMessage], object]) -> float:
    """Return the seconds of a small message: sealed, opened and processed."""
    began = time.process_time()
    for _ in range(MESSAGES):
        for received in letters_of(posted([Letter(to=1, message=message)])):
            heard(received.message)
    return (time.process_time() - began) / MESSAGES


def prices(found: dict[int, Seconds], rounds: int) -> dict[str, float]:
    """Return microseconds and bytes by name: of a link and of a batch, at both ends."""
    few, many = found[SIZES[0]], found[SIZES[-1]]
    figures = {}
    for name, of_few, of_many in (("out of a ring", few.out, many.out), ("into a ring", few.into, many.into)):
        link = (of_many - of_few) / BATCHES / (SIZES[-1] - SIZES[0])
        figures[f"a link {name}, us"] = link * 1e6
        figures[f"a batch {name}, us"] = (of_few / BATCHES - link) * 1e6
    figures["a link in a batch of 1,000, bytes"] = statistics.mean(many.sizes) / SIZES[-1]
    figures["a batch of one link, bytes"] = statistics.mean(few.sizes)
    waves = Waves([1])
    status = Status(ring=1, wave=1, idle=True, life="a" * 37, activity=1, epoch=0, fetched=1, bytes=1)
    figures["a status of the conductor, us"] = small(status, lambda heard: waves.hear(status)) * 1e6
    figures["a message of a lease, us"] = small(GRANT, lambda heard: None) * 1e6
    figures |= carriage(rounds)
    for rings in (100, 1000):
        figures[f"the table of {rings:,} rings, ms"] = min(table_time(rings) for _ in range(3)) * 1e3
    return figures


def table_time(rings: int) -> float:
    """Return the seconds of a table, made anew."""
    owners.cache_clear()
    began = time.process_time()
    table(range(1, rings + 1))
    return time.process_time() - began


def report(found: dict[int, Seconds], rounds: int) -> str:
    lines = ["| links in a batch | us a link, sender | us a link, receiver | bytes a link |", "|--:|--:|--:|--:|"]
    for size, each in found.items():
        cost = " | ".join(f"{seconds / BATCHES / size * 1e6:,.1f}" for seconds in (each.out, each.into))
        lines.append(f"| {size:,} | {cost} | {statistics.mean(each.sizes) / size:,.0f} |")
    lines += ["", "| price | |", "|---|--:|"]
    lines += [f"| {name} | {figure:,.{2 if figure < 1 else 1}f} |" for name, figure in prices(found, rounds).items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--save", action="store_true", help="write the result into docs/scale.md")
    options = parser.parse_args()
    outbox.ENOUGH = 1  # each batch is a message of its own, whose price is measured
    with tempfile.TemporaryDirectory() as directory:
        text = report(measure(Path(directory), options.rounds), options.rounds)
    print(text)
    if options.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
