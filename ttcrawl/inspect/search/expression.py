"""The expressions of FTS5 for a query: exact, and wide with words of the same stem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ttcrawl.inspect.search.bigrams import is_plain, phrase_in_bigrams
from ttcrawl.inspect.search.query import Query

_PART = re.compile(r'(?P<column>\w+ : )?"(?P<words>[^"]*)"(?P<prefix> \*)?|\S+')


def exact(query: Query) -> str:
    """Return the expression for the words as they are written."""
    return " ".join(_term(match) if match["words"] else match[0] for match in _PART.finditer(query.match))


def wide(query: Query, others: Callable[[str], Sequence[str]]) -> tuple[str, list[str]]:
    """Return the expression with `others` of each word, and these words.

    Phrases, words in quotation marks, prefixes and what stands after NOT stay as they are.
    """
    parts: list[str] = []
    added: dict[str, None] = {}
    for match, excluded in _excluded(query.match):
        words = match["words"]
        if not words:
            parts.append(match[0])
        elif excluded or match["prefix"] or " " in words or words in query.quoted or not is_plain(words):
            parts.append(_term(match))
        elif same := others(words):
            added |= dict.fromkeys(same)
            parts.append(f"{match['column'] or ''}( {' OR '.join(_quoted(each) for each in (words, *same))} )")
        else:
            parts.append(_term(match))
    return " ".join(parts), list(added)


def _excluded(expression: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Each part of an expression, and whether it stands after NOT."""
    after_not, inside = False, 0  # inside: parentheses that are open since a NOT
    for match in _PART.finditer(expression):
        part = match[0]
        if inside or after_not:
            inside += (part == "(") - (part == ")")
        yield match, bool(inside or after_not)
        after_not = part == "NOT"


def _term(match: re.Match[str]) -> str:
    phrase, begins = phrase_in_bigrams(match["words"])
    return f"{match['column'] or ''}{_quoted(phrase)}{' *' if begins or match['prefix'] else ''}"


def _quoted(words: str) -> str:
    return f'"{words}"'
