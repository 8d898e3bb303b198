"""Words that no page has, and the nearest ones that pages have: "did you mean".

A near word differs by one letter: missing, added, replaced, or exchanged with its neighbor, as most misspellings do
(Damerau, CACM 7, 1964).
"""

from __future__ import annotations

from collections.abc import Iterator

from ttcrawl.inspect.search.bigrams import is_plain
from ttcrawl.inspect.search.query import Query
from ttcrawl.store.database import Database

#: Letters of a word that are enough to tell what was meant, and that are not too many.
SHORTEST, LONGEST = 4, 40

#: Words of a query that are corrected, and letters that may be meant: a word in more alphabets is none.
MOST_WORDS, MOST_LETTERS = 5, 500

_LATIN = "abcdefghijklmnopqrstuvwxyz"
#: Letters before and after one of another alphabet that may stand in its place.
_NEIGHBORS = 40

_PAGES = "SELECT doc FROM terms WHERE term = ?"
_BEGINS = "SELECT 1 FROM terms WHERE term >= ? AND term < ? LIMIT 1"


def corrections(db: Database, query: Query) -> list[tuple[str, str]]:
    """(word of the query that no page has, the nearest word that most pages have or "")."""
    unknown = [word for word in query.words if is_plain(word) and not _exists(db, word)]
    near = [*(_nearest(db, word) for word in unknown[:MOST_WORDS]), *[""] * len(unknown[MOST_WORDS:])]
    return [(word.removesuffix("*"), each) for word, each in zip(unknown, near, strict=True)]


def _exists(db: Database, word: str) -> bool:
    if word.endswith("*"):
        return db.execute(_BEGINS, (word[:-1], f"{word[:-1]}\U0010ffff")).fetchone() is not None
    return _pages(db, word) > 0


def _pages(db: Database, word: str) -> int:
    row = db.execute(_PAGES, (word,)).fetchone()
    return row[0] if row else 0


def _nearest(db: Database, word: str) -> str:
    letters = _alphabet(word)
    if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()) or len(letters) > MOST_LETTERS:
        return ""
    pages = {each: _pages(db, each) for each in dict.fromkeys(_edits(word, letters))}
    best = max(pages, key=lambda each: pages[each], default="")
    return best if pages.get(best) else ""


def _edits(word: str, letters: str) -> Iterator[str]:
    """All words that differ by one letter."""
    for index in range(len(word) + 1):
        before, after = word[:index], word[index:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in letters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in letters)


def _alphabet(word: str) -> str:
    """The letters that may be meant: Latin, or those near the letters of the word in Unicode."""
    if word.isascii():
        return _LATIN
    codes = {code for letter in word for code in range(ord(letter) - _NEIGHBORS, ord(letter) + _NEIGHBORS + 1)}
    return "".join(chr(code) for code in sorted(codes) if code > 0x7F and chr(code).isalpha())
