"""PageRank of the pages that a crawl has read so far, and of the URLs that they link to."""

from __future__ import annotations

from ttcrawl.lab.candidates import Candidates

#: The chance to follow a link (Brin and Page, 1998).
DAMPING = 0.85

#: Rounds: 0.85 ** 30 is below one percent, and only the order counts.
ROUNDS = 30


def pagerank(candidates: Candidates) -> list[float]:
    """Return the rank of each URL in the order of discovery, times their number: 1 is the mean.

    A URL that was not read yet has no links: its rank is spread over all (Cho, Garcia-Molina and Page: Efficient
    crawling through URL ordering, 1998, section 3).
    """
    import numpy as np

    count = len(candidates)
    sources = np.repeat(
        np.array([source for source, _ in candidates.graph], dtype=np.int64),
        [len(targets) for _, targets in candidates.graph],
    )
    targets = np.array([target for _, of_page in candidates.graph for target in of_page], dtype=np.int64)
    out = np.bincount(sources, minlength=count)
    share = np.divide(1.0, out, out=np.zeros(count), where=out > 0)
    ends = out == 0
    ranks = np.ones(count)
    for _ in range(ROUNDS):
        passed = np.bincount(targets, weights=(ranks * share)[sources], minlength=count)
        ranks = 1 - DAMPING + DAMPING * (passed + ranks[ends].sum() / count)
    return [float(each) for each in ranks]
