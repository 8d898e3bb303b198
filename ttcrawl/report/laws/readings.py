"""How a series that falls somewhere scatters about its law: such a series is read with errors, and not counted.

The scatter of what is read and the errors of reading it are told apart by restricted maximum likelihood
(`ttcrawl.report.laws.noise`), which uses all of the series at once: differences of blocks show that a walk is there,
but not that none is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ttcrawl.report.laws import noise

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array
    from ttcrawl.report.laws.longest_line import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The scatter of a series that falls, as `ttcrawl.report.laws.scatter.Scatter` is of one that does not."""

    noise: noise.Noise
    has_sections: ClassVar = False

    def draw(self, n: Array, course: Array, count: int, rng: Generator) -> Array:
        """Errors of `count` series at the samples `n`, of which `course` is expected: shape (count, len(n))."""
        return self.noise.about(course).draw(count, rng)


def readings(series: Array, line: Line) -> Readings:
    """The scatter of the series (n, v), shape (2, points), about a law whose K and beta are those of `line` or near."""
    import numpy as np

    x = np.log(series[0])
    value = np.exp(line.log_k + line.beta * x)
    return Readings(noise=noise.estimate(value, np.column_stack([value, value * x]), series[1]))
