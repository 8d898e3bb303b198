"""A table of the report in a terminal that is narrower: labels and words fold, columns stand below each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ttcrawl.output.terminal import columns, fold, lines_of, padded

GAP = "  "
#: The least columns of labels, and of the names of crawls above values.
LABEL, NAME = 14, 12


def folded_table(
    title: str,
    labels: Sequence[str],
    cells: Sequence[Sequence[str]],
    heads: tuple[Sequence[str], Sequence[str]],
    most: int,
    *,
    right: bool,
) -> list[str]:
    """The lines of a table in `most` columns. `heads`: of each column the name of its crawl, and its own.

    Columns that do not fit beside each other follow in another block with the same labels.
    """
    names, titles = heads
    room = max(1, most - LABEL - len(GAP))
    widths = [
        min(max(columns(head), min(columns(name), NAME), *map(columns, column)), room)
        for name, head, column in zip(names, titles, zip(*cells, strict=True), strict=True)
    ]
    lines = fold(title, most)
    for number, block in enumerate(lines_of(widths, room, len(GAP))):
        values = sum(len(GAP) + width for width in widths[block])
        label_width = min(max(map(columns, labels)), max(1, most - values))
        lines += [""] if number else []
        if len(set(names[block])) > 1:
            lines += _row("", names[block], label_width, widths[block], right=True)
        elif any(names[block]):
            lines += fold(names[block][0], most)
        if any(titles[block]):
            lines += _row("", titles[block], label_width, widths[block], right=True)
        lines.append("-" * (label_width + values))
        for label, row in zip(labels, cells, strict=True):
            lines += _row(label, row[block], label_width, widths[block], right=right)
    return lines


def _row(label: str, cells: Sequence[str], label_width: int, widths: Sequence[int], *, right: bool) -> list[str]:
    """One row, whose cells may have several lines."""
    stacks = [fold(label, label_width), *map(fold, cells, widths)]
    return [
        GAP.join(padded(text, width, right=right and index > 0) for index, (text, width) in enumerate(each)).rstrip()
        for line in zip_longest(*stacks, fillvalue="")
        for each in [list(zip(line, [label_width, *widths], strict=True))]
    ]
