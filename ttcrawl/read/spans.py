"""The lines of the main text, by the marked elements of a page: excluded lines, and the spans that remain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter, mul

from ttcrawl.read.blocks import Block
from ttcrawl.read.landmarks import (
    ARTICLE,
    ASIDE,
    ASIDE_ELEMENT,
    BODY,
    BOX,
    BY_NAME,
    COMMENT,
    HEADER,
    HEADER_BY_NAME,
    HEADING,
    LANDMARK,
    MAIN,
    TITLE,
)
from ttcrawl.read.prose import is_prose

#: Fractions of the text outside links: an element named as an aside with more than MOST of the text around it is not
#: one (comments can be longer than the article); an element named as main text with less than LEAST is not main text.
MOST, MOST_COMMENTS, LEAST = 0.5, 0.85, 0.15

#: Fraction of the text of the main element, or of all articles: an article with more is the content of the page,
#: unless another one has PEER of its text, as in a thread of posts.
DOMINANT, PEER = 0.5, 0.33

#: Fraction of the text of an element named as main text: one article with less, or several, are only part of the page.
PART, PART_SEVERAL = 0.7, 0.9

#: Maximum characters of a one-line main element that may be a placeholder, to be filled by a script.
PLACEHOLDER = 40

#: A box is main text if more than this fraction of its text is in lines of prose, and links are at most that fraction.
BOXED, LINKED = 0.6, 0.1

ASIDES = ASIDE + BOX + ASIDE_ELEMENT + COMMENT + HEADER_BY_NAME

Span = tuple[int, int]  # lines: from, up to

NOT = bytes((1, 0)).ljust(256)


def sums(lengths: Sequence[int], without: bytes | bytearray) -> list[int]:
    """Characters before each line and before the end, without the lines in `without`."""
    return list(accumulate(map(mul, lengths, without.translate(NOT)), initial=0))


def either(one: bytes | bytearray, other: bytes | bytearray) -> bytes:
    """1 if one or both are 1: computed on one large integer, in a hundredth of the time."""
    return (int.from_bytes(one, "little") | int.from_bytes(other, "little")).to_bytes(len(one), "little")


def landmarks(blocks: Sequence[Block], lines: Sequence[str]) -> bytearray:
    """1 for each line that is not main text according to HTML or ARIA."""
    out = bytearray(len(lines))
    mains, content, titles = (_counts(blocks, kinds) for kinds in (MAIN, MAIN + ARTICLE + BODY, TITLE))
    inside = bytearray(len(blocks))
    for index in outermost(blocks, MAIN + ARTICLE + BODY):
        inside[blocks[index].first : index] = b"\1" * (index - blocks[index].first)
    for index, block in enumerate(blocks):
        kind = LANDMARK if block.kind == ASIDE_ELEMENT and not inside[index] else block.kind
        if kind == LANDMARK and mains[index] == mains[block.first]:
            _leave_out(out, block)
        elif block.kind == HEADER and content[index] == content[block.first]:
            if titles[index] == titles[block.first]:
                _leave_out(out, block)
            elif not inside[index]:
                _leave_out_header(out, block, blocks[block.first : index], lines)
    return out


def with_asides(
    out: bytearray,
    blocks: Sequence[Block],
    text: Sequence[int],
    prose: Callable[[], tuple[Sequence[int], Sequence[int]]],
) -> bytearray:
    """Also exclude asides: by class or id, and the element inside a main element or an article.

    `text`: sums of text that is neither excluded nor a link; `prose`: sums of lines of prose, and of links.
    """
    if not any(block.kind in ASIDES for block in blocks):
        return out
    out = out[:]
    standard = MAIN + BODY + TITLE
    mains, content, headings = (_counts(blocks, standard + more) for more in ("", ARTICLE, ARTICLE + HEADING))
    inside = {COMMENT: mains, ASIDE_ELEMENT: mains, ASIDE: content, BOX: content, HEADER_BY_NAME: headings}
    boxes = any(block.kind in BOX + ASIDE_ELEMENT for block in blocks)
    long, linked = prose() if boxes else (text, text)
    for index, container in _with_containers(blocks):
        block = blocks[index]
        counts = inside.get(block.kind)
        if counts is None or counts[index] != counts[block.first]:
            continue
        size = _size(block, text)
        is_prose = _size(block, long) > BOXED * size and _size(block, linked) <= LINKED * size
        if is_prose and block.kind in BOX + ASIDE_ELEMENT:
            continue
        most = MOST_COMMENTS if block.kind == COMMENT else MOST
        around = _size(container, text) if container is not None else text[-1]
        if size <= most * around or (container is None and not _wraps(index, blocks, text)):
            _leave_out(out, block)
    return out


def _with_containers(blocks: Sequence[Block]) -> Iterator[tuple[int, Block | None]]:
    """The index of each block that is not empty, and the innermost main element, article or body around it."""
    around: list[int] = []
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        while around and index < blocks[around[-1]].first:
            around.pop()
        if block.start < block.end:
            yield index, blocks[around[-1]] if around else None
        if block.kind in MAIN + ARTICLE + BODY:
            around.append(index)


def _wraps(index: int, blocks: Sequence[Block], text: Sequence[int]) -> bool:
    """Whether no element named as main text is outside an aside that contains most of the text."""
    block = blocks[index]
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
        largest = max(sizes)
        peers = sum(size >= PEER * largest for size in sizes) > 1
        if largest > DOMINANT * sum(sizes) and not peers:  # the others are comments, or teasers of other pages
            candidates = [candidates[sizes.index(largest)]]
        elif kind == BODY:
            continue
        if kind == ARTICLE and by != MAIN and _are_part(candidates, blocks, text):
            continue
        by, spans = kind, [(block.start, block.end) for block in candidates]
        least = DOMINANT * sum(_size(block, text) for block in candidates)
    return by, spans


def _are_part(articles: Sequence[Block], blocks: Sequence[Block], text: Sequence[int]) -> bool:
    """Whether the element named as main text around the articles has much other text."""
    start, end = articles[0].start, articles[-1].end
    around = [block for block in blocks if block.kind == BY_NAME and block.start <= start and end <= block.end]
    part = PART if len(articles) == 1 else PART_SEVERAL
    size = sum(_size(block, text) for block in articles)
    return bool(around) and size < part * min(_size(block, text) for block in around)


def by_name(blocks: Sequence[Block], text: Sequence[int]) -> list[Span]:
    """The span of the main text by a class or id, with the title just before it; none if it has too little text."""
    titles = {block.end: block.start for block in blocks if block.kind == TITLE and block.start < block.end}
    spans = [(titles.get(block.start, block.start), block.end) for block in blocks if block.kind == BY_NAME]
    largest = max(spans, key=lambda span: text[span[1]] - text[span[0]], default=(0, 0))
    return [largest] if text[largest[1]] - text[largest[0]] > LEAST * text[-1] else []


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


def _leave_out_header(out: bytearray, header: Block, inner: Sequence[Block], lines: Sequence[str]) -> None:
    """Leave out a site's header but for its title, and for an introduction: all from the title to the last prose."""
    remaining = [(block.start, block.end) for block in inner if block.kind == TITLE and block.start < block.end]
    start = remaining[0][0]
    prose = [
        index for index in range(start, header.end) if not out[index] and is_prose(lines[index], len(lines[index]))
    ]
    if prose:
        remaining.append((start, prose[-1] + 1))
    before = [(start, out[start:end]) for start, end in remaining]
    _leave_out(out, header)
    for start, flags in before:
        out[start : start + len(flags)] = flags


def _size(block: Block, sums: Sequence[int]) -> int:
    return sums[block.end] - sums[block.start]
