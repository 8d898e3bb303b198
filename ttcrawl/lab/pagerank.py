"""PageRank of the pages that a crawl has read so far, and of the URLs that they link to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ttcrawl.lab.candidates import DAMPING, Candidates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ranks: TypeAlias = NDArray[Any]

#: Rounds: 0.85 ** 30 is below one percent, and only the order counts.
ROUNDS = 30


def pagerank(candidates: Candidates) -> list[float]:
    """Return the rank of each URL in the order of discovery, times their number: 1 is the mean.

    A URL that was not read yet has no links: its rank is spread over all (Cho, Garcia-Molina and Page: Efficient
    crawling through URL ordering, 1998, section 3).
    """
    import numpy as np

    count = len(candidates)
    ends = np.bincount(candidates.sources, minlength=count) == 0
    return _ranks(candidates, np.ones(count), lambda ranks: 1 - DAMPING + DAMPING * ranks[ends].sum() / count)


def rank_mass(candidates: Candidates) -> list[float]:
    """Return a lower bound of the PageRank of each URL in the order of discovery, for a surfer who begins at the seeds
    and returns to them: the share of time on the paths that were read so far. The sum over all pages that were read is
    how much the crawl has surely covered (Cho and Schonfeld: RankMass Crawler, VLDB 2007).

    A URL that was not read yet hands nothing down.
    """
    import numpy as np

    trust = np.zeros(len(candidates))
    trust[: candidates.seeds] = (1 - DAMPING) / max(1, candidates.seeds)
    return _ranks(candidates, trust, lambda ranks: trust)


def _ranks(candidates: Candidates, begin: Ranks, jumps: Callable[[Ranks], Any]) -> list[float]:
    """Let ranks pass along links. `jumps`: what each URL has without a link, from the ranks of the round before."""
    import numpy as np

    count = len(candidates)
    sources, targets = (np.array(each, dtype=np.int64) for each in (candidates.sources, candidates.targets))
    out = np.bincount(sources, minlength=count)
    share = np.divide(DAMPING, out, out=np.zeros(count), where=out > 0)[sources]
    ranks = begin
    for _ in range(ROUNDS):
        ranks = np.bincount(targets, weights=share * ranks[sources], minlength=count) + jumps(ranks)
    return [float(each) for each in ranks]
