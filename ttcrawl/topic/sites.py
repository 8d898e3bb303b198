"""Sites that always pass, whatever their score: a file of regular expressions for URLs, one a line.

As in Combine's sitesOK.txt: empty lines and lines that begin with # are comments; an expression may match anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import re2

from ttcrawl.errors import UsageError
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.topic.regex import options, problem

#: Maximum bytes of all patterns in one expression.
MOST = 8 << 20

#: Errors that are reported at once.
ERRORS = 10


class Sites:
    """Patterns of URLs."""

    def __init__(self, patterns: Sequence[str], *, compatible: bool = False) -> None:
        self._patterns = _compiled(patterns)
        self._compatible = compatible

    def match(self, urls: Iterable[str]) -> bool:
        """Whether one of the URLs of a page matches. Combine compares the URLs in one text, each followed by ", "."""
        texts = ["".join(f"{url}, " for url in urls)] if self._compatible else list(urls)
        return any(pattern.search(text) is not None for pattern in self._patterns for text in texts)


def _compiled(patterns: Sequence[str]) -> list[Any]:
    """Compile to one expression: a search costs the same for one pattern as for a hundred.

    Patterns that cannot be joined, such as two with groups of one name, stay separate.
    """
    settings = options(MOST)
    try:
        return [re2.compile("|".join(f"(?:{pattern})" for pattern in patterns), settings)] if patterns else []
    except re2.error:
        return [re2.compile(pattern, settings) for pattern in patterns]


def read_sites(text: str, file: str, *, compatible: bool = False) -> Sites:
    """Read the patterns. Raises UsageError with line and column; `compatible` leaves out those that RE2 lacks."""
    patterns: list[str] = []
    errors: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        if (wrong := problem(pattern)) is None:
            patterns.append(pattern)
        elif not compatible:
            column = line.index(pattern) + wrong[1] + 1
            errors.append(escape_untrusted(f"{file}, line {number}, column {column}: {wrong[0]}"))
    if errors:
        more = [f"and {counted(len(errors) - ERRORS, 'more error')}"] if len(errors) > ERRORS else []
        raise UsageError("; ".join([*errors[:ERRORS], *more]))
    return Sites(patterns, compatible=compatible)
