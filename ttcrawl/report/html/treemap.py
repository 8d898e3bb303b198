"""Nested rectangles whose areas are sizes, as squarified treemaps (Bruls, Huizing and van Wijk 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    x: float
    y: float
    width: float
    height: float


def squarified(sizes: Sequence[float], box: Box) -> list[Box]:
    """Boxes that fill `box`, with areas as the sizes. They are near squares if the sizes fall.

    A size below a millionth of all counts as a millionth, because rounding would leave no room for it.

    >>> [(each.width, each.height) for each in squarified([2, 1, 1], Box(x=0, y=0, width=4, height=2))]
    [(2.0, 2.0), (2.0, 1.0), (2.0, 1.0)]
    """
    least = max(sum(sizes), 1) / 1_000_000
    sizes = [max(size, least) for size in sizes]
    areas, boxes, first = [box.width * box.height * size / sum(sizes) for size in sizes], list[Box](), 0
    while first < len(areas):
        side, end = min(box.width, box.height), first + 1
        while end < len(areas) and _worst(areas[first : end + 1], side) <= _worst(areas[first:end], side):
            end += 1
        row, box = _row(areas[first:end], box)
        boxes += row
        first = end
    return boxes


def _worst(areas: Sequence[float], side: float) -> float:
    """The largest ratio of the sides of boxes in a row along a side."""
    total = sum(areas)
    return max(side**2 * max(areas) / total**2, total**2 / (side**2 * min(areas)))


def _row(areas: Sequence[float], box: Box) -> tuple[list[Box], Box]:
    """Boxes with these areas along the shorter side of a box, and what is left of it."""
    boxes, total = list[Box](), sum(areas)
    if box.width >= box.height:
        width, y = total / box.height, box.y
        for area in areas:
            boxes.append(Box(x=box.x, y=y, width=width, height=area / width))
            y += area / width
        return boxes, Box(x=box.x + width, y=box.y, width=box.width - width, height=box.height)
    height, x = total / box.width, box.x
    for area in areas:
        boxes.append(Box(x=x, y=box.y, width=area / height, height=height))
        x += area / height
    return boxes, Box(x=box.x, y=box.y + height, width=box.width, height=box.height - height)
