"""The lines of the main text, by the marked elements of a page: excluded lines, and the spans that remain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter, mul

from ttcrawl.read.blocks import Block
from ttcrawl.read.landmarks import ARTICLE, ASIDE, BODY, BY_NAME, HEADER, LANDMARK, MAIN, TITLE

#: Fractions of the text outside links: an element named as an aside with more than MOST is not one, and an element
#: named as main text with less than LEAST is not main text.
MOST, LEAST = 0.5, 0.15

#: Fraction of the text of the main element, or of all articles: an article with more is the content of the page.
DOMINANT = 0.5

#: Maximum characters of a one-line main element that may be a placeholder, to be filled by a script.
PLACEHOLDER = 40

Span = tuple[int, int]  # lines: from, up to

NOT = bytes((1, 0)).ljust(256)


def sums(lengths: Sequence[int], without: bytes | bytearray) -> list[int]:
    """Characters before each line and before the end, without the lines in `without`."""
    return list(accumulate(map(mul, lengths, without.translate(NOT)), initial=0))


def either(one: bytes | bytearray, other: bytes | bytearray) -> bytes:
    """1 if one or both are 1: computed on one large integer, in a hundredth of the time."""
    return (int.from_bytes(one, "little") | int.from_bytes(other, "little")).to_bytes(len(one), "little")


def landmarks(blocks: Sequence[Block], count: int) -> bytearray:
    """1 for each of `count` lines that are not main text according to HTML or ARIA."""
    out = bytearray(count)
    mains, content, titles = (_counts(blocks, kinds) for kinds in (MAIN, MAIN + ARTICLE + BODY, TITLE))
    inside = bytearray(len(blocks))
    for index in outermost(blocks, MAIN + ARTICLE + BODY):
        inside[blocks[index].first : index] = b"\1" * (index - blocks[index].first)
    for index, block in enumerate(blocks):
        if block.kind == LANDMARK and mains[index] == mains[block.first]:
            _leave_out(out, block)
        elif block.kind == HEADER and content[index] == content[block.first]:
            if titles[index] == titles[block.first]:
                _leave_out(out, block)
            elif not inside[index]:  # the title in a site's header stays
                title_flags = [
                    (each, out[each.start : each.end]) for each in blocks[block.first : index] if each.kind == TITLE
                ]
                _leave_out(out, block)
                for each, before in title_flags:
                    out[each.start : each.end] = before
    return out


def with_asides(out: bytearray, blocks: Sequence[Block], text: Sequence[int]) -> bytearray:
    """Also exclude asides by class or id; `text`: sums of text that is neither excluded nor a link."""
    asides = [index for index, block in enumerate(blocks) if block.kind == ASIDE]
    if not asides:
        return out
    out = out[:]
    content = _counts(blocks, MAIN + ARTICLE + BODY + TITLE)
    for index in asides:
        block = blocks[index]
        if content[index] == content[block.first] and not _wraps(index, blocks, text):
            _leave_out(out, block)
    return out


def _wraps(index: int, blocks: Sequence[Block], text: Sequence[int]) -> bool:
    """Whether an aside contains most of the text, and no element named as main text is outside it."""
    block = blocks[index]
    if _size(block, text) < MOST * text[-1]:
        return False
    if any(each.kind == BY_NAME and each.start < each.end for each in blocks[block.first : index]):
        return True
    around = (blocks[each] for each in outermost(blocks, BY_NAME))
    return all(
        _size(each, text) == (_size(block, text) if each.start <= block.start and block.end <= each.end else 0)
        for each in around
    )


def explicit(blocks: Sequence[Block], text: Sequence[int], shown: Sequence[int]) -> tuple[str, list[Span]]:
    """The source (HTML, ARIA or schema.org) and the spans of the main text; no spans without such markup.

    `text`: sums of text that is neither excluded nor a link; `shown`: the characters of each line, 0 if it is excluded.
    """
    by, spans = "", list[Span]()
    least = LEAST * text[-1]
    mains = [block for block in blocks if block.kind == MAIN and block.start < block.end]
    if mains:
        of_each = [(_size(block, text), sum(shown[block.start : block.end])) for block in mains]
        (size, visible), main = max(zip(of_each, mains, strict=True), key=itemgetter(0))
        placeholder = visible <= PLACEHOLDER and main.end - main.start == 1
        if visible and (size > least or not placeholder):
            by, spans, least = MAIN, [(main.start, main.end)], DOMINANT * size
    for kind in (ARTICLE, BODY):
        if len(spans) > 1:
            break
        start, end = spans[0] if spans else (0, len(shown))
        candidates = [blocks[index] for index in outermost(blocks, kind)]
        candidates = [block for block in candidates if start <= block.start and block.end <= end]
        sizes = [_size(block, text) for block in candidates]
        if sum(sizes) <= least:
            continue
        if max(sizes) > DOMINANT * sum(sizes):  # the others are comments, or teasers of other pages
            candidates = [candidates[sizes.index(max(sizes))]]
        elif kind == BODY:
            continue
        by, spans = kind, [(block.start, block.end) for block in candidates]
        least = DOMINANT * sum(_size(block, text) for block in candidates)
    return by, spans


def by_name(blocks: Sequence[Block], text: Sequence[int]) -> list[Span]:
    """The span of the main text by a class or id; none if it contains too little text."""
    largest = max(
        (block for block in blocks if block.kind == BY_NAME), key=lambda block: _size(block, text), default=None
    )
    return [] if largest is None or _size(largest, text) <= LEAST * text[-1] else [(largest.start, largest.end)]


def outermost(blocks: Sequence[Block], kinds: str) -> list[int]:
    """The indexes of parts of some kinds that are inside no other of these kinds, in document order."""
    indexes: list[int] = []
    index = len(blocks)
    while index:
        index -= 1
        if blocks[index].kind in kinds and blocks[index].start < blocks[index].end:
            indexes.append(index)
            index = blocks[index].first
    return indexes[::-1]


def _counts(blocks: Sequence[Block], kinds: str) -> list[int]:
    """Number of non-empty parts of some kinds before each index: a part contains the parts from its `first` on."""
    return list(accumulate((block.kind in kinds and block.start < block.end for block in blocks), initial=0))


def _leave_out(out: bytearray, block: Block) -> None:
    out[block.start : block.end] = b"\1" * (block.end - block.start)


def _size(block: Block, sums: Sequence[int]) -> int:
    return sums[block.end] - sums[block.start]
