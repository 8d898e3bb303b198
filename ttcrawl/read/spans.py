"""The lines of the main text, by the marked elements of a page: excluded lines, and the spans that remain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter, mul

from ttcrawl.read.blocks import Part
from ttcrawl.read.landmarks import ARTICLE, ASIDE, BODY, HEADER, LANDMARK, MAIN, NAMED, TITLE

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


def landmarks(parts: Sequence[Part], count: int) -> bytearray:
    """1 for each of `count` lines that are not main text according to HTML or ARIA."""
    out = bytearray(count)
    mains, content, titles = (_counts(parts, kinds) for kinds in (MAIN, MAIN + ARTICLE + BODY, TITLE))
    inside = bytearray(len(parts))
    for index in outermost(parts, MAIN + ARTICLE + BODY):
        inside[parts[index].first : index] = b"\1" * (index - parts[index].first)
    for index, part in enumerate(parts):
        if part.kind == LANDMARK and mains[index] == mains[part.first]:
            _leave_out(out, part)
        elif part.kind == HEADER and content[index] == content[part.first]:
            if titles[index] == titles[part.first]:
                _leave_out(out, part)
            elif not inside[index]:  # the title in a site's header stays
                kept = [(each, out[each.start : each.end]) for each in parts[part.first : index] if each.kind == TITLE]
                _leave_out(out, part)
                for each, before in kept:
                    out[each.start : each.end] = before
    return out


def with_asides(out: bytearray, parts: Sequence[Part], text: Sequence[int]) -> bytearray:
    """Also exclude asides by class or id; `text`: sums of text that is neither excluded nor a link."""
    asides = [index for index, part in enumerate(parts) if part.kind == ASIDE]
    if not asides:
        return out
    out = out[:]
    content = _counts(parts, MAIN + ARTICLE + BODY + TITLE)
    for index in asides:
        part = parts[index]
        if content[index] == content[part.first] and not _wraps(index, parts, text):
            _leave_out(out, part)
    return out


def _wraps(index: int, parts: Sequence[Part], text: Sequence[int]) -> bool:
    """Whether an aside contains most of the text, and no element named as main text is outside it."""
    part = parts[index]
    if _size(part, text) < MOST * text[-1]:
        return False
    if any(each.kind == NAMED and each.start < each.end for each in parts[part.first : index]):
        return True
    around = (parts[each] for each in outermost(parts, NAMED))
    return all(
        _size(each, text) == (_size(part, text) if each.start <= part.start and part.end <= each.end else 0)
        for each in around
    )


def explicit(parts: Sequence[Part], text: Sequence[int], shown: Sequence[int]) -> tuple[str, list[Span]]:
    """The source (HTML, ARIA or schema.org) and the spans of the main text; no spans without such markup.

    `text`: sums of text that is neither excluded nor a link; `shown`: the characters of each line, 0 if it is excluded.
    """
    by, spans = "", list[Span]()
    least = LEAST * text[-1]
    mains = [part for part in parts if part.kind == MAIN and part.start < part.end]
    if mains:
        of_each = [(_size(part, text), sum(shown[part.start : part.end])) for part in mains]
        (size, visible), main = max(zip(of_each, mains, strict=True), key=itemgetter(0))
        placeholder = visible <= PLACEHOLDER and main.end - main.start == 1
        if visible and (size > least or not placeholder):
            by, spans, least = MAIN, [(main.start, main.end)], DOMINANT * size
    for kind in (ARTICLE, BODY):
        if len(spans) > 1:
            break
        start, end = spans[0] if spans else (0, len(shown))
        found = [parts[index] for index in outermost(parts, kind)]
        found = [part for part in found if start <= part.start and part.end <= end]
        sizes = [_size(part, text) for part in found]
        if sum(sizes) <= least:
            continue
        if max(sizes) > DOMINANT * sum(sizes):  # the others are comments, or teasers of other pages
            found = [found[sizes.index(max(sizes))]]
        elif kind == BODY:
            continue
        by, spans = kind, [(part.start, part.end) for part in found]
        least = DOMINANT * sum(_size(part, text) for part in found)
    return by, spans


def named(parts: Sequence[Part], text: Sequence[int]) -> list[Span]:
    """The span of the main text by a class or id; none if it contains too little text."""
    found = max((part for part in parts if part.kind == NAMED), key=lambda part: _size(part, text), default=None)
    return [] if found is None or _size(found, text) <= LEAST * text[-1] else [(found.start, found.end)]


def outermost(parts: Sequence[Part], kinds: str) -> list[int]:
    """The indexes of parts of some kinds that are inside no other of these kinds, in document order."""
    found: list[int] = []
    index = len(parts)
    while index:
        index -= 1
        if parts[index].kind in kinds and parts[index].start < parts[index].end:
            found.append(index)
            index = parts[index].first
    return found[::-1]


def _counts(parts: Sequence[Part], kinds: str) -> list[int]:
    """Number of non-empty parts of some kinds before each index: a part contains the parts from its `first` on."""
    return list(accumulate((part.kind in kinds and part.start < part.end for part in parts), initial=0))


def _leave_out(out: bytearray, part: Part) -> None:
    out[part.start : part.end] = b"\1" * (part.end - part.start)


def _size(part: Part, sums: Sequence[int]) -> int:
    return sums[part.end] - sums[part.start]
