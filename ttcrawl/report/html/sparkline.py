"""A small curve without axes (Tufte 2006): its first and last values are in words beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, MARGIN = 370.0, 150.0, 5.0
POINTS = 160


def sparkline(title: str, across: Sequence[float], up: Sequence[float], mark: float | None = None) -> str:
    """An SVG element of a rising series from 0, with a line at the position `mark`; "" for fewer than two points."""
    if len(across) < 2 or across[-1] <= 0 or max(up) <= 0:
        return ""
    right, top = across[-1], max(up)

    def point(n: float, v: float) -> str:
        x = MARGIN + (WIDTH - 2 * MARGIN) * n / right
        return f"{x:.1f},{HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * v / top:.1f}"

    points = " ".join(point(n, v) for n, v in _thinned([(0.0, 0.0), *zip(across, up, strict=True)], right))
    line = ""
    if mark is not None and mark < right:
        (low, high) = point(mark, 0), point(mark, top)
        line = f'<path class="mark" d="M{low} L{high}"/>'
    return (
        f'<svg class="spark" role="img" aria-label="{escape(title)}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}">'
        f'<path class="area" d="M{points} L{point(right, 0)} Z"/>{line}<path class="curve" d="M{points}"/>'
        f'<circle cx="{WIDTH - MARGIN:g}" cy="{point(right, up[-1]).partition(",")[2]}" r="4"/></svg>'
    )


def _thinned(series: Sequence[tuple[float, float]], right: float) -> list[tuple[float, float]]:
    """At most one point for each step to the right, and the last one."""
    points, step = [series[0]], right / POINTS
    for each in series[1:]:
        if each[0] - points[-1][0] >= step:
            points.append(each)
    return points if points[-1] == series[-1] else [*points, series[-1]]
