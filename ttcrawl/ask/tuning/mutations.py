"""Changes of a text by a given share, with the similarity known from the change."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

#: Lines of words.
Lines: TypeAlias = list[list[str]]

#: lines, share of the words to change, words to insert -> the changed lines, number of unchanged words.
Mutation: TypeAlias = Callable[[Lines, float, Sequence[str], random.Random], tuple[Lines, int]]

_DATE = re.compile(r"\b(?:(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})\b")
_DIGIT = re.compile(r"\d")


def similarity(before: Lines, after: Lines, kept: int) -> float:
    """The number of unchanged words divided by the number of words in either text."""
    return kept / (_words(before) + _words(after) - kept)


def _words(lines: Lines) -> int:
    return sum(map(len, lines))


def _some(lines: Lines, share: float, chance: random.Random) -> set[int]:
    """Lines with about this share of the words."""
    wanted, taken = share * _words(lines), set()
    for place in chance.sample(range(len(lines)), len(lines)):
        if len(lines[place]) <= wanted + 1:
            taken.add(place)
            wanted -= len(lines[place])
        if wanted <= 0:
            break
    return taken


def words_inserted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    changed = [list(line) for line in lines]
    for _ in range(max(1, round(share * _words(lines)))):
        line = chance.choice(changed)
        line.insert(chance.randrange(len(line) + 1), chance.choice(words))
    return changed, _words(lines)


def words_deleted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    gone = _places(lines, share, chance)
    changed = [[word for at, word in enumerate(line) if (row, at) not in gone] for row, line in enumerate(lines)]
    return changed, _words(lines) - len(gone)


def words_replaced(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    places = _places(lines, share / 2, chance)  # each is one word less and one more
    changed, kept = [list(line) for line in lines], _words(lines)
    for row, at in sorted(places):
        word = chance.choice(words)
        kept -= word != changed[row][at]
        changed[row][at] = word
    return changed, kept


def _places(lines: Lines, share: float, chance: random.Random) -> set[tuple[int, int]]:
    every = [(row, at) for row, line in enumerate(lines) for at in range(len(line))]
    return set(chance.sample(every, min(len(every), max(1, round(share * len(every))))))


def lines_inserted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    chosen = _some(lines, share, chance)
    changed: Lines = []
    for place, line in enumerate(lines):
        changed.append(line)
        if place in chosen:
            changed.append(chance.choices(words, k=len(line)))
    return changed, _words(lines)


def lines_deleted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    gone = _some(lines, share, chance)
    changed = [line for place, line in enumerate(lines) if place not in gone]
    return changed, _words(changed)


def lines_reordered(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    """Exchanges lines with this share of the words; the words stay the same."""
    places = sorted(_some(lines, share, chance))
    turned, changed = chance.sample(places, len(places)), list(lines)
    for place, other in zip(places, turned, strict=True):
        changed[place] = lines[other]
    return changed, _words(lines)


def dates_changed(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    """Changes all years, dates and times of day; ignores `share`, because the number of dates is fixed."""
    kept, changed = 0, []
    for line in lines:
        others = [_DATE.sub(lambda found: _DIGIT.sub(lambda _: str(chance.randrange(10)), found[0]), it) for it in line]
        kept += sum(old == new for old, new in zip(line, others, strict=True))
        changed.append(others)
    return changed, kept


MUTATIONS: dict[str, Mutation] = {
    "words inserted": words_inserted,
    "words deleted": words_deleted,
    "words replaced": words_replaced,
    "lines inserted": lines_inserted,
    "lines deleted": lines_deleted,
    "lines reordered": lines_reordered,
    "dates changed": dates_changed,
}
