"""How many distinct URLs the links of the main text show, page after page in order of fetching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttcrawl.frozen import frozen
from ttcrawl.snapshot.main_links import in_main_text
from ttcrawl.snapshot.outlinks import distinct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ttcrawl.snapshot.outlinks import Ints, Outlinks

SAMPLES = 2_000  # even in the logarithm of the pages


@frozen
class LinkSeries:
    """After some pages, `links` of the main text had led to `distinct_urls`; empty if all links stand there."""

    links: tuple[int, ...] = ()
    distinct_urls: tuple[int, ...] = ()


class MainGrowth:
    """Call `add` with all links of some pages, each page once."""

    def __init__(self, order: Ints) -> None:
        """`order`: ids of the fetched URLs in order of fetching."""
        import numpy as np

        self._ids = np.sort(order)
        self._rank = np.argsort(order)
        self._links = np.zeros(len(order), dtype=np.int64)
        self._keys = np.empty(0, dtype=np.int64)
        self._first = np.empty(0, dtype=np.int64)
        self._sources = np.empty(0, dtype=np.int64)
        self._differs = False

    def add(self, links: Outlinks, followed: NDArray[np.bool_]) -> None:
        """`followed`: of each link, whether it is of a kind that is followed."""
        import numpy as np

        if not len(self._ids):
            return
        index = np.searchsorted(self._ids, links.sources).clip(max=len(self._ids) - 1)
        of_crawl = (self._ids[index] == links.sources)[links.pages] & followed
        main = in_main_text(links)
        self._differs |= bool((of_crawl & ~main).any())
        selected = of_crawl & main
        rank = self._rank[index][links.pages[selected]]
        self._links += np.bincount(rank, minlength=len(self._links))
        keys, indexes = links.distinct
        pairs = distinct(indexes[selected] * np.int64(len(self._ids)) + rank)  # of a target and a page
        counts = np.bincount(pairs // len(self._ids), minlength=len(keys))
        linked = counts > 0
        starts = (np.cumsum(counts) - counts)[linked]
        self._merge(keys[linked], pairs[starts] % len(self._ids), counts[linked])

    def _merge(self, keys: Ints, first: Ints, sources: Ints) -> None:
        import numpy as np

        every = distinct(np.append(self._keys, keys))
        earliest = np.full(len(every), len(self._ids))
        counts = np.zeros(len(every), dtype=np.int64)
        for some, ranks, pages in ((self._keys, self._first, self._sources), (keys, first, sources)):
            indexes = np.searchsorted(every, some)  # distinct, as the keys are
            earliest[indexes] = np.minimum(earliest[indexes], ranks)
            counts[indexes] += pages
        self._keys = every
        self._first = earliest
        self._sources = counts

    @property
    def sources(self) -> Ints:
        """How many pages link to each URL from their main text, in no order."""
        return self._sources

    def series(self) -> LinkSeries:
        """At SAMPLES numbers of pages or fewer."""
        import numpy as np

        if not self._differs:
            return LinkSeries()
        links = np.cumsum(self._links)
        distinct = np.cumsum(np.bincount(self._first, minlength=len(links)))
        samples = np.unique(np.geomspace(1, len(links), SAMPLES).astype(np.int64)) - 1
        return LinkSeries(links=tuple(links[samples].tolist()), distinct_urls=tuple(distinct[samples].tolist()))
