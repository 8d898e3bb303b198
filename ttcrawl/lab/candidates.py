"""What a policy sees of a URL, and the score that it gives: kept up to date as pages are read."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.lab.record import Answer, RecordedUrl
from ttcrawl.ring.messages import NOT_FOLLOWED, Link
from ttcrawl.topic.best_first import FULL, handed_down

#: The chance that a surfer follows a link (Brin and Page, 1998).
DAMPING = 0.85


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
    rank_mass: float = 0.0  # what a surfer who begins at the seeds spends here at least, 0 to 1; see pagerank.rank_mass
    cash: float = 1.0  # 1, and what pages read so far have handed down: each divides its own among its links


#: Larger is fetched first.
Score: TypeAlias = Callable[[Candidate], float]


class Candidates:
    """All URLs that pages link to; the seeds are the first ones."""

    def __init__(self, seeds: Sequence[tuple[str, str]] = ()) -> None:
        """`seeds`: URL and host of each."""
        self._by_url: dict[str, Candidate] = {}
        self.sources, self.targets = array("q"), array("q")  # of each link and redirect: two positions
        self.pages = 0  # read so far
        self.changed: dict[str, Candidate] = {}  # since a policy has looked
        for url, host in seeds:
            self.of(url, host).rank_mass = (1 - DAMPING) / len(seeds)
        self.seeds = len(self)

    def of(self, url: str, host: str = "", depth: int = 0) -> Candidate:
        """Return what is known of a URL. `host`, `depth`: of a new one; seeds, sitemaps and targets have depth 0."""
        candidate = self._by_url.get(url)
        if candidate is None:
            candidate = Candidate(url=url, host=host, depth=depth, found=len(self._by_url))
            self._by_url[url] = candidate
        return candidate

    def add_links(self, page: RecordedUrl, answer: Answer, depth: int, targets: Iterable[RecordedUrl]) -> None:
        """Note the links of a page."""
        topic = answer.topic
        promised = handed_down(topic.relevant, topic.probability, 1) if topic else FULL
        source, deeper = self.of(page.url, page.host), min(depth + 1, NOT_FOLLOWED)
        targets = tuple(targets)
        handed = DAMPING * source.rank_mass / max(1, len(targets))
        cash = source.cash / max(1, len(targets))
        for target in targets:
            candidate = self.of(target.url, target.host, deeper)
            candidate.in_links += 1
            candidate.depth = min(candidate.depth, deeper)
            candidate.listed = candidate.listed or answer.listing
            candidate.promised = max(candidate.promised, promised)
            candidate.rank_mass += handed
            candidate.cash += cash
            self.changed[target.url] = candidate
            self.sources.append(source.found)
            self.targets.append(candidate.found)
        self.pages += 1

    def add_redirect(self, url: RecordedUrl, target: Link) -> None:
        """Note where a URL leads."""
        source, candidate = self.of(url.url, url.host), self.of(target.url, target.host)
        candidate.rank_mass += DAMPING * source.rank_mass
        candidate.cash += source.cash
        self.changed[target.url] = candidate
        self.sources.append(source.found)
        self.targets.append(candidate.found)

    def __len__(self) -> int:
        return len(self._by_url)

    def all(self) -> Iterable[Candidate]:
        """Return all in the order of discovery."""
        return self._by_url.values()
