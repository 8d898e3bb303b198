"""The words of a page as PostgreSQL's tsvector, and queries for it. Words are as in search.db.

PostgreSQL's own parser reads URLs, numbers with signs and words with hyphens as one word each, so words are found
here, as FTS5 does it: letters and digits, folded as in search.db, and bigrams of scripts without spaces between words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ttcrawl.errors import UsageError
from ttcrawl.inspect.search.bigrams import indexed

#: Of title, headings, anchor texts and text: letters of PostgreSQL, and how much a word counts there.
LETTERS = "ACBD"
WEIGHTS = (0.1, 0.4, 0.6, 1.0)  # of D, C, B, A

#: Limits of PostgreSQL: the last position, positions of a word, bytes in all, and characters of a word (2,046 bytes).
LAST, MOST, LARGEST, LONGEST = 16_383, 255, 1_000_000, 500

_WORD = re.compile(r"[^\W_]+")
_TERM = re.compile(r'(?P<title>title : )?"(?P<phrase>[^"]*)"(?P<prefix> \*)?|(?P<mark>AND|OR|NOT|[()])|(?P<other>\S+)')
_MARKS = {"AND": "&", "OR": "|", "NOT": "& !"}


def words(text: str) -> list[str]:
    """Return the words of a folded text.

    >>> words("united_states, 2.5")
    ['united', 'states', '2', '5']
    """
    return [word[:LONGEST] for word in _WORD.findall(text)]


def vector(columns: Sequence[str]) -> str:
    """Return the words of title, headings, anchor texts and text as a tsvector is written.

    >>> vector(("A b", "", "", "b a"))
    "'a':1A,7D 'b':2A,6D"
    """
    positions: dict[str, list[str]] = {}
    last = 0
    for letter, text in zip(LETTERS, columns, strict=True):
        of_column = words(indexed(text))
        numbered = max(0, LAST - last)
        for position, word in enumerate(of_column[:numbered], last + 1):
            positions.setdefault(word, []).append(f"{position}{letter}")
        for word in dict.fromkeys(of_column[numbered:]):
            positions.setdefault(word, [f"{LAST}{letter}"])
        last += len(of_column) + 1  # so that no phrase begins in one column and ends in the next
    return " ".join(_fitting(positions))


def _fitting(positions: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The first words, as many as a tsvector can have."""
    size = 0
    for word, of_word in positions.items():
        size += len(word.encode()) + 4 + 2 * min(len(of_word), MOST)
        if size > LARGEST:
            return
        yield f"'{word}':{','.join(of_word[:MOST])}"


def tsquery(match: str) -> str:
    """Return an expression of FTS5, as `ttcrawl.inspect.search.expression.exact` makes it, as a tsquery.

    Raises UsageError.

    >>> tsquery('title : "web" AND ("crawl delay" OR "cr" *) NOT "a_b"')
    "'web':A & (('crawl' <-> 'delay') | 'cr':*) & !('a' <-> 'b')"
    """
    parts = []
    for term in _TERM.finditer(match):
        if term["other"] is not None:
            raise UsageError(f"{term['other']} cannot be searched in PostgreSQL")
        if term["mark"]:
            parts.append(_MARKS.get(term["mark"], term["mark"]))
        else:
            parts.append(_phrase(term["phrase"], prefix=bool(term["prefix"]), title=bool(term["title"])))
    return re.sub(r"(?<=[(!]) | (?=\))", "", " ".join(parts))


def _phrase(phrase: str, *, prefix: bool, title: bool) -> str:
    letter = LETTERS[0] if title else ""
    terms = [f"'{word}'{':' if letter else ''}{letter}" for word in words(phrase)]
    if not terms:
        return "' '"  # which no page has
    if prefix:
        terms[-1] = f"'{words(phrase)[-1]}':*{letter}"
    text = " <-> ".join(terms)
    return f"({text})" if len(terms) > 1 else text
