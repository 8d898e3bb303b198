"""What a crawl made of the relevant pages that were held back, and the recall that they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ttcrawl.config.compiled import canon_of
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.held_back import Fate, fate
from ttcrawl.topic.recall import interval
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.vocabulary.state import QUEUED, REFUSED

HOW = (
    "Recall: the share of held-back pages that were fetched, whatever was decided about them. Its interval is that of"
    " Clopper and Pearson (95 %). It is the recall of the crawl if the held-back pages are a random sample of all"
    " relevant pages: pages that are easy to find make it too high. Seeds, and pages that were answered with an error,"
    " have failed or were deleted, are left out."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """Numbers of URLs. The rest of `given` are redirects whose end is unknown."""

    given: int  # different URLs
    malformed: int  # lines that are not URLs, beside the given ones
    seeds: int  # left out of the sample, as the next
    gone: int  # answered with an error, failed or deleted
    found: int  # fetched, also through redirects
    relevant: int  # of those found: judged relevant by the crawl
    refused: Mapping[str, int]  # by reason
    queued: int
    undiscovered: int  # no row in table url
    ids: tuple[int, ...]  # of the pages found

    @property
    def sample(self) -> int:
        """URLs that say something about the recall."""
        return self.given - self.seeds - self.gone

    @property
    def recall(self) -> float | None:
        """None: the sample is empty."""
        return self.found / self.sample if self.sample else None

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.found, self.sample)


class _Row(NamedTuple):
    id: int
    url: str
    state: str
    reason: str


def held_back(db: View, lines: Sequence[str]) -> HeldBack:
    """Return what became of the URLs in a list."""
    canonical = list(map(canon_of(db.config).canonical, lines))
    urls = [url for url in dict.fromkeys(canonical) if url is not None]
    seeds = set(db.seeds)
    fates = fates_of(db, [url for url in urls if url not in seeds])
    ids = tuple(sorted({each.id for each in fates if each.found and each.id is not None}))
    states = Counter(each.state for each in fates)
    return HeldBack(
        given=len(urls),
        malformed=canonical.count(None),
        seeds=len(urls) - len(fates),
        gone=sum(each.excluded for each in fates),
        found=sum(each.found for each in fates),
        relevant=sum(_is_relevant(db, each) for each in fates if each.found),
        refused=Counter(each.reason for each in fates if each.state == REFUSED),
        queued=states[QUEUED],
        undiscovered=states[""],
        ids=ids,
    )


def fates_of(db: View, urls: Sequence[str]) -> list[Fate]:
    """Return what became of canonical URLs."""

    query = f"SELECT id, url, state, reason FROM url WHERE id = {db.id_of('?1')}"

    def find(url_key: int) -> _Row | None:
        row = db.execute(query, (url_key,)).fetchone()
        return row and _Row(*row)

    def target(id: int) -> int | None:
        row = db.execute("SELECT target FROM link WHERE source = ? AND kind = ?", (id, REDIRECT.letter)).fetchone()
        return row and int(row[0])

    return [fate(url, find, target) for url in urls]


def _is_relevant(db: View, each: Fate) -> bool:
    return bool(db.execute("SELECT 1 FROM topic WHERE url = ? AND relevant", (each.id,)).fetchone())
