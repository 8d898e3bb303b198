"""Out-link figures of the full report, gathered in the same pass that counts links for the summary.

Uses arrays instead of dictionaries with one entry a target: 10 million links to a million URLs take 30 MB.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.vocabulary.kind import INDEX, LETTERS, NAMES
from ttcrawl.vocabulary.region import mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

#: Targets that are collected before they are counted: 16 MB.
BATCH = 2_000_000

_IMAGE, _SITEMAP = LETTERS["image"].encode(), LETTERS["sitemap"].encode()
_INDEX = INDEX.letter.encode()
#: Tables for bytes.translate that make masks: of kinds, and of all regions except "recorded only".
_IMAGES, _SITEMAPS = (bytes(letter == kind[0] for letter in range(256)) for kind in (_IMAGE, _SITEMAP))
_OF_FOLLOWED_KINDS = mask(lambda region: not region.recorded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    kinds: Mapping[str, int]  # occurrences by the name of their kind, without redirects
    images_shown: Mapping[int, int]  # id of an HTML page with images -> number of distinct images on it
    images: Mapping[int, bool]  # key of an image on an HTML page -> whether a page of a seed's site shows it
    in_sitemaps: Ints  # keys of the URLs that sitemaps list, rising
    targets: Ints  # keys of the URLs that pages and files link to, of followed kinds, rising
    sources: Ints  # number of pages and files that link to each target


class Gathering:
    """Call `add` with the links of each page."""

    def __init__(self, html: Mapping[int, bool], batch: int = BATCH) -> None:
        """`html` maps ids of HTML pages to whether they are on the site of a seed. `batch`: see BATCH."""
        import numpy as np

        self._html, self._batch = html, batch
        self._kinds: Counter[int] = Counter()
        self._images_shown: dict[int, int] = {}
        self._images: dict[int, bool] = {}
        self._in_sitemaps: set[int] = set()
        self._linked = array("q")
        self._targets, self._sources = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)

    def add(self, source: int, targets: list[int], kinds: bytes, regions: bytes) -> None:
        self._kinds.update(kinds)
        if _SITEMAP in kinds:
            self._in_sitemaps.update(compress(targets, kinds.translate(_SITEMAPS)))
        elif _INDEX not in kinds:
            self._linked.extend(set(compress(targets, regions.translate(_OF_FOLLOWED_KINDS))))
            if len(self._linked) >= self._batch:
                self._count()
        on_seed = self._html.get(source) if _IMAGE in kinds else None
        if on_seed is not None:
            images = set(compress(targets, kinds.translate(_IMAGES)))
            self._images_shown[source] = len(images)
            for key in images:
                self._images[key] = on_seed or self._images.get(key, False)

    def _count(self) -> None:
        import numpy as np

        keys, counts = np.unique(np.frombuffer(self._linked, dtype=np.int64), return_counts=True)
        targets, indexes = np.unique(np.concatenate([self._targets, keys]), return_inverse=True)
        sources = np.zeros(len(targets), dtype=np.int64)
        sources[indexes[: len(self._targets)]] = self._sources
        sources[indexes[len(self._targets) :]] += counts
        self._targets, self._sources, self._linked = targets, sources, array("q")

    def gathered(self) -> Links:
        import numpy as np

        self._count()
        return Links(
            kinds={NAMES.get(chr(letter), chr(letter)): count for letter, count in self._kinds.items()},
            images_shown=self._images_shown,
            images=self._images,
            in_sitemaps=np.sort(np.fromiter(self._in_sitemaps, dtype=np.int64)),
            targets=self._targets,
            sources=self._sources,
        )
