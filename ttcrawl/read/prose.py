"""The main text of a page or article without markup for it: the run of lines with the most prose and fewest links.

It is the run of lines with the greatest sum of scores, as in the article extraction by Pasternack and Roth ("Extracting
article text from the web with maximum subsequence segmentation", 2009), but the scores are not learned. Documentation
has little prose and many short lines. So lines are removed only if the run is prose and the removed lines contain
links.
"""

from __future__ import annotations

from collections.abc import Sequence

#: Characters of a line of prose; fewer for scripts in which a character is a syllable or a word.
PROSE, WIDE = 80, 30

#: UTF-8 bytes per character from which a script is of this kind: Chinese, Japanese, Korean and Thai characters have 3.
BYTES = 2.4

#: Scores of a line: prose counts its characters up to MOST; a link and any other short line have negative scores.
MOST, LINK, SHORT = 300, -80, -15

#: Minimum score of the run: less prose may be the introduction to a list.
ENOUGH = 400

#: Minimum fractions: of the page's prose in the run; of the run's characters in lines of prose; of links in the lines
#: removed before or after it.
SHARE, DENSE, LINKED = 0.5, 0.8, 0.2


def prose(
    indexes: Sequence[int], lines: Sequence[str], lengths: Sequence[int], links: bytearray, headings: bytearray
) -> Sequence[int]:
    """The indexes of lines in the main text: all, if the page does not resemble an article."""
    scores = [LINK if links[number] else _score(lines[number], lengths[number]) for number in indexes]
    best = score = 0
    begin = start = end = 0
    for index, counts in enumerate(scores):
        if score <= 0:
            score, begin = 0, index
        score += counts
        if score > best:
            best, start, end = score, begin, index + 1
    inside = indexes[start:end]
    long = sum(lengths[number] for number, counts in zip(inside, scores[start:end], strict=True) if counts > 0)
    total = sum(counts for counts in scores if counts > 0)
    if best <= max(ENOUGH, SHARE * total) or long < DENSE * sum(lengths[number] for number in inside):
        return indexes
    start = _with_headings(indexes, start, links, headings)
    if sum(links[number] for number in indexes[:start]) < LINKED * start:
        start = 0
    if sum(links[number] for number in indexes[end:]) < LINKED * (len(indexes) - end):
        end = len(indexes)
    return indexes[start:end]


def _with_headings(indexes: Sequence[int], start: int, links: bytearray, headings: bytearray) -> int:
    """Extend the run back to the first heading between the last link and `start`."""
    first = start
    while first and not links[indexes[first - 1]]:
        first -= 1
        if headings[indexes[first]]:
            start = first
    return start


def _score(line: str, length: int) -> int:
    if length >= PROSE:
        return min(length, MOST)
    if length >= WIDE and not line.isascii() and len(line.encode("utf-8", "replace")) > BYTES * length:
        return length * PROSE // WIDE
    return SHORT


def is_prose(line: str, length: int) -> bool:
    """Whether the line is long enough for a sentence of an article."""
    return _score(line, length) > 0
