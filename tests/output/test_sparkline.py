import pytest

from ttcrawl.output.sparkline import BLOCKS, can_print, sparkline


@pytest.mark.parametrize(
    "x, y, width, drawn",
    [
        ([], [], 10, ""),
        ([1], [5], 10, ""),
        ([1, 2], [0, 0], 10, ""),
        ([1, 2], [1, 2], 0, ""),
        ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8], 8, BLOCKS),
        ([1, 100], [9, 9], 4, "████"),
        ([50, 100], [4, 8], 4, "▁▄▄█"),
    ],
)
def test_sparkline(x, y, width, drawn):
    assert sparkline(x, y, width) == drawn


@pytest.mark.parametrize(
    "encoding, expected",
    [("utf-8", True), ("utf-16", True), ("ascii", False), ("latin-1", False), (None, False), ("no-such", False)],
)
def test_what_cannot_print_blocks(encoding, expected):
    assert can_print(encoding) is expected
