"""The scatter of a growth series about its curve: two independent parts, separated by restricted maximum likelihood.

Discovery: each step forward finds more or fewer new things than expected, and found things stay found. The errors of
neighbouring points are therefore correlated: they are the sum of the steps' errors. The variance of a step grows with
the number expected in it (Poisson: equal to it) or with its square (things that come in lumps). Reading: each point has
an error of its own, a constant amount or a constant share of V. A series of counts has only the first part (and
rounding); noise added to a curve is only the second. An interval that confuses the two is several times too narrow or
too wide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

#: The share of discovery in the variance of a step; the most likely one is used.
WALK_SHARES = (1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 0.0)
LUMPS = (1.0, 2.0)  # power of the expected number in a step's variance: 2 if things come in lumps
SHARES = (0, 1)  # the error of a point is a constant amount, or a constant share of V
UNLIKELY = 5.0  # in units of the log-likelihood
LAG = 10  # points: the number of steps over which bursts of discovery are measured
SMALLEST_STEP = 1e-3  # of the mean step: a step of a flat curve still has some variance


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Variances at the points of one series, in units of V squared.

    Each row is a division into the two parts that is not excluded. Its weight is its likelihood; the weights sum to 1.
    The most likely row comes first.
    """

    steps: Array  # of discovery, shape (rows, points); the first step leads from 0 to the first point
    points: Array  # of reading, shape (rows, points)
    weights: Array
    lumps: Array  # of LUMPS and of SHARES, one for each row
    shares: Array
    course: Array  # about which it was estimated, shape (points,)
    per_new: float  # recent variance of discovery per expected thing: 1 for Poisson, more for bursts
    freedom: int

    def about(self, course: Array) -> Noise:
        """The same noise about another course, or about the same one at other points."""
        import numpy as np

        steps, points = [], []
        for row, (lump, power) in enumerate(zip(self.lumps, self.shares, strict=True)):
            old, new = _steps(self.course) ** lump, _steps(course) ** lump
            steps.append(new * (self.steps[row].mean() / old.mean()))
            points.append(course ** (2 * power) * (self.points[row].mean() / np.mean(self.course ** (2 * power))))
        return replace(self, steps=np.array(steps), points=np.array(points), course=course)

    def draw(self, count: int, rng: Generator) -> Array:
        """`count` series of errors, shape (count, points). The variances are estimates, so they are drawn too."""
        import numpy as np

        rows = rng.choice(len(self.weights), count, p=self.weights)
        walk = np.cumsum(rng.standard_normal((count, self.steps.shape[1])) * np.sqrt(self.steps)[rows], axis=1)
        errors = walk + rng.standard_normal(walk.shape) * np.sqrt(self.points)[rows]
        samples: Array = errors * np.sqrt(self.freedom / rng.chisquare(self.freedom, (count, 1)))
        return samples


def estimate(value: Array, slopes: Array, v: Array, *, singly: bool = False) -> Noise:
    """The noise of `v` about the fitted `value`, both of shape (points,); slopes: (points, parameters).

    With `singly` it is known that things come one by one and are counted without error: the first of LUMPS and SHARES.
    """
    import numpy as np

    errors = v - value
    smallest = (1e-9 * max(float(np.abs(v).max()), 1e-280)) ** 2  # the rest of an exact curve is rounding, not noise
    steps = _steps(value)
    share = np.array(WALK_SHARES[:1] if singly else WALK_SHARES)[:, None]
    kinds = list(product(LUMPS[:1] if singly else LUMPS, SHARES[:1] if singly else SHARES))
    walks, singles = [], []
    for lump, power in kinds:
        walks.append(share * steps.mean() * steps**lump / (steps**lump).mean())
        singles.append((1 - share) * _alone(value, power) * steps.mean())  # each part alone gives the same variance
    walk, single = np.concatenate(walks), np.concatenate(singles)
    rest, logs = squares(walk, single, slopes, errors)
    freedom = max(1, len(v) - slopes.shape[1])
    scale = np.maximum(rest, 1e-300) / freedom
    likelihood = -0.5 * (logs + freedom * np.log(scale))
    order = np.argsort(-likelihood)
    likely = order[likelihood[order] > likelihood[order[0]] - UNLIKELY]
    scale = np.maximum(scale, smallest / steps.mean())[likely, None]
    walk, single = scale * walk[likely], scale * single[likely]
    weights = np.exp(likelihood[likely] - likelihood[likely[0]])
    bursts = _bursts(errors, walk, single, slopes.shape[1])
    lumps, powers = np.repeat(np.array(kinds), len(share), axis=0)[likely].T
    return Noise(
        steps=walk * bursts,
        points=single * bursts,
        weights=weights / weights.sum(),
        lumps=lumps,
        shares=powers,
        course=value,
        per_new=float((walk * bursts)[0, -LAG:].sum() / steps[-LAG:].sum()),
        freedom=freedom,
    )


def _steps(value: Array) -> Array:
    """What is expected of each step."""
    import numpy as np

    steps: Array = np.maximum(np.diff(value, prepend=0.0), SMALLEST_STEP * np.abs(value).max() / len(value))
    return steps


def _alone(value: Array, power: int) -> Array:
    """Variances of reading, by a constant amount (0) or share (1), in units of steps: each point affects two steps."""
    import numpy as np

    variances = np.maximum(value / value.max(), 1e-6) ** (2 * power)
    halved: Array = variances / (2 * variances.mean())
    return halved


def distance(noise: Noise, slopes: Array, errors: Array) -> float:
    """The sum of squares of `errors`, in units of the noise, with the best parameters for `slopes`."""
    return float(squares(noise.steps[:1], noise.points[:1], slopes, errors)[0][0])


def squares(walk: Array, single: Array, slopes: Array, errors: Array) -> tuple[Array, Array]:
    """For each row of variances: the rest of `errors` after generalised least squares on `slopes`, and the logarithm of
    the determinants in the restricted likelihood. Both have shape (rows,).

    As steps from point to point, the errors have a tridiagonal covariance, which is factored for all rows at once.
    """
    import numpy as np

    data = np.diff(np.column_stack([slopes, errors]), axis=0, prepend=0.0)
    rows, points = walk.shape
    pivots, solved = np.empty((points, rows)), np.empty((points, rows, data.shape[1]))
    diagonal = (walk + single + np.pad(single, ((0, 0), (1, 0)))[:, :-1]).T
    beside = -single.T
    pivots[0], solved[0] = diagonal[0], data[0]
    for i in range(1, points):
        factor = beside[i - 1] / pivots[i - 1]
        pivots[i] = diagonal[i] - factor * beside[i - 1]
        solved[i] = data[i] - factor[:, None] * solved[i - 1]
    products = np.einsum("irp,irq->rpq", solved / pivots[:, :, None], solved)
    normal, across = products[:, :-1, :-1], products[:, :-1, -1:]
    diagonals = np.einsum("rpp->rp", normal)
    diagonals += 1e-12 * diagonals + 1e-280  # a pool far larger than the series does not affect its end
    rest = products[:, -1, -1] - (across * np.linalg.solve(normal, across)).sum(axis=(1, 2))
    return rest, np.log(pivots).sum(axis=0) + np.linalg.slogdet(normal)[1]


def _bursts(errors: Array, walk: Array, single: Array, parameters: int) -> Array:
    """The factor by which the errors over LAG points exceed the two parts of each row, at least 1; shape (rows, 1).

    It shows correlated steps (a section of a site full of new URLs, then one without) and a curve that does not fit
    well.
    """
    import numpy as np

    if len(errors) < 4 * LAG:
        return np.ones((len(walk), 1))
    observed = np.mean((errors[LAG:] - errors[:-LAG]) ** 2)
    path = np.cumsum(walk, axis=1)
    expected = np.mean(path[:, LAG:] - path[:, :-LAG] + single[:, LAG:] + single[:, :-LAG], axis=1, keepdims=True)
    free = max(0.25, 1 - parameters * LAG / len(errors))  # four parameters follow forty points too closely
    burst: Array = np.maximum(1.0, observed / (expected * free))
    return burst
