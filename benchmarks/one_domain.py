"""One registrable domain with many hosts, crawled by three rings: python -m benchmarks.one_domain [--rounds N] [--save]

nginx serves generated pages of hosts of one domain. With `[frontier] split_share = 0` one ring has all the work; else
the rings share the hosts as soon as the domain is large. No delay is obeyed. Rings on one machine share its cores, so
what counts is the processor time of the busiest crawl process: one thread, which bounds rings on machines of their own.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from benchmarks import manual
from benchmarks.docsites import DocSites
from benchmarks.measure import cpu_of, finished
from benchmarks.rings import MANUAL, TIMEOUT, in_turn
from ttcrawl.output.number import counted

BEGIN, END = "<!-- one domain -->\n", "<!-- one domain end -->\n"

RINGS = 3

#: [frontier] split_share -> what becomes of the domain.
SHARES = {0.0: "belongs to one ring", 0.25: "is shared by the rings"}


@dataclass(slots=True)
class Watch:
    """The processor time of the crawl process of each ring."""

    directory: Path
    seconds: dict[int, float] = field(default_factory=dict)

    def look(self, seconds: float, roles: Mapping[str, float]) -> None:
        for ring in range(1, RINGS + 1):
            with contextlib.suppress(OSError, ValueError, IndexError):  # it has not begun, or has ended
                process = int((self.directory / f"ring-{ring}" / "lock").read_text())
                self.seconds[ring] = cpu_of(process)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One crawl."""

    pages: int
    rate: float  # pages a second
    busiest: float  # ms of the busiest crawl process, for each page of all rings
    together: float  # ms of all crawl processes


def crawl(share: float, sites: DocSites, folder: Path) -> Round:
    """Crawl once. Ends the program if the crawl fails, or a page was requested twice."""
    watch = Watch(folder / "crawl")
    command = [sys.executable, "-m", "ttcrawl", "cluster", "crawl", sites.seeds[0], *sites.at_once]
    command += ["--scope", "domain", "--rings", str(RINGS), "--set", f"frontier.split_share={share}"]
    command += ["-d", str(watch.directory)]
    since = sites.mark()
    finished(command, folder / "output", TIMEOUT, look=watch.look)
    log = [each for each in sites.log(since) if each.uri != "/robots.txt" and each.status == 200]
    if len({(each.host, each.uri) for each in log}) < len(log):
        raise SystemExit("a page was requested twice")
    used, pages = watch.seconds.values(), len(log)
    seconds = max(each.ended for each in log) - min(each.ended for each in log)
    return Round(pages=pages, rate=pages / seconds, busiest=max(used) / pages * 1e3, together=sum(used) / pages * 1e3)


def measure(hosts: int, pages: int, rounds: int) -> dict[float, list[Round]]:
    """Crawl the same pages in turn."""
    return in_turn([f"h{number}.uni.test" for number in range(hosts)], pages, rounds, SHARES, crawl)


def report(found: Mapping[float, list[Round]], hosts: int) -> str:
    (pages,) = {each.pages for of_one in found.values() for each in of_one}
    rounds = counted(len(found[0.0]), "round")
    lines = [
        f"{pages:,} pages of {hosts} hosts of one domain, {RINGS} rings; medians of {rounds}:",
        "",
        "| the domain | pages/s | ms of all crawl processes, a page | ms of the busiest one | pages/s that it allows |",
        "|---|--:|--:|--:|--:|",
    ]
    for share, of_one in found.items():
        rate, together, busiest = (
            statistics.median(map(attrgetter(name), of_one)) for name in ("rate", "together", "busiest")
        )
        lines.append(f"| {SHARES[share]} | {rate:,.0f} | {together:.3f} | {busiest:.3f} | {1e3 / busiest:,.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--pages", type=int, default=300, help="pages of a host")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", action="store_true", help="write the result into docs/scale.md")
    options = parser.parse_args()
    text = report(measure(options.hosts, options.pages, options.rounds), options.hosts)
    print(text)
    if options.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
