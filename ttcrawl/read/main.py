"""The main text: a page without its menus, headers, footers, cookie banners and the like.

Libraries are too slow for this (resiliparse takes 32 µs/KB, trafilatura 370). The page's own HTML, ARIA and schema.org
markup decides first: navigation, footers and the like are never main text, and the main element, the article or its
body is all of it. Classes and ids are next, then prose if there is no markup, and finally lines that consist of links.
These are guesses: they apply only if enough text outside links remains, so a menu longer than the text is still a menu.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import compress
from operator import mul

from ttcrawl.read.blocks import Part
from ttcrawl.read.landmarks import HEADING, MAIN
from ttcrawl.read.prose import prose
from ttcrawl.read.spans import LEAST, NOT, either, explicit, landmarks, named, sums, with_asides

_SIGNS = "|·•»›"
_BETWEEN_LINKS = re.compile(rf"\s*[{_SIGNS}«‹→←>/,:-]\s*")
_WORD = re.compile(r"\w")

#: Consecutive lines of links that form a menu: within the text, and at its start or end.
RUN, RUN_AT_END = 6, 2

LONGEST_MENU = 500  # characters of a line


def main_lines(lines: list[str], parts: Sequence[Part], anchors: Container[str]) -> list[str]:
    """The lines of the main text, from all `lines` and their parts; `anchors`: the anchor texts of the page."""
    lengths, links = list(map(len, lines)), _links(lines, anchors)
    headings = bytearray(len(lines))
    for part in parts:
        if part.kind == HEADING:  # a table of contents contains the same words as a link
            links[part.start : part.end] = bytes(part.end - part.start)
            headings[part.start : part.end] = b"\1" * (part.end - part.start)
    never = landmarks(parts, len(lines))
    text = sums(lengths, either(links, never))
    out = with_asides(never, parts, text) if text[-1] else never
    shown = list(map(mul, lengths, out.translate(NOT)))
    if out is not never or not text[-1]:
        text = sums(shown, links) if text[-1] else sums(shown, never)
    by, spans = explicit(parts, text, shown)
    spans = spans or named(parts, text)
    places: Sequence[int] = _places(out) if not spans else [at for span in spans for at in _places(out, *span)]
    if not spans:
        places = prose(places, lines, lengths, links, headings)
    shorter = places if by == MAIN else _without_menus(places, lines, links)  # links may be the subject of the page
    if _length(shorter, lengths) > LEAST * _length(places, lengths):
        places = shorter
    if not spans and _length(places, lengths) <= LEAST * LEAST * _length(_places(never), lengths):
        places = _places(never)
    return [lines[place] for place in places] if places else lines


def _places(without: bytearray, start: int = 0, end: int | None = None) -> list[int]:
    end = len(without) if end is None else end
    return list(compress(range(start, end), without[start:end].translate(NOT)))


def _length(places: Sequence[int], lengths: Sequence[int]) -> int:
    return sum(map(lengths.__getitem__, places))


def _links(lines: list[str], anchors: Container[str]) -> bytearray:
    """1 for each line that consists of links."""
    links = bytearray(map(anchors.__contains__, lines))
    text = "\n".join(lines)
    signs = [sign for sign in _SIGNS if sign in text]
    if signs:
        for place, line in enumerate(lines):
            if not links[place] and any(sign in line for sign in signs):
                links[place] = _all_links(line, anchors)
    return links


def _all_links(line: str, anchors: Container[str]) -> bool:
    """Whether a line consists of several links with signs between."""
    if len(line) > LONGEST_MENU:
        return False
    parts = [part for part in _BETWEEN_LINKS.split(line) if part]
    return len(parts) > 1 and all(part in anchors for part in parts)


def _without_menus(places: Sequence[int], lines: list[str], links: bytearray) -> list[int]:
    """The indexes of lines, without runs of lines that consist of links."""
    kept: list[int] = []
    run: list[int] = []
    count = 0
    for place in places:
        if links[place]:
            run.append(place)
            count += 1
        elif run and len(lines[place]) < 4 and not _WORD.search(lines[place]):
            run.append(place)
        else:
            if run:
                if count < (RUN if kept else RUN_AT_END):
                    kept += run
                run, count = [], 0
            kept.append(place)
    return kept if count >= RUN_AT_END else kept + run
