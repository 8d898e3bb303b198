"""The documentation of Python, served by nginx: which pages each crawler finds, and what a page costs it."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.comparison.peers import Order, Peer
from benchmarks.comparison.running import Run, crawl, scratch, table
from benchmarks.docsites import ADDRESS, DocSites, document_root, serving
from tests.real.walk import walk

PACKAGE = "python3.11-doc"

#: Seconds that a crawl may take.
LIMIT = 120.0

#: LinkChecker makes more than ten requests a second to servers that permit it so.
PERMITTED = "LinkChecker yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    crawler: str
    pages: int  # of those that are linked
    requests: int
    run: Run


def compared(peers: Sequence[Peer], rounds: int) -> str:
    """The table: medians of the rounds."""
    with serving({ADDRESS: document_root(PACKAGE)}, PERMITTED) as sites:
        linked = _pages(walk([sites.seed(ADDRESS)], ADDRESS, sites.port).items())
        results = []
        for number in range(rounds):
            for peer in peers:
                results.append(_round(peer, sites, linked))
                wall = results[-1].run.wall
                print(f"  round {number + 1}, {peer.name}: {wall:.1f} s", file=sys.stderr, flush=True)
    return _table(peers, results, len(linked))


def _round(peer: Peer, sites: DocSites, linked: frozenset[str]) -> Round:
    with scratch() as folder:
        since = sites.mark()
        order = Order(seeds=(sites.seed(ADDRESS),), folder=Path(folder), archive=True)
        done = crawl(peer, order, LIMIT)
    log = [each for each in sites.log(since) if each.uri != "/robots.txt"]
    pages = _pages((each.uri, each.status) for each in log if each.method == "GET")
    return Round(crawler=peer.name, pages=len(pages & linked), requests=len(log), run=done)


def _pages(answers: Iterable[tuple[str, int]]) -> frozenset[str]:
    """The paths of HTML pages among (URL, status); `//` is what the server takes for `/`."""
    paths = (unquote(urlsplit(url).path) for url, status in answers if status == 200)
    return frozenset("/" + path.lstrip("/") for path in paths if path.endswith((".html", "/")))


def _table(peers: Sequence[Peer], results: Sequence[Round], linked: int) -> str:
    head = ["crawler", "keeps", f"pages of {linked:,}", "requests", "s", "pages/s", "CPU ms a page", "MB"]
    return table(head, [_row(peer, [each for each in results if each.crawler == peer.name]) for peer in peers], 6)


def _row(peer: Peer, rounds: Sequence[Round]) -> list[str]:
    pages = statistics.median(each.pages for each in rounds)
    wall = statistics.median(each.run.wall for each in rounds)
    cpu = statistics.median(each.run.cpu for each in rounds)
    memory = statistics.median(each.run.memory for each in rounds)
    requests = statistics.median(each.requests for each in rounds)
    ended = all(each.run.ended for each in rounds)
    figures = [f"{pages:,.0f}", f"{requests:,.0f}", f"{wall:.1f}" if ended else f"> {LIMIT:.0f}"]
    figures += [f"{pages / wall:,.0f}", f"{1000 * cpu / pages:.1f}" if pages else "", f"{memory / 1e6:,.0f}"]
    return [peer.name, peer.keeps, *figures]
