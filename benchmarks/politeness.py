"""A crawl of many slow hosts, beside the floor that politeness sets: python -m benchmarks.politeness [--rounds N]

Each of 2,000 hosts has an address of its own, is requested once a second at most, and takes 50 to 500 ms for an
answer. The floor of a host is the time of its answers and the delays between them; the floor of the crawl is that of
its slowest host. Both come from the log of the server, which also shows the shortest gap from an answer to the next
request. `--save` writes the result into docs/speed.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks import manual
from benchmarks.measure import Measured, finished
from benchmarks.slow_hosts import Hosts, Log, serving

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "speed.md"
BEGIN, END = "<!-- politeness -->\n", "<!-- politeness end -->\n"

#: Share of the floor's speed that every crawl must reach.
GOAL = 0.97

#: Seconds that a crawl may take.
TIMEOUT = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    requests: int
    floor: float  # seconds
    took: float  # seconds from the first request to the last answer
    begun: float  # seconds until each host had its first request
    gap: float  # the shortest, seconds
    cpu: float  # seconds of all processes of the crawl
    load: float  # of the machine when it ended

    @property
    def share(self) -> float:
        return self.floor / self.took


def judged(log: Log, delay: float, measured: Measured) -> Round:
    """What the log of a crawl says."""
    of_host = defaultdict[int, list[tuple[float, float]]](list)
    for host, *times in zip(log.hosts, log.arrived, log.answered, strict=True):
        of_host[host].append((times[0], times[1]))
    floors, gaps = list[float](), list[float]()
    for requests in of_host.values():
        requests.sort()
        floors.append(sum(answered - arrived for arrived, answered in requests) + delay * (len(requests) - 1))
        gaps += [later - answered for (_, answered), (later, _) in pairwise(requests)]
    return Round(
        requests=len(log.hosts),
        floor=max(floors),
        took=max(log.answered) - min(log.arrived),
        begun=max(requests[0][0] for requests in of_host.values()) - min(log.arrived),
        gap=min(gaps),
        cpu=measured.cpu,
        load=os.getloadavg()[0],
    )


def one_crawl(hosts: Hosts, delay: float, settings: Sequence[str]) -> Round:
    """Crawl all hosts once. Ends the program if the crawl fails, or leaves pages out."""
    with tempfile.TemporaryDirectory(prefix="politeness-") as name, serving(hosts) as served:
        folder = Path(name)
        seeds = folder / "seeds.txt"
        seeds.write_text("\n".join(f"http://{hosts.name(n)}:{served.port}/" for n in range(hosts.count)))
        program = str(Path(sys.executable).with_name("ttcrawl"))  # whose process has this name
        command = [program, "crawl", "--seeds", str(seeds), "-d", str(folder / "crawl"), "--progress", "none"]
        for setting in (f"politeness.delay={delay}", "traps.same_content=0", *settings):
            command += ["--set", setting]
        for number in range(hosts.count):
            command += ["--resolve", f"{hosts.name(number)}:{served.port}:{hosts.address(number)}"]
        measured = finished(command, folder / "output", TIMEOUT)
        log = served.log()
    if len(log.hosts) != (wanted := hosts.count * len(hosts.paths())):
        raise SystemExit(f"{len(log.hosts):,} requests instead of {wanted:,}")
    return judged(log, delay, measured)


def table(rounds: Sequence[Round]) -> str:
    lines = [
        "| requests | floor, s | took, s | share of the floor | all hosts after, s | shortest gap, s | CPU ms | load |"
    ]
    lines.append("|--:|--:|--:|--:|--:|--:|--:|--:|")
    for each in rounds:
        figures = f"{each.floor:.1f} | {each.took:.1f} | {each.share:.3f} | {each.begun:.1f} | {each.gap:.4f}"
        lines.append(f"| {each.requests:,} | {figures} | {1000 * each.cpu / each.requests:.2f} | {each.load:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=2_000)
    parser.add_argument("--pages", type=int, default=100, help="pages of a host")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds")
    parser.add_argument("--latency", type=float, nargs=2, default=(0.05, 0.5), help="least and most, seconds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], help="SECTION.KEY=VALUE of config.ini, for the crawl")
    parser.add_argument("--save", action="store_true", help="write the result into docs/speed.md")
    options = parser.parse_args()
    hosts = Hosts(count=options.hosts, pages=options.pages, latency=tuple(options.latency))
    rounds = list[Round]()
    for number in range(options.rounds):
        rounds.append(one_crawl(hosts, options.delay, options.set))
        print(f"round {number + 1}: {rounds[-1].share:.3f} of the floor", file=sys.stderr, flush=True)
    about = f"{hosts.count:,} hosts, delay {options.delay:g} s, answers after {hosts.latency[0]:g} to"
    text = f"{about} {hosts.latency[1]:g} s, {os.cpu_count()} cores:\n\n{table(rounds)}"
    print(text)
    if options.save:
        manual.write(MANUAL, BEGIN, END, text)
    if short := [each for each in rounds if each.gap < options.delay]:
        raise SystemExit(f"{len(short)} crawls had a gap below the delay")
    if slow := [each for each in rounds if each.share < GOAL]:
        raise SystemExit(f"{len(slow)} of {len(rounds)} crawls took longer than the floor / {GOAL}")


if __name__ == "__main__":
    main()
