"""Two texts and their similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Square: TypeAlias = NDArray[float64]

#: Kinds of pairs from the crawl itself, and from a file; other pairs are named after the change that made them.
CRAWLED, BY_HAND = "as crawled", "labelled by hand"


@dataclass(frozen=True, slots=True)
class Pair:
    one: int  # index of a text
    other: int
    similarity: float
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    texts: tuple[str, ...]
    pages: int  # the first `pages` texts are unchanged pages of the crawl
    pairs: tuple[Pair, ...]
    square: Square | None  # similarity of all pairs of the first of them; None: not computed
    description: str  # a description for people
