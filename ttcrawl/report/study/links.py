"""Out-link figures of the full report, gathered in the same pass that counts links for the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.links import Counts
from ttcrawl.snapshot.outlinks import Outlinks, distinct
from ttcrawl.vocabulary.kind import INDEX, LETTERS, NAMES
from ttcrawl.vocabulary.region import mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ttcrawl.snapshot.outlinks import Ints

_IMAGE, _SITEMAP, _INDEX = ord(LETTERS["image"]), ord(LETTERS["sitemap"]), ord(INDEX.letter)
#: Regions to whether a link is of a kind that is followed.
_OF_FOLLOWED_KIND = mask(lambda region: not region.recorded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    kinds: Mapping[str, int]  # occurrences by the name of their kind, without redirects
    images_shown: Mapping[int, int]  # id of an HTML page with images -> number of distinct images on it
    images: Mapping[int, bool]  # key of an image on an HTML page -> whether a page of a seed's site shows it
    in_sitemaps: Ints  # keys of the URLs that sitemaps list, rising
    targets: Ints  # keys of the URLs that pages and files link to, of followed kinds, rising
    sources: Ints  # number of pages and files that link to each target


class Gathering:
    """Call `add` with the links of some pages, without redirects."""

    def __init__(self, html: Mapping[int, bool]) -> None:
        """`html` maps ids of HTML pages to whether they are on the site of a seed."""
        self._html = html
        self._kinds: Counter[int] = Counter()
        self._images_shown: dict[int, int] = {}
        self._images: dict[int, bool] = {}
        self._in_sitemaps, self._linked = Counts(1), Counts(1)

    def add(self, links: Outlinks) -> None:
        import numpy as np

        occurrences = np.bincount(links.kinds)
        self._kinds.update({letter: int(occurrences[letter]) for letter in np.flatnonzero(occurrences).tolist()})
        entries, indexes = (_pages_with(links, each) for each in (_SITEMAP, _INDEX))
        _, counts, keys = _by_target(links, links.kinds == _SITEMAP)
        self._in_sitemaps.add(keys, counts)
        followed = np.frombuffer(_OF_FOLLOWED_KIND, dtype=bool)[links.regions]
        _, counts, keys = _by_target(links, followed & ~(entries | indexes)[links.pages])
        self._linked.add(keys, counts)
        self._add_images(links)

    def _add_images(self, links: Outlinks) -> None:
        """The distinct images of each HTML page."""
        pairs, _, _ = _by_target(links, links.kinds == _IMAGE)
        keys, _ = links.distinct
        pages, targets = pairs // len(keys), pairs % len(keys)
        for source, key in zip(links.sources[pages].tolist(), keys[targets].tolist(), strict=True):
            on_seed = self._html.get(source)
            if on_seed is not None:
                self._images_shown[source] = self._images_shown.get(source, 0) + 1
                self._images[key] = on_seed or self._images.get(key, False)

    def gathered(self) -> Links:
        in_sitemaps, _ = self._in_sitemaps.result()
        targets, (sources,) = self._linked.result()
        return Links(
            kinds={NAMES.get(chr(letter), chr(letter)): count for letter, count in self._kinds.items()},
            images_shown=self._images_shown,
            images=self._images,
            in_sitemaps=in_sitemaps,
            targets=targets,
            sources=sources,
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
