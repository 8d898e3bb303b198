"""Link occurrences of a crawl, counted in one pass over the packed out-links, without the view `link`.

Measured on 40 million links of 311,000 pages to a million targets (two cores, Python 3.11): 12 s of CPU.
A join of the view with `url` did not end within ten minutes on 2 million: the planner makes the refused URLs the outer
loop and unpacks every page for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ttcrawl.frozen import frozen
from ttcrawl.report.few_links import IN_CONTENT, REDIRECT, FewOccurrences, few_occurrences
from ttcrawl.report.main_growth import LinkSeries, MainGrowth
from ttcrawl.report.summary import Tally
from ttcrawl.snapshot.main_links import OUTSIDE_CONTENT
from ttcrawl.snapshot.outlinks import Outlinks, distinct, outlinks
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.kind import INDEX, LETTERS
from ttcrawl.vocabulary.reason import condition
from ttcrawl.vocabulary.region import mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ttcrawl.snapshot.outlinks import Ints

_SITEMAP, _INDEX = ord(LETTERS["sitemap"]), ord(INDEX.letter)
#: Regions to whether a link is of a kind that is followed.
_OF_FOLLOWED_KIND = mask(lambda region: not region.recorded)


class Counts:
    """Counts by key, in `columns` columns; many are added at once. Takes 8 bytes a key and a count."""

    def __init__(self, columns: int) -> None:
        import numpy as np

        self._keys, self._counts = np.empty(0, dtype=np.int64), np.empty((columns, 0), dtype=np.int64)
        self._waiting: list[tuple[Ints, Ints]] = []
        self._size = 0

    def add(self, keys: Ints, counts: Ints) -> None:
        """`keys` are distinct; `counts` has the shape (columns, keys)."""
        self._waiting.append((keys, counts))
        self._size += len(keys)
        if self._size > len(self._keys):  # so that the keys are merged a few times, however many batches there are
            self._merge()

    def _merge(self) -> None:
        import numpy as np

        parts = [(self._keys, self._counts), *self._waiting]
        keys = distinct(np.concatenate([each for each, _ in parts]))
        counts = np.zeros((len(self._counts), len(keys)), dtype=np.int64)
        for part, added in parts:
            counts[:, np.searchsorted(keys, part)] += added
        self._keys = keys
        self._counts = counts
        self._waiting = []
        self._size = 0

    def result(self) -> tuple[Ints, Ints]:
        """(the keys, rising; their counts, one row for each column)."""
        if self._waiting:
            self._merge()
        return self._keys, self._counts


@frozen
class Occurrences:
    """How often each URL key is linked to, inside the content region and elsewhere."""

    keys: Ints  # rising
    content: Ints
    elsewhere: Ints

    def distinct(self) -> tuple[int, int, int]:
        """The number of keys linked to inside the content region, elsewhere, and in all."""
        return int((self.content > 0).sum()), int((self.elsewhere > 0).sum()), len(self.keys)

    def refused(self, urls: Iterable[tuple[int, bool]], *, follow_all: bool) -> tuple[Tally, Tally]:
        """(blocked by robots.txt, out of scope): see `refused_links`. `urls`: key, and whether by robots.txt."""
        import numpy as np

        refused = np.fromiter(urls, dtype=[("key", "i8"), ("robots", "?")])
        by_robots = np.isin(self.keys, refused["key"][refused["robots"]])
        by_scope = np.isin(self.keys, refused["key"][~refused["robots"]])
        everywhere = self.content + self.elsewhere
        return (
            _tally((everywhere if follow_all else self.content)[by_robots]),
            _tally(everywhere[by_scope]),
        )


def occurrences(db: View) -> Occurrences | FewOccurrences:
    """Counts every link of every page except redirects, which are stored as kind R."""
    return few_occurrences(db) or many_occurrences(db)


def many_occurrences(db: View) -> Occurrences:
    """The same by numpy."""
    import numpy as np

    masks = [np.frombuffer(each, dtype=bool) for each in (IN_CONTENT, OUTSIDE_CONTENT)]
    counts = Counts(2)
    for links in _without_redirects(db):
        keys, indexes = links.distinct
        added = np.stack([np.bincount(indexes[each[links.regions]], minlength=len(keys)) for each in masks])
        counted = added.any(axis=0)
        counts.add(keys[counted], added[:, counted])
    keys, (content, elsewhere) = counts.result()
    return Occurrences(keys=keys, content=content, elsewhere=elsewhere)


def _without_redirects(db: View) -> Iterator[Outlinks]:
    for batch in outlinks(db):
        yield batch.where(batch.kinds != REDIRECT) if (batch.kinds == REDIRECT).any() else batch


def refused_links(db: View, links: Occurrences | FewOccurrences, *, follow_all: bool) -> tuple[Tally, Tally]:
    """(blocked by robots.txt, out of scope): occurrences of the URLs that were refused for that reason.

    A URL blocked by robots.txt counts only where a link to it could have been followed otherwise: outside the content
    region only if `follow_all`. Out of scope counts every occurrence.
    """
    rows = db.execute(
        "SELECT key, reason = 'robots.txt' FROM url"
        f" WHERE state = 'refused' AND (reason = 'robots.txt' OR {condition(Family.SCOPE)})"
    )
    return links.refused(rows, follow_all=follow_all)


def _tally(counts: Ints) -> Tally:
    return Tally(total=int(counts.sum()), distinct=int((counts > 0).sum()))


@frozen
class Links:
    """Figures of the laws and estimates."""

    in_sitemaps: Ints  # keys of the URLs that sitemaps list, rising
    targets: Ints  # keys of the URLs that pages and files link to, of followed kinds, rising
    sources: Ints  # number of pages and files that link to each target
    early_sources: Ints  # of them: fetched in the first half of the crawl
    main_growth: LinkSeries
    main_sources: Ints  # number of pages that link to each target from their main text, in no order


def linked(db: View) -> Links:
    """Of a crawl, in one pass over its links."""
    import numpy as np

    rows = db.execute("SELECT id FROM url WHERE state = 'fetched' ORDER BY processed, id")
    gathering = Gathering(np.fromiter((url for (url,) in rows), dtype=np.int64))
    for links in _without_redirects(db):
        gathering.add(links)
    return gathering.gathered()


class Gathering:
    """Call `add` with the links of some pages, without redirects."""

    def __init__(self, order: Ints) -> None:
        """`order`: ids of the fetched URLs in order of fetching."""
        import numpy as np

        self._early = np.sort(order[: len(order) // 2])
        self._main = MainGrowth(order)
        self._in_sitemaps, self._linked = Counts(1), Counts(2)

    def add(self, links: Outlinks) -> None:
        import numpy as np

        entries, indexes = (_pages_with(links, each) for each in (_SITEMAP, _INDEX))
        _, counts, keys = _by_target(links, links.kinds == _SITEMAP)
        self._in_sitemaps.add(keys, counts)
        followed = np.frombuffer(_OF_FOLLOWED_KIND, dtype=bool)[links.regions]
        leads_on = followed & ~(entries | indexes)[links.pages]
        self._main.add(links, leads_on)
        pairs, counts, keys = _by_target(links, leads_on)
        targets, _ = links.distinct
        early = np.isin(links.sources, self._early)[pairs // max(len(targets), 1)]
        of_early = np.bincount(pairs[early] % max(len(targets), 1), minlength=len(targets))
        self._linked.add(keys, np.vstack([counts, of_early[np.searchsorted(targets, keys)]]))

    def gathered(self) -> Links:
        in_sitemaps, _ = self._in_sitemaps.result()
        targets, (sources, early_sources) = self._linked.result()
        return Links(
            in_sitemaps=in_sitemaps,
            targets=targets,
            sources=sources,
            early_sources=early_sources,
            main_growth=self._main.series(),
            main_sources=self._main.sources,
        )


def _pages_with(links: Outlinks, kind: int) -> NDArray[np.bool_]:
    """Of each page: whether it has a link of this kind."""
    import numpy as np

    pages = np.zeros(len(links.sources), dtype=bool)
    pages[links.pages[links.kinds == kind]] = True
    return pages


def _by_target(links: Outlinks, selected: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """(distinct pairs of page and target, as page * number of targets + target; how many pages have each target, shape
    (1, n); these targets' keys) of the selected links."""
    import numpy as np

    keys, indexes = links.distinct
    pairs = distinct(links.pages[selected] * len(keys) + indexes[selected])
    counts = np.bincount(pairs % max(len(keys), 1), minlength=len(keys))
    return pairs, counts[None, counts > 0], keys[counts > 0]
