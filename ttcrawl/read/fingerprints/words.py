"""The words of a text as numbers.

Words are separated by white space, and each ideograph is a word. The number of a word is a polynomial in its code
points modulo 2^64 (Karp and Rabin 1987), mixed, since the low bits of such a sum depend on few inputs.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from ttcrawl.web.late import late
from ttcrawl.web.unspaced import UNSPACED

_BASE = 0x9E3779B97F4A7C15  # odd; any odd number without a pattern works
LONGEST = (1 << 14) - 1  # code points; the rest of a longer word is ignored
MASK = (1 << 64) - 1
_IDEOGRAPHS = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
#: The compiled core splits the words of a crawl: there these are not used.
_IDEOGRAPH = late(f"[{_IDEOGRAPHS}]")
_WORD = late(rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+")


class Words(Struct, frozen=True):
    """The numbers of the words of a text, by line; each line has at least one word."""

    lines: list[list[int]]

    def __len__(self) -> int:
        return sum(map(len, self.lines))


def split(text: str) -> Words:
    """The words of a text, and its lines: a line without a letter continues the previous one.

    The cells of a table are such lines. Alone they would mean little: two large tables of small numbers contain each
    number nearly equally often. A row joined to one line keeps its order.
    """
    lines: list[list[int]] = []
    for line in text.splitlines():
        if words := _WORD.findall(line):
            if not lines or _has_letter(line):
                lines.append([])
            lines[-1] += map(number, words)
    return Words(lines)


@lru_cache(maxsize=1 << 16)
def number(word: str) -> int:
    """The number of a word, 64 bits."""
    value = 0
    for character in reversed(word[:LONGEST]):
        value = (value * _BASE + ord(character)) & MASK
    return mixed(value)


def mixed(value: int) -> int:
    """Make each of 64 bits depend on all others: the finalizer of MurmurHash3 (fmix64)."""
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & MASK
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & MASK
    return value ^ value >> 33


def _has_letter(line: str) -> bool:
    """Whether one character is a letter or, assigned or not, in the range of ideographs."""
    return any(map(str.isalpha, line)) or _IDEOGRAPH.search(line) is not None
