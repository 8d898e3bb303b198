"""The words of a page without dates and times: a page that shows another date at each visit has not changed.

By form alone, so in any language that writes dates in digits, or with the name of a month between two numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import xxhash

from ttcrawl.recrawl.visible import counted
from ttcrawl.web.ignored import NOTHING, Ignored, compile_ignored
from ttcrawl.web.late import late
from ttcrawl.web.line import Line

_MONTH = r"[^\W\d_]{3,12}\.?"

#: The day of the week, or any other word before a date.
_DAY = r"(?:\b[^\W\d_]{2,12}\.?,? )?"

_DATES = late(
    "|".join(
        (
            r"\b\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b",
            r"\b\d{1,2}[./] ?\d{1,2}[./] ?(?:\d{4}|\d{2})\b",
            rf"{_DAY}\b\d{{1,2}}(?:st|nd|rd|th|er|\.)? (?:de |of )?{_MONTH},? (?:de )?\d{{4}}\b",
            rf"{_DAY}\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b",
            r"\b\d{4}年 ?\d{1,2}月 ?\d{1,2}日",
            r"\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?",
            r"\b\d{1,2}\.\d{2} (?:Uhr|h)\b",
            r"\b\d+ (?:second|minute|hour|day|week)s? ago\b",
            r"\b1\d{9}(?:\d{3})?\b",  # seconds or milliseconds of Unix
        )
    ),
    re.IGNORECASE,
)

#: Characters that are looked at: as many as of a text that is kept.
LONGEST = 1 << 20


def undated(text: str) -> str:
    """Return a text without its dates and times, in single spaces.

    >>> undated("Updated on 23 November 2026 at 08:30:15, 2 hours ago: 17 new")
    'Updated at , : 17 new'
    """
    return " ".join(_DATES.sub(" ", text[:LONGEST]).split())


def content_digest(title: str, main: str, ignored: Ignored = NOTHING) -> bytes:
    """Return the digest of what a reader would call the contents of a page; equal digests: it has not changed."""
    seen = f"{undated(counted(title, ignored))}\n{undated(counted(main[:LONGEST], ignored))}"
    return xxhash.xxh3_128_digest(seen.encode("utf-8", "replace"))


def digester(ignore: Sequence[Line]) -> Callable[[str, str], bytes]:
    """Return `content_digest` of a title and a main text, by lines of [revisit] ignore. Raises ValueError."""
    ignored = compile_ignored(ignore)
    return lambda title, main: content_digest(title, main, ignored)
