"""Treemaps: areas are sizes, nothing overlaps, and boxes are near squares."""

import random

import pytest

from ttcrawl.report.html.treemap import Box, squarified

PAGE = Box(x=0.5, y=0.5, width=369, height=239)
SIZES = {
    "one": [7],
    "equal": [1] * 40,
    "falling": sorted((random.Random(1).paretovariate(1) for _ in range(40)), reverse=True),
    "one of nearly all": [1e12, 1, 1],
    "rising": [1, 2, 3, 4],
    "of a paper": [6, 6, 4, 3, 2, 2, 1],  # Bruls, Huizing and van Wijk 2000, figure 3
}


@pytest.mark.parametrize("name", SIZES)
def test_the_box_is_filled_once(name):
    sizes = SIZES[name]
    boxes = squarified(sizes, PAGE)
    scale = PAGE.width * PAGE.height / sum(sizes)
    assert [each.width * each.height for each in boxes] == pytest.approx(
        [size * scale for size in sizes], rel=1e-4, abs=0.1
    )
    for index, one in enumerate(boxes):
        assert one.x >= PAGE.x - 1e-6 and one.x + one.width <= PAGE.x + PAGE.width + 1e-6
        assert one.y >= PAGE.y - 1e-6 and one.y + one.height <= PAGE.y + PAGE.height + 1e-6
        for other in boxes[:index]:
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            assert across < 1e-6 or down < 1e-6


def test_the_example_of_the_paper():
    """The first rows of its figure 3: 6 and 6 at the left, then 4 and 3 above."""
    boxes = squarified(SIZES["of a paper"], Box(x=0, y=0, width=6, height=4))
    found = [(round(each.width, 2), round(each.height, 2)) for each in boxes]
    assert found[:4] == [(3, 2), (3, 2), (1.71, 2.33), (1.29, 2.33)]


def test_nothing_is_no_box():
    assert squarified([], PAGE) == []
