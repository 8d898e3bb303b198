"""How a text changed: word by word, and as a unified diff. Pure, and nearly linear in the lengths of the texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import cache

from ttcrawl.snapshot.alignment import matching
from ttcrawl.web.unspaced import UNSPACED


@dataclass(frozen=True, slots=True, kw_only=True)
class WordChange:
    """Numbers of words."""

    same: int
    added: int
    removed: int

    @property
    def share(self) -> float:
        """The words that stayed over the words in either text; 1.0 for two texts without words."""
        total = self.same + self.added + self.removed
        return self.same / total if total else 1.0


class Alignment(SequenceMatcher[str]):
    """difflib's opcodes and groups of them, from blocks that are made in bounded time."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self.a = before
        self.b = after
        self.opcodes = None
        self._blocks = matching(before, after)

    def get_matching_blocks(self) -> list[Match]:
        return self._blocks


def words(text: str) -> list[str]:
    """The words as the crawl counts them: separated by white space, and each ideograph."""
    return _word().findall(text)


def word_change(before: str, after: str) -> WordChange:
    numbers: dict[str, int] = {}  # of words: texts have many that are equal, and few numbers take less memory
    old, new = (
        [numbers.setdefault(word[0], len(numbers)) for word in _word().finditer(each)] for each in (before, after)
    )
    same = sum(block.size for block in matching(old, new))
    return WordChange(same=same, added=len(new) - same, removed=len(old) - same)


def unified(before: str, after: str) -> Iterator[str]:
    """The changed lines with three lines around them, in the format of diff -u without the names of files."""
    old, new = before.split("\n"), after.split("\n")
    for group in Alignment(old, new).get_grouped_opcodes():
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, low, high, new_low, new_high in group:
            if tag == "equal":
                yield from (f" {line}" for line in old[low:high])
                continue
            yield from (f"-{line}" for line in old[low:high])
            yield from (f"+{line}" for line in new[new_low:new_high])


def _range(low: int, high: int) -> str:
    """Lines from `low` to before `high`, counted from 1; an empty range is named by the line before it."""
    length = high - low
    return str(low + 1) if length == 1 else f"{low + 1 if length else low},{length}"


@cache
def _word() -> re.Pattern[str]:
    ideographs = "".join(f"{chr(low)}-{chr(high)}" for low, high in UNSPACED)
    return re.compile(f"[{ideographs}]|[^\\s{ideographs}]+")
