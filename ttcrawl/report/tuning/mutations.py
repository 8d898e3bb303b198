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


def similarity(before: Lines, after: Lines, unchanged: int) -> float:
    """The number of unchanged words divided by the number of words in either text."""
    return unchanged / (_words(before) + _words(after) - unchanged)


def _words(lines: Lines) -> int:
    return sum(map(len, lines))


def _sample_lines(lines: Lines, share: float, chance: random.Random) -> set[int]:
    """Lines with about this share of the words."""
    remaining, indexes = share * _words(lines), set()
    for index in chance.sample(range(len(lines)), len(lines)):
        if len(lines[index]) <= remaining + 1:
            indexes.add(index)
            remaining -= len(lines[index])
        if remaining <= 0:
            break
    return indexes


def words_inserted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    changed = [list(line) for line in lines]
    for _ in range(max(1, round(share * _words(lines)))):
        line = chance.choice(changed)
        line.insert(chance.randrange(len(line) + 1), chance.choice(words))
    return changed, _words(lines)


def words_deleted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    deleted = _sample_words(lines, share, chance)
    changed = [
        [word for column, word in enumerate(line) if (row, column) not in deleted] for row, line in enumerate(lines)
    ]
    return changed, _words(lines) - len(deleted)


def words_replaced(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    positions = _sample_words(lines, share / 2, chance)  # each is one word less and one more
    changed, unchanged = [list(line) for line in lines], _words(lines)
    for row, column in sorted(positions):
        word = chance.choice(words)
        unchanged -= word != changed[row][column]
        changed[row][column] = word
    return changed, unchanged


def _sample_words(lines: Lines, share: float, chance: random.Random) -> set[tuple[int, int]]:
    every = [(row, column) for row, line in enumerate(lines) for column in range(len(line))]
    return set(chance.sample(every, min(len(every), max(1, round(share * len(every))))))


def lines_inserted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    indexes = _sample_lines(lines, share, chance)
    changed: Lines = []
    for index, line in enumerate(lines):
        changed.append(line)
        if index in indexes:
            changed.append(chance.choices(words, k=len(line)))
    return changed, _words(lines)


def lines_deleted(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    deleted = _sample_lines(lines, share, chance)
    changed = [line for index, line in enumerate(lines) if index not in deleted]
    return changed, _words(changed)


def lines_reordered(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    """Exchanges lines with this share of the words; the words stay the same."""
    indexes = sorted(_sample_lines(lines, share, chance))
    turned, changed = chance.sample(indexes, len(indexes)), list(lines)
    for index, other in zip(indexes, turned, strict=True):
        changed[index] = lines[other]
    return changed, _words(lines)


def dates_changed(lines: Lines, share: float, words: Sequence[str], chance: random.Random) -> tuple[Lines, int]:
    """Changes all years, dates and times of day; ignores `share`, because the number of dates is fixed."""
    unchanged, changed = 0, []
    for line in lines:
        replaced = [
            _DATE.sub(lambda match: _DIGIT.sub(lambda _: str(chance.randrange(10)), match[0]), word) for word in line
        ]
        unchanged += sum(old == new for old, new in zip(line, replaced, strict=True))
        changed.append(replaced)
    return changed, unchanged


MUTATIONS: dict[str, Mutation] = {
    "words inserted": words_inserted,
    "words deleted": words_deleted,
    "words replaced": words_replaced,
    "lines inserted": lines_inserted,
    "lines deleted": lines_deleted,
    "lines reordered": lines_reordered,
    "dates changed": dates_changed,
}
