"""Colour on terminals, by the environment: https://no-color.org, https://force-color.org, https://bixense.com/clicolors.

Colours repeat what words say already. They are readable on light and on dark terminals: of the sixteen, yellow, white,
cyan and blue are not on one of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TextIO, TypeAlias

#: Regular expressions with ^ and $ for lines, and the style of their first group.
Styles: TypeAlias = Sequence[tuple[str, str]]

#: Graphic renditions (ECMA-48, SGR), and their end.
BOLD, RED, GREEN, MAGENTA = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[35m"
NORMAL = "\x1b[m"

#: TERM of terminals without control sequences.
DUMB = ("dumb", "unknown")

#: A heading of a help, and the names of an option in it.
_HEADING = re.compile(r"(?m)^(?!ttcrawl)[^\s:][^:\n]*:(?=\n|$)|^usage:")
_NAMES = re.compile(r"(?m)(?<=^  )-\S+(?:(?:, | [A-Z{]).*?)?(?=  |$)")


def has_colour(stream: TextIO) -> bool:
    """Whether what is printed there has colour. Off wins over on; a variable that is empty is not set."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return takes_escapes(stream) and os.environ.get("CLICOLOR") != "0"


def takes_escapes(stream: TextIO) -> bool:
    """Whether this is a terminal that can redraw lines and write bold."""
    return stream.isatty() and os.environ.get("TERM") not in DUMB


@contextmanager
def colour_of(words: Sequence[str]) -> Iterator[None]:
    """Let the environment say what --color says in a command line, also for processes that are started meanwhile."""
    when = "auto"
    for before, word in zip(("", *words), words, strict=False):
        if word.startswith("--color=") or before == "--color":
            when = word.removeprefix("--color=")
    changes = {"never": {"NO_COLOR": "1"}, "always": {"NO_COLOR": "", "FORCE_COLOR": "1"}}.get(when, {})
    earlier = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in earlier.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def painted(text: str, style: str, stream: TextIO) -> str:
    return f"{style}{text}{NORMAL}" if style and has_colour(stream) else text


def highlighted(text: str, styles: Styles, stream: TextIO) -> str:
    """A text in which what the expressions find stands out."""
    if has_colour(stream):
        for expression, style in styles:
            text = re.sub(expression, partial(_marked, style), text, flags=re.MULTILINE)
    return text


def _marked(style: str, match: re.Match[str]) -> str:
    """A match with its first group in a style."""
    start, end = match.start(1) - match.start(), match.end(1) - match.start()
    return f"{match[0][:start]}{style}{match[1]}{NORMAL}{match[0][end:]}"


def painted_help(text: str, stream: TextIO) -> str:
    """A help with bold headings and options."""
    if not has_colour(stream):
        return text
    bold = f"{BOLD}\\g<0>{NORMAL}"
    return _NAMES.sub(bold, _HEADING.sub(bold, text))
