"""Two texts beside each other, line by line, with the words that differ. Pure, and nearly linear in their lengths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ttcrawl.frozen import frozen
from ttcrawl.snapshot.texts import Alignment

#: Equal lines that are shown around what differs.
AROUND = 2

#: (Words, whether the other text has others there).
Span = tuple[str, bool]


@frozen
class Beside:
    """A line of each text. `skipped`: equal lines that are left out before it."""

    left: tuple[Span, ...]
    right: tuple[Span, ...]
    skipped: int = 0


def side_by_side(left: str, right: str) -> Iterator[Beside]:
    """The lines that differ, and a few around them; () stands for a line that the other text alone has.

    >>> [(each.left, each.right) for each in side_by_side("one two", "one three")]
    [((('one ', False), ('two', True)), (('one ', False), ('three', True)))]
    """
    old, new = left.split("\n"), right.split("\n")
    shown = 0
    for group in Alignment(old, new).get_grouped_opcodes(AROUND):
        skipped, shown = group[0][1] - shown, group[-1][2]
        for tag, low, high, new_low, new_high in group:
            pairs = zip_longest(old[low:high], new[new_low:new_high])
            for one, other in pairs:
                yield _equal(one, skipped) if tag == "equal" else _different(one, other, skipped)
                skipped = 0


def _equal(line: str, skipped: int) -> Beside:
    return Beside(left=((line, False),), right=((line, False),), skipped=skipped)


def _different(one: str | None, other: str | None, skipped: int) -> Beside:
    if one is None or other is None:
        return Beside(left=_marked(one), right=_marked(other), skipped=skipped)
    left, right = re.findall(r"\s*\S+\s*|\s+", one), re.findall(r"\s*\S+\s*|\s+", other)
    opcodes = Alignment([each.strip() for each in left], [each.strip() for each in right]).get_opcodes()
    return Beside(
        left=_spans(left, [(tag, low, high) for tag, low, high, _, _ in opcodes]),
        right=_spans(right, [(tag, low, high) for tag, _, _, low, high in opcodes]),
        skipped=skipped,
    )


def _marked(line: str | None) -> tuple[Span, ...]:
    return () if line is None else ((line, True),)


def _spans(words: Sequence[str], opcodes: Sequence[tuple[str, int, int]]) -> tuple[Span, ...]:
    return tuple(("".join(words[low:high]), tag != "equal") for tag, low, high in opcodes if low < high)
