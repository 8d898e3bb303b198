"""What a policy sees of a URL, and the score that it gives: kept up to date as pages are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.lab.record import Answer, RecordedUrl
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.topic.best_first import FULL, handed_down


class Candidate(Struct, gc=False, kw_only=True):
    """A URL as far as the crawl knows it now."""

    url: str
    host: str
    depth: int  # links from the seeds, shortest path so far
    found: int  # position in the order of discovery
    in_links: int = 0  # pages read so far that link to it
    listed: bool = False  # a sitemap or feed lists it
    promised: int = 0  # 0 to 1000: what the most relevant page that links to it hands down
    pagerank: float = 0.0  # of the pages read so far; 0: not computed yet


#: Larger is fetched first.
Score: TypeAlias = Callable[[Candidate], float]


class Candidates:
    """All URLs that pages link to."""

    def __init__(self) -> None:
        self._by_url: dict[str, Candidate] = {}
        self.graph: list[tuple[int, list[int]]] = []  # of each page: its position, and those of its targets
        self.changed: dict[str, Candidate] = {}  # since a policy has looked

    def of(self, url: str, host: str = "") -> Candidate:
        """Return what is known of a URL; a new one is a seed, a sitemap or the target of a redirect."""
        candidate = self._by_url.get(url)
        if candidate is None:
            candidate = Candidate(url=url, host=host, depth=0, found=len(self._by_url))
            self._by_url[url] = candidate
        return candidate

    def add_links(self, page: RecordedUrl, answer: Answer, depth: int, targets: Iterable[RecordedUrl]) -> None:
        """Note the links of a page."""
        relevant = answer.topic.relevant if answer.topic else None
        promised = (
            handed_down(relevant, answer.topic.probability if answer.topic else None, 1) if answer.topic else FULL
        )
        deeper, positions = min(depth + 1, NOT_FOLLOWED), list[int]()
        for target in targets:
            candidate = self._by_url.get(target.url)
            if candidate is None:
                candidate = Candidate(url=target.url, host=target.host, depth=deeper, found=len(self._by_url))
                self._by_url[target.url] = candidate
            candidate.in_links += 1
            candidate.depth = min(candidate.depth, deeper)
            candidate.listed = candidate.listed or answer.listing
            candidate.promised = max(candidate.promised, promised)
            self.changed[target.url] = candidate
            positions.append(candidate.found)
        self.graph.append((self.of(page.url, page.host).found, positions))

    def __len__(self) -> int:
        return len(self._by_url)

    def all(self) -> Iterable[Candidate]:
        """Return all in the order of discovery."""
        return self._by_url.values()
