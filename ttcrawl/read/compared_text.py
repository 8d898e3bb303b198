"""The text by which a page is compared with others: its main text, or what that should have been.

Where the main text has lost most of the page, what remains is often alike on many pages that differ in what was lost.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ttcrawl.read.blocks import Block
from ttcrawl.read.landmarks import HEADING
from ttcrawl.read.spans import landmarks

#: Minimum fraction of the text outside landmarks and links that is in the main text.
HALF = 0.5


def compared_lines(
    lines: Sequence[str], blocks: Sequence[Block], anchors: Container[str], main: Sequence[str]
) -> Sequence[str]:
    """The lines of the main text; if they have less than half of the characters outside landmarks and links, all lines
    outside of these. `blocks`: the marked elements; `anchors`: the anchor texts of the page."""
    least = sum(map(len, main)) / HALF
    if sum(map(len, lines)) <= least:
        return main
    outside = landmarks(blocks, len(lines))
    headings = {index for block in blocks if block.kind == HEADING for index in range(block.start, block.end)}
    text = [
        line for index, line in enumerate(lines) if not outside[index] and (line not in anchors or index in headings)
    ]
    return main if sum(map(len, text)) <= least else text
