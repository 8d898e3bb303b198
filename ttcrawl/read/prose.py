"""The main text of a page that says nothing of itself: the lines in a row with the most prose and the fewest links.

It is the run of lines with the greatest sum of scores, as Pasternack and Roth find articles ("Extracting article text
from the web with maximum subsequence segmentation", 2009), with scores that are not learned. Documentation has little
prose and many short lines; so nothing is cut off unless the run is prose and what is cut off has links.
"""

from __future__ import annotations

from collections.abc import Sequence

#: Characters of a line of prose; of one in a script of which a character is a syllable or a word.
PROSE, WIDE = 80, 30

#: Bytes of UTF-8 a character, from which on a script is such a one: those of Chinese, Japanese, Korean and Thai have 3.
BYTES = 2.4

#: What a line counts: prose its characters up to MOST, a link and another short line less than nothing.
MOST, LINK, SHORT = 300, -80, -15

#: Of the prose of the page, at least, that is in the run; of the characters of the run, that are in lines of prose; of
#: the lines that are cut off before or behind it, that are links.
SHARE, DENSE, LINKED = 0.5, 0.8, 0.2


def prose(
    places: Sequence[int], lines: Sequence[str], lengths: Sequence[int], links: bytearray, headings: bytearray
) -> Sequence[int]:
    """Those of the places of lines that are the main text: all, if it does not look like an article."""
    scores = [LINK if links[place] else _score(lines[place], lengths[place]) for place in places]
    best = score = 0
    begin = start = end = 0
    for index, counts in enumerate(scores):
        if score <= 0:
            score, begin = 0, index
        score += counts
        if score > best:
            best, start, end = score, begin, index + 1
    inside = places[start:end]
    long = sum(lengths[place] for place, counts in zip(inside, scores[start:end], strict=True) if counts > 0)
    total = sum(counts for counts in scores if counts > 0)
    if best <= SHARE * total or long < DENSE * sum(lengths[place] for place in inside):
        return places
    start = _with_headings(places, start, links, headings)
    if sum(links[place] for place in places[:start]) < LINKED * start:
        start = 0
    if sum(links[place] for place in places[end:]) < LINKED * (len(places) - end):
        end = len(places)
    return places[start:end]


def _with_headings(places: Sequence[int], start: int, links: bytearray, headings: bytearray) -> int:
    """From the first heading on, of the lines before `start` behind the last link."""
    at = start
    while at and not links[places[at - 1]]:
        at -= 1
        if headings[places[at]]:
            start = at
    return start


def _score(line: str, length: int) -> int:
    if length >= PROSE:
        return min(length, MOST)
    if length >= WIDE and not line.isascii() and len(line.encode("utf-8", "replace")) > BYTES * length:
        return length * PROSE // WIDE
    return SHORT
