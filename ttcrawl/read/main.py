"""The main text: a page without its menus, headers, footers, cookie banners and the like.

No library does this in the time that there is (resiliparse takes 32 µs/KB, trafilatura 370). What a page says of itself
in the words of HTML, ARIA and schema.org decides: navigation, footers and the like are never main text, and the main
element, the article or its body is all of it. Next are classes and ids, then prose, where nothing is said, and at last
lines that are nothing but links. These are guesses: they count as far as enough is left, measured in text that is no
link, so that a menu that is longer than the text is still a menu.
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

#: Lines of links one after the other that are a menu: within the text, and at its beginning or end.
RUN, RUN_AT_END = 6, 2

LONGEST_MENU = 500  # characters of a line


def main_lines(lines: list[str], parts: Sequence[Part], anchors: Container[str]) -> list[str]:
    """The lines of the main text, of all `lines` and their parts; `anchors`: the texts of the links of the page."""
    lengths, links = list(map(len, lines)), _links(lines, anchors)
    headings = bytearray(len(lines))
    for part in parts:
        if part.kind == HEADING:  # a table of contents has the same words as a link
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
    shorter = places if by == MAIN else _without_menus(places, lines, links)  # a list of links may be all it is about
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
    """1 for each line that is nothing but links."""
    links = bytearray(map(anchors.__contains__, lines))
    text = "\n".join(lines)
    signs = [sign for sign in _SIGNS if sign in text]
    if signs:
        for place, line in enumerate(lines):
            if not links[place] and any(sign in line for sign in signs):
                links[place] = _all_links(line, anchors)
    return links


def _all_links(line: str, anchors: Container[str]) -> bool:
    """Several links in one line, with signs between."""
    if len(line) > LONGEST_MENU:
        return False
    parts = [part for part in _BETWEEN_LINKS.split(line) if part]
    return len(parts) > 1 and all(part in anchors for part in parts)


def _without_menus(places: Sequence[int], lines: list[str], links: bytearray) -> list[int]:
    """The places of lines without runs of those that are nothing but links."""
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
