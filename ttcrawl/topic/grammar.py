"""The grammar of term lists, one term a line:

    WEIGHT: TERM = CLASS, CLASS

WEIGHT is a number, which may be negative. TERM is a word, a phrase, a regular expression, or several of these with @and
between them. Lines that begin with # and empty lines are comments. Every error has its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from ttcrawl.errors import UsageError
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.topic.regex import is_regex, lowered, problem
from ttcrawl.topic.terms import AND, Term, TermList
from ttcrawl.topic.words import joined

#: Characters of a line, and errors that are reported at once.
LONGEST, ERRORS = 4000, 10

#: With larger weights, sums of points may be infinite.
HEAVIEST = 1e12

_WEIGHT = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*:\s*")
_AND = re.compile(rf"(?<!\S){AND}(?!\S)", re.IGNORECASE)
_EXAMPLE = "write for example 40: pitcher plant=CP"


class TermListError(UsageError):
    """A term list that cannot be used; the message is one line with the first errors."""


@dataclass(frozen=True, slots=True)
class _Wrong(Exception):
    """An error in a line, and where it is."""

    message: str
    column: int  # from 0


def read(text: str, file: str, stop_words: Collection[str] = (), encoding: str = "utf-8") -> TermList:
    """Read a term list. Raises TermListError with all its errors, up to a limit."""
    terms: dict[tuple[tuple[str, ...], tuple[str, ...]], Term] = {}
    errors: list[str] = []
    wrong = 0
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        try:
            term = _term(line.rstrip(), number, stop_words)
            if term is None:
                continue
            earlier = terms.setdefault((term.needles, term.classes), term)
            if earlier.weight != term.weight:
                raise _Wrong(f"this term has weight {earlier.weight:g} in line {earlier.line}: delete one", 0)
        except _Wrong as error:
            wrong += 1
            if len(errors) < ERRORS:
                errors.append(f"{file}, line {number}, column {error.column + 1}: {error.message}")
    if wrong > len(errors):
        errors.append(f"and {counted(wrong - len(errors), 'more error')}")
    if errors:
        raise TermListError(escape_untrusted("; ".join(errors)))
    if not terms:
        raise TermListError(f"{escape_untrusted(file)} has no terms: {_EXAMPLE}")
    return TermList(terms=tuple(terms.values()), stop_words=frozenset(stop_words), encoding=encoding)


def _term(line: str, number: int, stop_words: Collection[str]) -> Term | None:
    """The term of a line, None for a comment. Raises _Wrong."""
    if not line.strip() or line.lstrip().startswith("#"):
        return None
    if len(line) > LONGEST:
        raise _Wrong(f"the line is longer than {LONGEST:,} characters", LONGEST)
    if (control := re.search(r"[\x00-\x08\x0e-\x1f\x7f]", line)) is not None:
        raise _Wrong(f"a control character ({control[0]!r})", control.start())
    weight = _WEIGHT.match(line)
    if weight is None:
        raise _Wrong(f"a line begins with a number and a colon: {_EXAMPLE}", len(line) - len(line.lstrip()))
    if abs(float(weight[1])) > HEAVIEST:
        raise _Wrong(f"the weight is not between {-HEAVIEST:g} and {HEAVIEST:g}", weight.start(1))
    text, equals, classes = line[weight.end() :].partition("=")
    if not equals:
        raise _Wrong(f"the classes are missing: {_EXAMPLE}", len(line))
    needles = tuple(dict.fromkeys(_needles(text, weight.end(), stop_words)))
    return Term(
        text=" ".join(text.split()),
        weight=float(weight[1]),
        classes=_classes(classes, weight.end() + len(text) + 1),
        line=number,
        needles=needles,
    )


def _needles(text: str, column: int, stop_words: Collection[str]) -> list[str]:
    """The components of a term, folded as the words of a page. Raises _Wrong."""
    needles: list[str] = []
    start = 0
    for match in [*_AND.finditer(text), None]:
        end = match.start() if match else len(text)
        piece = text[start:end]
        first = column + start + len(piece) - len(piece.lstrip())
        needles.append(_needle(piece.strip(), first, stop_words))
        start = match.end() if match else end
    return needles


def _needle(piece: str, column: int, stop_words: Collection[str]) -> str:
    if not piece:
        raise _Wrong(f"a term is missing: {_EXAMPLE}", column)
    if (slip := re.search(rf"{AND}", piece, re.IGNORECASE)) is not None:
        raise _Wrong(f"{AND} stands between two blanks", column + slip.start())
    if not is_regex(piece):
        words = joined(piece, stop_words)
        if not words or not any(each.isalnum() for each in words):
            raise _Wrong(f"{piece} has no word that could match (punctuation and stop words do not)", column)
        return words
    pattern = lowered(" ".join(piece.split()))
    if (found := problem(piece) or problem(pattern)) is not None:
        raise _Wrong(found[0], column + found[1])
    return pattern


def _classes(text: str, column: int) -> tuple[str, ...]:
    classes: list[str] = []
    for piece in text.split(","):
        name = piece.strip()
        start = column + len(piece) - len(piece.lstrip())
        if not name:
            raise _Wrong(f"a class is missing: {_EXAMPLE}", start)
        if "=" in name:
            raise _Wrong("a class has no =; write \\x3d for one in a regular expression", start + name.index("="))
        if not all(name.split(".")):
            raise _Wrong(f"{name}: a level is missing beside a dot (CP.Drosera is below CP)", start)
        classes.append(name)
        column += len(piece) + 1
    return tuple(dict.fromkeys(classes))
