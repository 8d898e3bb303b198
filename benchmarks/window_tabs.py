"""What a crawl costs while two tabs follow it: python -m benchmarks.window_tabs [--rounds N]

Generated pages (`benchmarks.rings`) are crawled twice in each round, without a window and with one: one tab shows Now,
the other one URLs, so view.db is kept up to date, too. Which of the two is first changes from round to round. The
figure is the processor time of all processes of the crawl, as a ratio within a round; the window is a process of its
own, and its time is printed beside it. Exit status 1: the median of the ratios is above the bound of docs/window.md.
"""

from __future__ import annotations

import argparse
import http.client
import statistics
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from benchmarks.docsites import DocSites
from benchmarks.measure import finished
from benchmarks.rings import TIMEOUT, generated
from benchmarks.window import Served, served

BOUND = 1.02


@contextmanager
def tabs(directory: Path) -> Iterator[Served]:
    """A window with its two tabs."""
    name = directory.name
    with served(directory) as server, ExitStack() as opened:
        stream = opened.enter_context(_connection(server.host))
        stream.request("GET", f"/{name}/events", headers={"cookie": server.cookie})
        follower = threading.Thread(target=_follow, args=(stream,), daemon=True)
        follower.start()
        server.get(f"/{name}/urls")
        yield server


@contextmanager
def _connection(host: str) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(host, timeout=TIMEOUT)
    try:
        yield connection
    finally:
        connection.close()


def _follow(stream: http.client.HTTPConnection) -> None:
    with suppress(OSError, http.client.HTTPException, ValueError, AttributeError):  # the window has ended
        response = stream.getresponse()
        while response.readline():
            pass


def crawl(sites: DocSites, folder: Path, *, looked_at: bool) -> tuple[float, float]:
    """(Processor seconds of the crawl, of the window). Ends the program if the crawl fails."""
    command = [sys.executable, "-m", "ttcrawl", "crawl", *sites.seeds, *sites.at_once, "--scope", "host"]
    command += ["-d", str(folder / "crawl")]
    with ExitStack() as resources:
        windows = list[Served]()

        def look(seconds: float, roles: Mapping[str, float]) -> None:
            if looked_at and not windows and (folder / "crawl" / "config.ini").exists():
                windows.append(resources.enter_context(tabs(folder / "crawl")))

        measured = finished(command, folder / "output", TIMEOUT, look=look)
        return measured.cpu, sum(each.cpu() for each in windows)


def _folder(directory: Path, name: str) -> Path:
    folder = directory / name
    folder.mkdir()
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--hosts", type=int, default=12)
    parser.add_argument("--pages", type=int, default=400, help="of each host")
    args = parser.parse_args()
    ratios = []
    with generated([f"site{number}.test" for number in range(args.hosts)], args.pages) as (sites, directory):
        crawl(sites, _folder(directory, "warm"), looked_at=True)  # compiles what is not compiled
        for number in range(args.rounds):
            order = (number % 2 == 0, number % 2 == 1)
            spent = {each: crawl(sites, _folder(directory, f"{number}-{each}"), looked_at=each) for each in order}
            (alone, _), (watched, window) = spent[False], spent[True]
            ratios.append(watched / alone)
            print(
                f"alone {alone:.2f} s, with tabs {watched:.2f} s: {ratios[-1]:.3f}; window {window:.2f} s", flush=True
            )
    middle, least, most = statistics.median(ratios), min(ratios), max(ratios)
    verdict = "within" if middle <= BOUND else "above"
    print(f"median {middle:.3f} ({least:.3f} to {most:.3f}): {verdict} the bound of {BOUND}")
    return int(middle > BOUND)


if __name__ == "__main__":
    sys.exit(main())
