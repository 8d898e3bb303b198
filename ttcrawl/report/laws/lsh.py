"""The probability that two pages are compared: locality-sensitive hashing of MinHash signatures in bands.

A signature has b bands with r numbers each. A number is equal with probability s, the Jaccard similarity of the pages
(Broder 1997). Pages that agree in all numbers of any band are compared: P(s) = 1 - (1 - s^r)^b, an S-curve (Leskovec,
Rajaraman, Ullman, "Mining of Massive Datasets", 3.4).
"""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 1000  # of the integrals; must be even


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """A choice of bands, and the similarity from which a compared page is marked."""

    permutations: int
    bands: int
    verify: float

    @property
    def rows(self) -> int:
        """Numbers in a band; the remainder of the permutations is unused."""
        return self.permutations // self.bands

    def compared(self, similarity: float) -> float:
        """The probability that two pages of this similarity are compared.

        >>> round(Bands(permutations=128, bands=16, verify=0.9).compared(0.9), 4)
        0.9999
        """
        return 1.0 - (1.0 - similarity**self.rows) ** self.bands

    @property
    def missed(self) -> float:
        """The share of sufficiently similar pairs that is not compared, if all similarities are equally frequent."""
        return 1.0 - self._mean(self.verify, 1.0)

    @property
    def in_vain(self) -> float:
        """The share of insufficiently similar pairs that is compared, if all similarities are equally frequent."""
        return self._mean(0.0, self.verify)

    def _mean(self, low: float, high: float) -> float:
        """The mean of the curve between two similarities, by Simpson's rule."""
        if high <= low:
            return self.compared(low)
        width = (high - low) / STEPS
        values = [self.compared(low + step * width) for step in range(STEPS + 1)]
        return (values[0] + values[-1] + 4 * sum(values[1::2]) + 2 * sum(values[2:-1:2])) / (3 * STEPS)

    def neighbours(self) -> list[Bands]:
        """The same permutations in half and in twice as many bands, if there are enough permutations."""
        counts = [count for count in (self.bands // 2, self.bands * 2) if 1 <= count <= self.permutations]
        return [Bands(permutations=self.permutations, bands=count, verify=self.verify) for count in counts]
