"""A growth curve on logarithmic axes with the power law that it follows, where no library draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from ttcrawl.report.html.sparkline import HEIGHT, MARGIN, WIDTH
from ttcrawl.report.laws.heaps import Heaps

LABELS = 16.0  # the height of the numbers below
STEP = 2.0  # between two points that are drawn


def law_curve(title: str, across: Sequence[float], up: Sequence[float], law: Heaps) -> str:
    """An SVG element of a rising series of positive numbers; "" for fewer than two. Lines stand at powers of ten."""
    points = [(math.log10(n), math.log10(v)) for n, v in zip(across, up, strict=True) if n > 0 and v > 0]
    if len(points) < 2 or points[0] == points[-1]:
        return ""
    (left, low), (right, high) = (map(math.floor, points[0]), map(math.ceil, points[-1]))

    def position(n: float, v: float) -> tuple[float, float]:
        x = MARGIN + (WIDTH - 2 * MARGIN) * (n - left) / max(right - left, 1)
        return x, HEIGHT - LABELS - (HEIGHT - LABELS - MARGIN) * (v - low) / max(high - low, 1)

    decades = "".join(
        _decade(exponent, *position(exponent, low), last=exponent == right) for exponent in range(left, right + 1)
    )
    line = ""
    if law.holds_from is not None and law.holds_to is not None:
        ends = [(math.log10(n), math.log10(law.at(n))) for n in (law.holds_from, law.holds_to)]
        line = f'<path class="mark" d="M{_path([position(*end) for end in ends])}"/>'
    return (
        f'<svg class="spark" role="img" aria-label="{escape(title)}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}">{decades}'
        f'<path class="curve" d="M{_path(_thinned([position(*point) for point in points]))}"/>{line}</svg>'
    )


def _decade(exponent: int, x: float, bottom: float, *, last: bool) -> str:
    anchor = "end" if last else "start"
    text = f'<text x="{x:.1f}" y="{HEIGHT - 3:g}" text-anchor="{anchor}">{10**exponent:,}</text>'
    return f'<path class="decade" d="M{x:.1f},{MARGIN:g} L{x:.1f},{bottom:.1f}"/>{text}'


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    shown = [points[0]]
    shown += (point for point in points[1:-1] if point[0] - shown[-1][0] >= STEP)
    return [*shown, points[-1]]
