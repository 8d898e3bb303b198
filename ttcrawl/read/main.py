"""The main text: a page without its menus, headers, footers, cookie banners and the like.

Libraries are too slow for this (resiliparse takes 32 µs/KB, trafilatura 370). The page's own HTML, ARIA and schema.org
markup decides first: navigation, footers and the like are never main text, and the main element, the article or its
body is all of it. Classes and ids are next, then prose without markup, and finally lines that consist of links.
These are guesses: they apply only if enough text outside links remains, so a menu longer than the text is still a menu.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import compress
from operator import mul

from msgspec import Struct

from ttcrawl.read.blocks import Block
from ttcrawl.read.landmarks import ASIDE, ASIDE_ELEMENT, BOX, HEADING, MAIN, TITLE
from ttcrawl.read.prose import is_prose, prose
from ttcrawl.read.spans import LEAST, NOT, by_name, either, explicit, landmarks, sums, with_asides

_SIGNS = (*"|·•»›", "][", "] [")
_BETWEEN_LINKS = re.compile(r"\s*[]|·•»›[«‹→←>/,:-]\s*")
_WORD = re.compile(r"\w")

#: Consecutive lines of links that form a menu: within the text, and at its start or end.
RUN, RUN_AT_END = 6, 2

#: Characters of links for each of text from which a page with a heading is an index.
INDEX = 2

LONGEST_MENU = 500  # characters of a line


class MainText(Struct, frozen=True):
    lines: list[str]
    candidates: list[str]  # lines outside landmarks that are not links


def main_text(lines: list[str], blocks: Sequence[Block], anchors: Container[str]) -> MainText:
    """The main text, from all `lines` and their parts; `anchors`: the anchor texts of the page."""
    lengths, links = list(map(len, lines)), _links(lines, anchors)
    headings, asides, title_end = bytearray(len(lines)), bytearray(len(lines)), 0
    for block in blocks:
        if block.kind in (ASIDE, BOX, ASIDE_ELEMENT):
            asides[block.start : block.end] = b"\1" * (block.end - block.start)
        elif block.kind == HEADING:  # a table of contents contains the same words as a link
            links[block.start : block.end] = bytes(block.end - block.start)
            headings[block.start : block.end] = b"\1" * (block.end - block.start)
        elif block.kind == TITLE:  # also by its name, but not a link, which may be the name of the site
            headings[block.start : block.end] = links[block.start : block.end].translate(NOT)
            title_end = max(title_end, block.end)
    never = landmarks(blocks, lines)
    left_out = either(links, never)
    candidates = list(compress(lines, left_out.translate(NOT)))
    text = sums(lengths, left_out)
    out = with_asides(never, blocks, text, lambda: _prose(lines, lengths, links, never)) if text[-1] else never
    shown = list(map(mul, lengths, out.translate(NOT)))
    if out is not never or not text[-1]:
        text = sums(shown, links) if text[-1] else sums(shown, never)
    by, spans = explicit(blocks, text, shown)
    spans = spans or by_name(blocks, text)
    indexes: Sequence[int] = _indexes(out) if not spans else [index for span in spans for index in _indexes(out, *span)]
    if by != MAIN and not _is_index(indexes, lengths, links, headings, asides):  # links may be the subject of the page
        if by or not spans:  # documentation in an element with a name has lists of links with short descriptions
            indexes = prose(indexes, lines, lengths, links, headings)
        indexes = _from_heading(indexes, lengths, links, headings)
        shorter = _without_menus(indexes, lines, links, headings, title_end if spans and title_end else len(lines))
        if _length(shorter, lengths) > LEAST * _length(indexes, lengths):
            indexes = shorter
    if not spans and _length(indexes, lengths) <= LEAST * LEAST * _length(_indexes(never), lengths):
        indexes = _indexes(never)
    return MainText([lines[index] for index in indexes] if indexes else lines, candidates)


def _prose(lines: list[str], lengths: list[int], links: bytearray, never: bytearray) -> tuple[list[int], list[int]]:
    """Sums of the characters in lines of prose, and in links."""
    long = [length if is_prose(line, length) else 0 for line, length in zip(lines, lengths, strict=True)]
    return sums(long, either(links, never)), sums(list(map(mul, lengths, links)), never)


def _is_index(
    indexes: Sequence[int], lengths: list[int], links: bytearray, headings: bytearray, asides: bytearray
) -> bool:
    """Whether the page is a list of links: most of it is links outside of asides, and no menu is before its heading."""
    before = 0
    for index in indexes:
        if headings[index]:
            linked = sum(lengths[each] for each in indexes if links[each] > asides[each])
            return linked > INDEX * (_length(indexes, lengths) - linked)
        before += links[index]
        if before >= RUN_AT_END:
            return False
    return False


def _indexes(without: bytearray, start: int = 0, end: int | None = None) -> list[int]:
    end = len(without) if end is None else end
    return list(compress(range(start, end), without[start:end].translate(NOT)))


def _length(indexes: Sequence[int], lengths: Sequence[int]) -> int:
    return sum(map(lengths.__getitem__, indexes))


def _links(lines: list[str], anchors: Container[str]) -> bytearray:
    """1 for each line that consists of links."""
    links = bytearray(map(anchors.__contains__, lines))
    text = "\n".join(lines)
    signs = [sign for sign in _SIGNS if sign in text]
    if signs:
        for index, line in enumerate(lines):
            if not links[index] and any(sign in line for sign in signs):
                links[index] = _all_links(line, anchors)
    return links


def _all_links(line: str, anchors: Container[str]) -> bool:
    """Whether a line consists of several links with signs between."""
    if len(line) > LONGEST_MENU:
        return False
    pieces = [piece for piece in _BETWEEN_LINKS.split(line) if piece]
    return len(pieces) > 1 and all(piece in anchors for piece in pieces)


def _from_heading(
    indexes: Sequence[int], lengths: Sequence[int], links: bytearray, headings: bytearray
) -> Sequence[int]:
    """The indexes of lines, without the lines before the first heading if most of their text is links."""
    linked = others = 0
    for position, index in enumerate(indexes):
        if headings[index]:
            return indexes[position:] if linked > others else indexes
        if links[index]:
            linked += lengths[index]
        else:
            others += lengths[index]
    return indexes


def _without_menus(
    indexes: Sequence[int], lines: list[str], links: bytearray, headings: bytearray, title_end: int
) -> list[int]:
    """The indexes of lines, without runs of lines of links, but with lists under a heading after the title."""
    remaining: list[int] = []
    run: list[int] = []
    count = 0
    for index in indexes:
        if links[index]:
            run.append(index)
            count += 1
        elif run and len(lines[index]) < 4 and not _WORD.search(lines[index]):
            run.append(index)
        else:
            if run:
                is_list = remaining and remaining[-1] >= title_end and headings[remaining[-1]]
                if is_list or count < (RUN if remaining else RUN_AT_END):
                    remaining += run
                run, count = [], 0
            remaining.append(index)
    return remaining if count >= RUN_AT_END else remaining + run
