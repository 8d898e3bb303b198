"""Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Khmer and Burmese. Hangul, whose words have
endings, is treated alike, as in Lucene's CJKAnalyzer.

FTS5 would take a run of such letters as one word. So the index has each two neighbors as a word, and the last letter
as one: "abc" is "ab bc c". A query for part of the run is a phrase: "ab bc", or "b*" for one letter.
"""

from __future__ import annotations

import re
from itertools import pairwise

import re2

from ttcrawl.inspect.search.folding import fold
from ttcrawl.web.unspaced import SOUTHEAST_ASIAN, UNSPACED

#: First and last code point: Southeast Asian scripts, Hangul, halfwidth Katakana, and those counted by letters.
_BLOCKS = (*SOUTHEAST_ASIAN, (0xAC00, 0xD7A3), (0xFF66, 0xFF9F), *UNSPACED)

#: Blocks up to here also have marks and punctuation, at which FTS5 splits.
_MIXED = 0x3200


def _letters() -> str:
    large = [f"{chr(first)}-{chr(last)}" for first, last in _BLOCKS if first >= _MIXED]
    mixed = [chr(code) for first, last in _BLOCKS if first < _MIXED for code in range(first, last + 1)]
    return "".join([*large, *(letter for letter in mixed if letter.isalnum())])


#: These letters, inside of [ ] in regular expressions.
LETTERS = _letters()

_ANY = re2.compile(f"[{LETTERS}]")
_RUN = re.compile(f"([{LETTERS}]+)")


def in_bigrams(text: str) -> str:
    """Return a text as it is indexed.

    >>> in_bigrams("SQLiteの全文検索")
    'SQLite の全 全文 文検 検索 索 '
    """
    if text.isascii() or not _ANY.search(text):
        return text
    return _RUN.sub(lambda match: f" {_bigrams(match[0])} ", text)


def indexed(text: str) -> str:
    """Return a text with the words that FTS5 is to find in it."""
    return in_bigrams(fold(text))


def phrase_in_bigrams(text: str) -> tuple[str, bool]:
    """Return the words of a query that stand in this order, and whether the last one is only the start of a word.

    >>> phrase_in_bigrams("全文検索")
    ('全文 文検 検索', False)
    """
    if is_plain(text):
        return text, False
    parts = _RUN.split(text)
    begins = not parts[-1].strip()  # with a run at the end, whose last letter may be followed by others
    run = parts[-2] if begins else ""
    before = " ".join(_bigrams(part) if number % 2 else part for number, part in enumerate(parts))
    if not begins:
        return " ".join(before.split()), False
    words = before.split()
    return " ".join(words[:-1] if len(run) > 1 else words), len(run) == 1


def is_plain(text: str) -> bool:
    """Whether a text has no letters of these scripts."""
    return text.isascii() or not _ANY.search(text)


def _bigrams(run: str) -> str:
    return " ".join([*map("".join, pairwise(run)), run[-1]])
