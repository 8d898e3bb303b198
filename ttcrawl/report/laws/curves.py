"""The curves that are fitted to growth series, and least squares for many series at once.

`law`: V = k x^beta, Heaps' law. `pool`: V = N (1 - exp(-k x^beta / N)), the form of the law if only N things exist: an
occurrence that would be new in an infinite web is by chance one of the V known things with probability V / N. It leaves
the law by 5 % where k x^beta = N / 10, and ends at N.

Parameters are rows (log k, beta) and (log k, beta, log N), with x scaled to (0, 1].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Array = NDArray[float64]
    Curve = Callable[[Array, Array], tuple[Array, Array]]

BETA_MIN, BETA_MAX = 1e-4, 1.5
STEPS = 60
LONGEST_STEP = 0.5
PRECISION = 1e-11
LEAST_BENT, MOST_BENT = 1e-5, 20.0  # K n^beta / N: less is next to 0, more overflows


def law(parameters: Array, x: Array) -> tuple[Array, Array]:
    """V, shape (series, points), and its derivatives by the parameters, shape (series, points, 2)."""
    import numpy as np

    log_k, beta = parameters[:, :1], parameters[:, 1:2]
    log_x = np.log(x)[None, :]
    value = np.exp(log_k + beta * log_x)
    return value, np.stack([value, value * log_x], axis=2)


def pool(parameters: Array, x: Array) -> tuple[Array, Array]:
    """V, shape (series, points), and its derivatives by the parameters, shape (series, points, 3)."""
    import numpy as np

    endless, slopes = law(parameters, x)
    size = np.exp(parameters[:, 2:3])
    share = np.minimum(endless / size, 700.0)
    remaining = np.exp(-share)
    value = -size * np.expm1(-share)
    return value, np.concatenate([slopes * remaining[:, :, None], (value - endless * remaining)[:, :, None]], axis=2)


def bent(size: float) -> Curve:
    """`pool` with rows (log k, beta, s): s is `size` / N, 0 for an endless pool, less for one that bends upwards."""

    def curve(parameters: Array, x: Array) -> tuple[Array, Array]:
        import numpy as np

        endless, slopes = law(parameters, x)
        at = np.clip(parameters[:, 2:3] * endless / size, -MOST_BENT, 700.0)
        at = np.where(np.abs(at) < LEAST_BENT, LEAST_BENT, at)
        remaining = np.exp(-at)
        value = -endless * np.expm1(-at) / at
        by_share = (endless * remaining - value) * endless / (at * size)
        return value, np.concatenate([slopes * remaining[:, :, None], by_share[:, :, None]], axis=2)

    return curve


def broken(parameters: Array, x: Array) -> tuple[Array, Array]:
    """The law up to x = b, then a straight line: rows (log k, beta, log b, slope); derivatives by all four."""
    import numpy as np

    bend = np.exp(parameters[:, 2:3])
    after = x[None, :] > bend
    slope = parameters[:, 3:4]
    inside = np.minimum(x[None, :], bend)
    value = np.exp(parameters[:, :1]) * inside ** parameters[:, 1:2]
    moved = np.where(after, parameters[:, 1:2] * value - slope * bend, 0.0)
    beyond = np.where(after, x[None, :] - bend, 0.0)
    return value + slope * beyond, np.stack([value, value * np.log(inside), moved, beyond], axis=2)


def least_squares(curve: Curve, start: Array, x: Array, v: Array, precision: float = PRECISION) -> tuple[Array, Array]:
    """The parameters with which `curve` is nearest to each row of `v`, and the sums of squared errors.

    Uses the method of Levenberg and Marquardt from each row of `start` until a step is shorter than `precision`.
    Shapes: start (series, parameters), x (points,), v (series, points).
    """
    import numpy as np

    current = start.copy()
    value, slopes = curve(current, x)
    cost = ((v - value) ** 2).sum(axis=1)
    damping = np.full(len(current), 1e-6)
    live = np.arange(len(current))
    for _ in range(STEPS):
        step = _steps(slopes[live], v[live] - value[live], damping[live])
        candidate = current[live] + step
        candidate[:, 1] = np.clip(candidate[:, 1], BETA_MIN, BETA_MAX)
        new_value, new_slopes = curve(candidate, x)
        new_cost = ((v[live] - new_value) ** 2).sum(axis=1)
        better = new_cost <= cost[live]
        improved = live[better]
        current[improved], cost[improved] = candidate[better], new_cost[better]
        value[improved], slopes[improved] = new_value[better], new_slopes[better]
        damping[live] = np.where(better, damping[live] / 10, damping[live] * 30)
        moving = (np.abs(step).max(axis=1) > precision) & (damping[live] < 1e8)
        live = live[moving]
        if not len(live):
            break
    return current, cost


def _steps(slopes: Array, errors: Array, damping: Array) -> Array:
    import numpy as np

    turned = slopes.transpose(0, 2, 1)
    normal = turned @ slopes
    gradient = (turned @ errors[:, :, None])[:, :, 0]
    diagonal = np.einsum("sii->si", normal)  # a view: changes go into `normal`
    diagonal *= 1 + damping[:, None]
    diagonal += 1e-12 * diagonal.max(axis=1, keepdims=True) + 1e-300
    step: Array = np.clip(np.linalg.solve(normal, gradient[:, :, None])[:, :, 0], -LONGEST_STEP, LONGEST_STEP)
    return step
