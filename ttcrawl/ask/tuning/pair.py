"""Two texts and how alike they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Square: TypeAlias = NDArray[float64]

#: How the pairs of pages of the crawl as they are, and those of a file are called; the others by how they were made.
CRAWLED, LABELLED = "as crawled", "labelled by hand"


@dataclass(frozen=True, slots=True)
class Pair:
    one: int  # number of a text
    other: int
    similarity: float
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    texts: tuple[str, ...]
    pages: int  # the first so many are pages of the crawl as they are
    pairs: tuple[Pair, ...]
    square: Square | None  # how alike the first of them are, each with each; None: that was not counted
    told: str  # what all this is, for people
