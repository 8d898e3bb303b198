"""The query language: words, phrases, AND, OR, NOT, parentheses, prefixes, title: and filters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from ttcrawl.errors import UsageError
from ttcrawl.inspect.search.folding import fold

#: Filters, and how other search engines call them.
FILTERS = {name: name for name in ("host", "url", "lang", "type", "after", "before")} | {"site": "host", "inurl": "url"}
TITLE = ("title", "intitle")

#: Words, phrases and filters of a query, and parentheses inside of each other. FTS5 takes minutes for thousands.
MOST_TERMS, MOST_NESTED = 100, 20

_TOKEN = re.compile(
    r"""(?:(?P<mark>[()])|(?P<minus>(?<![^\s(])-(?=["\w]))?"""
    r"""(?:(?P<filter>[a-z]+):(?P<value>"[^"]*"|[^\s()]+)|(?P<phrase>"[^"]*"?)|(?P<word>[^\s()"]+)))"""
)
_OPERATORS = ("AND", "OR", "NOT")

HELP = (
    'write words, "phrases", prefix*, -word, AND, OR, NOT, parentheses, title:word,'
    " and host: url: lang: type: after: before:"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """`match`: an expression of FTS5, "" without words. `words`: folded words and (with * at the end) prefixes.

    `quoted`: words that stand alone in quotation marks, and so have no other forms. `filters`: (name,
    value); a name that begins with - excludes.
    """

    match: str
    words: tuple[str, ...]
    filters: tuple[tuple[str, str], ...] = field(default=())
    quoted: tuple[str, ...] = field(default=())


def with_filters(words: str, filters: Mapping[str, str]) -> str:
    """A query with filters behind its words; those that are empty are left out.

    >>> with_filters("web", {"host": "a.test", "lang": ""})
    'web host:"a.test"'
    """
    named = (f'{name}:"{value}"' for name, each in filters.items() if (value := each.replace('"', "")))
    return " ".join(filter(None, (words, *named)))


def parse(text: str) -> Query:
    """Read a query. Words without an operator must all occur. Raises UsageError.

    >>> parse('web "crawl delay" host:a.test -spider').match
    '( "web" AND "crawl delay" ) NOT "spider"'
    """
    parts: list[str] = []
    excluded: list[str] = []
    words: list[str] = []
    filters: list[tuple[str, str]] = []
    quoted: list[str] = []
    text = text.encode("utf-8", "replace").decode()  # bytes of the command line that are not UTF-8
    for match in _TOKEN.finditer(text):
        name, value = match["filter"], (match["value"] or "").strip('"')
        if name in FILTERS:
            filters.append(((match["minus"] or "") + FILTERS[name], _checked(name, value)))
        elif match["mark"] or match["word"] in _OPERATORS:
            parts.append(match["mark"] or match["word"])
        elif term := _term(_words_of(match), "title : " if name in TITLE else ""):
            (excluded if match["minus"] else parts).append(term[0])
            words += [] if match["minus"] else term[1]
            quoted += term[1] if match["phrase"] and len(term[1]) == 1 else []
        if len(parts) + len(excluded) > 3 * MOST_TERMS or len(words) + len(filters) > MOST_TERMS:
            raise UsageError(f"the query is too long: write at most {MOST_TERMS} words and filters")
    return Query(
        match=_without(_joined(parts, text), excluded, text),
        words=tuple(dict.fromkeys(words)),
        filters=tuple(filters),
        quoted=tuple(dict.fromkeys(quoted)),
    )


def _words_of(match: re.Match[str]) -> str:
    """The words of a term, after title: and without the minus."""
    if match["filter"] in TITLE:
        return match["value"]
    return match["phrase"] or match[0].removeprefix(match["minus"] or "")


def _without(expression: str, excluded: list[str], text: str) -> str:
    """Raises UsageError if nothing is left from which words can be excluded."""
    if not excluded:
        return expression
    if not expression:
        raise UsageError(f"{text!r} only excludes: write words that pages must have")
    return f"( {expression} ) {' '.join(f'NOT {each}' for each in excluded)}"


def _term(text: str, column: str) -> tuple[str, list[str]] | None:
    """A word or phrase as FTS5 reads it, and its folded words; None if it has no letters or digits."""
    prefix = text.endswith("*") and not text.startswith('"')
    words = re.findall(r"\w+", fold(text).replace("_", " "))
    if not words:
        return None
    last = [words[-1] + "*"] if prefix else [words[-1]]
    return f'{column}"{" ".join(words)}"{" *" if prefix else ""}', [*words[:-1], *last]


def _joined(parts: list[str], text: str) -> str:
    """The expression, with AND between terms. Raises UsageError if operators or parentheses have no operands."""
    joined: list[str] = []
    open_ = 0
    operand = False  # whether an operand has just ended
    for part in parts:
        if part in _OPERATORS or part == ")":
            if not operand:
                raise UsageError(f"{text!r} is not a query: {part} stands without words before it; {HELP}")
            open_ -= part == ")"
            operand = part == ")"
        else:
            joined += ["AND"] if operand else []
            open_ += part == "("
            if open_ > MOST_NESTED:
                raise UsageError(f"the query has more than {MOST_NESTED} parentheses inside of each other")
            operand = part != "("
        if open_ < 0:
            break
        joined.append(part)
    if open_ or (joined and not operand):
        raise UsageError(f"{text!r} is not a query: parentheses or words are missing; {HELP}")
    return " ".join(joined)


def _checked(name: str, value: str) -> str:
    if name in ("after", "before"):
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:
            raise UsageError(f"{name}:{value} is not a day: write {name}:2026-01-31") from None
    if not value:
        raise UsageError(f"{name}: has no value; {HELP}")
    return value.lower()
