"""What the copy into PostgreSQL costs the crawl that it follows: python -m benchmarks.mirror [--rounds N]

Crawls of the documentation in six Debian packages, about 9,000 pages, in turn with and without `[postgresql] url`; the
server of PostgreSQL is on the same machine. The crawl ends when it releases the lock of its directory; then the command
waits for the copy. A crawl that needs all processors shows the most that the copy can cost.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.docsites import PACKAGES, DocSites, document_root, serving
from benchmarks.measure import finished
from tests.support.crawls.postgresql import Postgresql, cpu_seconds, postgresql
from ttcrawl.store.lock import crawled_by

SITES = {
    **PACKAGES,
    "django.docs.test": "python-django-doc",
    "boost.docs.test": "libboost1.81-doc",
    "lang.docs.test": "libcommons-lang3-java-doc",
}
TIMEOUT = 540.0

#: How much longer a crawl may take with a copy.
BOUND = 1.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What was used until the crawl had ended; CPU in seconds."""

    seconds: float
    crawl_cpu: float  # of the processes of the crawl
    mirror_cpu: float  # of the process that copies
    server_cpu: float  # of PostgreSQL
    copied: int  # requests

    @property
    def all_cpu(self) -> float:
        return self.crawl_cpu + self.mirror_cpu + self.server_cpu


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    ended: Ended
    requests: int
    complete: float  # seconds until the command has ended: the copy is complete
    later_cpu: float  # of both that copy, after the crawl


class Watch:
    """Notes the moment at which the crawl ends, and what was used up to it."""

    def __init__(self, directory: Path, server: Postgresql | None) -> None:
        self._directory, self._server = directory, server
        self._before = server.cpu() if server else 0.0
        self._pid, self._mirror, self._running = 0, 0.0, False
        self.ended: Ended | None = None

    def look(self, seconds: float, roles: Mapping[str, float]) -> None:
        if self.ended is None and (directory := self._directory).is_dir():
            running = bool(crawled_by(directory))
            if self._running and not running:
                cpu = sum(each for name, each in roles.items() if name.startswith("ttcrawl"))
                mirror, server = self.mirror_seconds() if self._server else 0.0, self.server_seconds()
                self.ended = Ended(
                    seconds=seconds, crawl_cpu=cpu, mirror_cpu=mirror, server_cpu=server, copied=self._copied()
                )
            self._running = running
        elif self.ended is not None and self._server is not None:
            self.mirror_seconds()

    def server_seconds(self) -> float:
        return self._server.cpu() - self._before if self._server else 0.0

    def mirror_seconds(self) -> float:
        """CPU of the process that copies, as last seen."""
        self._mirror = cpu_seconds(self._mirror_pid()) or self._mirror
        return self._mirror

    def _mirror_pid(self) -> int:
        """The process other than the crawl that has the directory as an argument; 0 as long as there is none."""
        if not self._pid:
            for entry in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    words = entry.read_bytes().decode("utf-8", "replace").split("\0")
                    if str(self._directory) in words and "crawl" not in words:
                        self._pid = int(entry.parent.name)
        return self._pid

    def _copied(self) -> int:
        if self._server is None or self._server.query("SELECT to_regclass('ttcrawl.visit')") == [(None,)]:
            return 0
        return int(self._server.query("SELECT count(*) FROM ttcrawl.visit")[0][0])


def crawl(sites: DocSites, folder: Path, server: Postgresql | None) -> Crawled:
    directory = folder / "crawl"
    program = str(Path(sys.executable).with_name("ttcrawl"))  # whose process has this name
    command = [program, "crawl", *sites.seeds, *sites.at_once, "-d", str(directory), "--set", "scope.extensions="]
    if server is not None:
        server.clear()
        command += ["--set", f"postgresql.url={server.url}"]
    watch, since = Watch(directory, server), sites.mark()
    done = finished(command, folder / "output", TIMEOUT, look=watch.look)
    if watch.ended is None:
        raise SystemExit(f"the crawl was not seen to end:\n{done.output}")
    ended = watch.ended
    return Crawled(
        ended=ended,
        requests=len(sites.log(since)),
        complete=done.wall,
        later_cpu=(
            watch.mirror_seconds() - ended.mirror_cpu + watch.server_seconds() - ended.server_cpu if server else 0
        ),
    )


def table(alone: Sequence[Crawled], followed: Sequence[Crawled]) -> str:
    lines = ["| median | without | with | ratio of pairs |", "|---|--:|--:|--:|"]
    both: dict[str, Callable[[Crawled], float]] = {
        "crawl, s": lambda each: each.ended.seconds,
        "CPU of the crawl, s": lambda each: each.ended.crawl_cpu,
        "CPU of all during the crawl, s": lambda each: each.ended.all_cpu,
        "requests": lambda each: each.requests,
    }
    for name, figure in both.items():
        pairs = [(figure(first), figure(second)) for first, second in zip(alone, followed, strict=True)]
        medians = [statistics.median(each) for each in zip(*pairs, strict=True)]
        ratios = sorted(second / first for first, second in pairs)
        spread = f"{statistics.median(ratios):.3f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        lines.append(f"| {name} | {medians[0]:,.1f} | {medians[1]:,.1f} | {spread} |")
    one: dict[str, Callable[[Crawled], float]] = {
        "until the copy is complete, s": lambda each: each.complete,
        "CPU of the copying process during the crawl, s": lambda each: each.ended.mirror_cpu,
        "CPU of PostgreSQL during the crawl, s": lambda each: each.ended.server_cpu,
        "CPU of both after the crawl, s": lambda each: each.later_cpu,
        "requests copied when the crawl ends": lambda each: each.ended.copied,
    }
    for name, figure in one.items():
        lines.append(f"| {name} | | {statistics.median(map(figure, followed)):,.2f} | |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sites", type=int, default=len(SITES), help="the first of the packages, for a short run")
    arguments = parser.parse_args()
    alone: list[Crawled] = []
    followed: list[Crawled] = []
    roots = {host: document_root(package) for host, package in [*SITES.items()][: arguments.sites]}
    with serving(roots) as sites, postgresql() as server:
        for number in range(arguments.rounds):
            order = [(alone, None), (followed, server)]
            for crawls, copy in order if number % 2 else reversed(order):
                with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                    crawls.append(crawl(sites, Path(folder), copy))
            pair = alone[-1], followed[-1]
            times = ", ".join(f"{each.ended.seconds:.1f} s, {each.ended.crawl_cpu:.1f} s of CPU" for each in pair)
            print(
                f"round {number + 1}: {times}; {pair[1].ended.copied} copied, complete after {pair[1].complete:.1f} s",
                file=sys.stderr,
                flush=True,
            )
    print(table(alone, followed))
    ratio = statistics.median(
        second.ended.seconds / first.ended.seconds for first, second in zip(alone, followed, strict=True)
    )
    if ratio > BOUND:
        raise SystemExit(f"a crawl takes {ratio:.3f} times as long, more than {BOUND}")


if __name__ == "__main__":
    main()
