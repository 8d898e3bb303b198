"""The packed out-links of a crawl as arrays, many pages at a time.

Each page stores its links packed (see ttcrawl.store.schema). The view `link` would make a row of each, and a list of
Python integers a page takes three times as long as an array of many pages.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.snapshot.snapshot import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Letters: TypeAlias = NDArray[np.uint8]

BATCH = 2_000_000  # links, plus the links of one page: 40 MB

#: The landmark of a link outside all landmarks, or of a page whose landmarks were not recorded.
NO_LANDMARK = ord("-")

_BIGGEST = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Outlinks:
    """The links of some pages: `sources` has one value for each page, the other arrays one for each link."""

    sources: Ints  # ids of the pages in table url
    pages: Ints  # of each link: the index of its page in `sources`
    targets: Ints  # URL keys
    kinds: Letters
    regions: Letters
    landmarks: Letters

    @cached_property
    def distinct(self) -> tuple[Ints, Ints]:
        """(the distinct targets, rising; of each link: the index of its target among them)."""
        import numpy as np

        keys, indexes = np.unique(self.targets, return_inverse=True)
        return keys, indexes

    def where(self, selected: NDArray[np.bool_]) -> Outlinks:
        """Only the selected links; all pages."""
        return Outlinks(
            sources=self.sources,
            pages=self.pages[selected],
            targets=self.targets[selected],
            kinds=self.kinds[selected],
            regions=self.regions[selected],
            landmarks=self.landmarks[selected],
        )


def outlinks(db: View, batch: int = BATCH) -> Iterator[Outlinks]:
    """All links of all pages, in batches of whole pages, at least one. Raises ValueError for a damaged row."""
    packed = _Packed()
    for row in rows(db):
        packed.add(*row)
        if len(packed.kinds) >= batch:
            yield packed.unpacked()
            packed = _Packed()
    yield packed.unpacked()


def rows(db: View) -> Iterator[tuple[int, str, bytes, bytes, bytes]]:
    """(id of the page, its packed targets, kinds, regions and landmarks) of every page; landmarks may be empty.

    Raises ValueError for a damaged row.
    """
    query = "SELECT source, targets, kinds, regions, CAST(landmarks AS BLOB) FROM outlinks"
    for source, targets, kinds, regions, landmarks in db.execute(query):
        if len(kinds) != len(regions):
            raise ValueError(f"outlinks of URL {source}: {len(kinds)} kinds but {len(regions)} regions")
        if landmarks and len(kinds) != len(landmarks):
            raise ValueError(f"outlinks of URL {source}: {len(kinds)} kinds but {len(landmarks)} landmarks")
        yield source, targets, kinds, regions, landmarks


def keys_of_row(source: int, targets: str, count: int) -> list[int]:
    """The targets of a page. Raises ValueError unless they are the keys of `count` URLs."""
    keys = json.loads(targets)
    if len(keys) != count or not all(type(each) is int and abs(each) <= _BIGGEST for each in keys):
        raise ValueError(f"outlinks of URL {source}: not the keys of {count} URLs")
    return list(keys)


def distinct(values: Ints) -> Ints:
    """The distinct values, rising; numpy.unique takes ten times as long for large arrays of integers."""
    import numpy as np

    rising = np.sort(values)
    first = np.ones(len(rising), dtype=bool)
    np.not_equal(rising[1:], rising[:-1], out=first[1:])
    return rising[first]


@dataclass(slots=True)
class _Packed:
    """Rows of table outlinks."""

    sources: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    regions: bytearray = field(default_factory=bytearray)
    landmarks: bytearray = field(default_factory=bytearray)

    def add(self, source: int, targets: str, kinds: bytes, regions: bytes, landmarks: bytes) -> None:
        self.sources.append(source)
        self.counts.append(len(kinds))
        self.targets.append(targets)
        self.kinds += kinds
        self.regions += regions
        self.landmarks += landmarks or bytes((NO_LANDMARK,)) * len(kinds)

    def unpacked(self) -> Outlinks:
        import numpy as np

        counts = np.array(self.counts, dtype=np.int64)
        return Outlinks(
            sources=np.array(self.sources, dtype=np.int64),
            pages=np.repeat(np.arange(len(counts)), counts),
            targets=self._keys(),
            kinds=np.frombuffer(self.kinds, dtype=np.uint8),
            regions=np.frombuffer(self.regions, dtype=np.uint8),
            landmarks=np.frombuffer(self.landmarks, dtype=np.uint8),
        )

    def _keys(self) -> Ints:
        import numpy as np

        if all(map(_plain, self.targets, self.counts)):
            text = ",".join([each[1:-1] for each in self.targets if len(each) > 2])
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # numpy ends at what is not a number
                try:
                    keys = np.fromstring(text, dtype=np.int64, sep=",")
                except (DeprecationWarning, ValueError):
                    return self._keys_by_row()
            if len(keys) == len(self.kinds) and not (keys == _BIGGEST).any():  # which stands for all that are larger
                return keys
        return self._keys_by_row()

    def _keys_by_row(self) -> Ints:
        import numpy as np

        keys = list[int]()
        for source, count, targets in zip(self.sources, self.counts, self.targets, strict=True):
            keys += keys_of_row(source, targets, count)
        return np.array(keys, dtype=np.int64)


def _plain(targets: str, count: int) -> bool:
    """Whether a row looks like `count` numbers as the store packs them."""
    if not count:
        return targets == "[]"
    return targets[:1] == "[" and targets[-1:] == "]" and targets.count(",") + 1 == count
