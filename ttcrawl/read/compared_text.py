"""Whether a page can be compared with others by its main text.

Where the main text has lost most of the page, what remains is often alike on many pages that differ in what was lost.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ttcrawl.read.blocks import Block
from ttcrawl.read.landmarks import HEADING
from ttcrawl.read.spans import landmarks

#: Minimum fraction of the text outside landmarks and links that is in the main text.
HALF = 0.5


def is_most_of_page(
    main: Sequence[str], lines: Sequence[str], blocks: Sequence[Block], anchors: Container[str]
) -> bool:
    """Whether the main text has half of the characters outside landmarks and links, or more.

    `blocks`: the marked elements of the page; `anchors`: its anchor texts.
    """
    least = sum(map(len, main)) / HALF
    if sum(map(len, lines)) <= least:
        return True
    outside = landmarks(blocks, lines)
    headings = {index for block in blocks if block.kind == HEADING for index in range(block.start, block.end)}
    text = sum(
        len(line)
        for index, line in enumerate(lines)
        if not outside[index] and (line not in anchors or index in headings)
    )
    return text <= least
