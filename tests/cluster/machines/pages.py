"""The web of the lab: a mesh of many domains on few addresses, on one machine. Its log judges the crawls."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any
from urllib.parse import urljoin, urlsplit

from tests.cluster.machines.machines import Lab
from tests.support.crawls.mesh_crawls import truth
from tests.support.web.mesh import mesh
from tests.support.web.site import PORT, Answer, Hit, Web

#: Domains, pages on each, addresses that they share, and the share of links that lead to other hosts.
DOMAINS, PAGES, ADDRESSES, LEAVING = 60, 6, 10, 0.2

#: Seconds by which the server may see a gap shorter than the crawler has left it.
TOLERANCE = 0.02


def hosts() -> list[str]:
    return [f"www.site{number}.test" for number in range(DOMAINS)]


def addresses() -> dict[str, str]:
    """Host -> address."""
    return {host: f"198.18.1.{1 + number % ADDRESSES}" for number, host in enumerate(hosts())}


def pages() -> dict[tuple[str, str], Answer]:
    return mesh(hosts(), PAGES, seed=1, leaving=LEAVING)


class WebMachine:
    """Runs a module that serves pages. `seed`: the URL from which all others can be reached."""

    def __init__(self, lab: Lab, program: str = __name__, served: Mapping[str, str] | None = None) -> None:
        """`served`: host -> address, the host of the seed first."""
        served = served or addresses()
        self.machine = lab.machine("web", *sorted(set(served.values())))
        for host, address in served.items():
            lab.name(address, host)
        self._server: subprocess.Popen[str] = self.machine.popen(
            sys.executable, "-m", program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._read() == "up"
        self.seed = self.url(next(iter(served)), "/")

    def url(self, host: str, path: str) -> str:
        """The canonical URL."""
        return f"http://{host}{path}"

    def log(self) -> list[Hit]:
        """All requests so far, in order of arrival."""
        assert self._server.stdin is not None
        self._server.stdin.write("log\n")
        self._server.stdin.flush()
        return [Hit(**each) for each in self._read()]

    def _read(self) -> Any:
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        assert line, "the web has ended"
        return json.loads(line)

    def truth(self) -> dict[str, tuple[str, str]]:
        """URL -> state and reason of a complete crawl."""
        return truth(self, pages())


def requests(log: Iterable[Hit]) -> Counter[tuple[str, str]]:
    """(Host, path) -> how often it was requested, without robots.txt."""
    return Counter((each.host, each.path) for each in log if each.path != "/robots.txt")


def robots(log: Iterable[Hit]) -> Counter[str]:
    """Host -> how often its robots.txt was requested."""
    return Counter(each.host for each in log if each.path == "/robots.txt")


def short_gaps(log: Iterable[Hit], delay: float, of: Callable[[Hit], str]) -> dict[str, list[float]]:
    """Host or address -> gaps between the end of a request and the beginning of the next that are below the delay."""
    sorted_by: Mapping[str, list[Hit]] = defaultdict(list)
    for hit in sorted(log, key=lambda each: each.arrived):
        sorted_by[of(hit)].append(hit)
    gaps = {
        name: [two.arrived - (one.answered or one.arrived) for one, two in pairwise(hits)]
        for name, hits in sorted_by.items()
    }
    short = {name: [round(gap, 3) for gap in each if gap < delay - TOLERANCE] for name, each in gaps.items()}
    return {name: each for name, each in short.items() if each}


def quiet(log: Iterable[Hit], owner: Callable[[str], int]) -> dict[int, float]:
    """Ring -> the longest time without a request of it, seconds, while it had a URL that it had found itself."""
    rings: dict[int, list[Hit]] = defaultdict(list)
    for hit in sorted(log, key=lambda each: each.arrived):
        rings[owner(hit.host)].append(hit)
    longest = {}
    for ring, hits in rings.items():
        known, requested, gaps = set[tuple[str, str]](), set[tuple[str, str]](), [0.0]
        for one, two in pairwise(hits):
            requested.add((one.host, one.path))
            if known - requested:
                gaps.append(two.arrived - one.arrived)
            known |= {each for each in _links().get((one.host, one.path), ()) if owner(each[0]) == ring}
        longest[ring] = round(max(gaps), 1)
    return longest


@functools.cache
def _links() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """(Host, path) -> those to which it links, and which may be requested."""
    found = defaultdict(list)
    for (host, path), answer in pages().items():
        for link in re.findall(rb'href="([^"#]+)', answer.body):
            url = urlsplit(urljoin(f"http://{host}{path}", link.decode().replace(f":{PORT}", "")))
            if not url.path.startswith("/private/"):
                found[host, path].append((url.netloc, url.path))
    return found


def serve(pages: Mapping[tuple[str, str], Answer], addresses: Mapping[str, str]) -> None:
    """The program of the machine: serve pages, and answer each line of stdin with the log."""
    with Web(pages, port=80, addresses=addresses) as web:
        print('"up"', flush=True)
        for _ in sys.stdin:
            print(json.dumps([asdict(hit) for hit in web.log()]), flush=True)


if __name__ == "__main__":
    serve(pages(), addresses())
