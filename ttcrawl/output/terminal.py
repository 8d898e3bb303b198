"""Text on a terminal: how wide it is, and lines that fit. Columns are counted as in Unicode Standard Annex 11."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from msgspec import Struct

from ttcrawl.output.colour import Styles, highlighted
from ttcrawl.output.untrusted import escape_untrusted

#: Lines of a terminal that does not know.
UNKNOWN_HEIGHT = 24

#: A label and the blanks after it.
LABEL = re.compile(r" *\S+(?: \S+)*   *")

#: Sequences that change how text looks (ECMA-48, SGR).
ESCAPES = re.compile(r"\x1b\[[\d;]*m")


class Screen(Struct, frozen=True, kw_only=True):
    """What text is laid out for: lines of at most `width` columns (None: they stay complete), in an `encoding`."""

    width: int | None = None
    encoding: str = "utf-8"

    def printed(self, text: str) -> str:
        r"""The text with characters that the encoding lacks escaped, as stdout does it (`ttcrawl.cli`), but before its
        columns are counted.

        >>> print(Screen(encoding="ascii").printed("caf\u00e9"))
        caf\xe9
        """
        return text.encode(self.encoding, "backslashreplace").decode(self.encoding)

    @property
    def ellipsis(self) -> str:
        return "…" if self.printed("…") == "…" else "..."


#: A file or a pipe in UTF-8.
ANYWHERE = Screen()


def screen() -> Screen:
    """Of stdout."""
    return Screen(width=terminal_width(), encoding=sys.stdout.encoding or "utf-8")


def terminal_width(stream: TextIO | None = None) -> int | None:
    """Columns of the terminal behind a stream (stdout), or COLUMNS.

    None: it is a file or a pipe, whose lines stay complete.
    """
    stream = sys.stdout if stream is None else stream
    if stream.closed or not stream.isatty():
        return None
    setting = os.environ.get("COLUMNS", "")
    if setting.isdecimal() and int(setting):
        return int(setting)
    return os.get_terminal_size(stream.fileno()).columns or None  # 0: a terminal that does not know


def terminal_height(stream: TextIO) -> int:
    """Lines of the terminal behind a stream, or LINES."""
    setting = os.environ.get("LINES", "")
    if setting.isdecimal() and int(setting):
        return int(setting)
    return os.get_terminal_size(stream.fileno()).lines or UNKNOWN_HEIGHT


def columns(text: str) -> int:
    """How many columns `text` takes: two for a wide character, none for a mark on the one before.

    >>> columns("caf\u00e9"), columns("cafe\u0301"), columns("\u65e5\u672c")
    (4, 4, 4)
    """
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def shortened(line: str, longest: int, ellipsis: str = "…") -> str:
    """A line of at most `longest` columns, with an ellipsis for an end that is cut off.

    >>> shortened("abc", 3), shortened("abcd", 3), shortened("abcde", 4, "...")
    ('abc', 'ab\u2026', 'a...')
    """
    if columns(line) <= longest:
        return line
    return (line[: _within(line, longest - len(ellipsis))] + ellipsis)[: max(longest, 0)]


def ending(text: str, width: int) -> str:
    """The end of a text that fits into `width` columns.

    >>> ending("abc", 2), ending("abc", 9), ending("abc", 0)
    ('bc', 'abc', '')
    """
    return text[len(text) - _within(reversed(text), width) :]


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text with blanks up to `width` columns: behind it, or before it (`right`)."""
    blank = " " * (width - columns(text))
    return blank + text if right else text + blank


def _within(characters: Iterable[str], width: int) -> int:
    """How many characters, from the first one, fit into `width` columns."""
    number = taken = 0
    for character in characters:
        taken += _columns_of(character)
        if taken > width:
            break
        number += 1
    return number


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fold(text: str, width: int) -> list[str]:
    """The lines of `text` in at most `width` columns, broken at blanks, and inside a word that is wider.

    >>> fold("two words, http://a.example/b", 10)
    ['two words,', 'http://a.e', 'xample/b']
    """
    indent = text[: len(text) - len(text.lstrip(" "))]
    words = [piece for word in text.split() for piece in _pieces(word, max(1, width - len(indent)))]
    return [indent + line for line in fold_parts(words, max(1, width - len(indent)), " ")] or [""]


def fold_parts(parts: Sequence[str], width: int, gap: str) -> list[str]:
    """Join parts by `gap` into lines of at most `width` columns; a part that is wider has its own line."""
    return [gap.join(parts[line]) for line in lines_of(list(map(columns, parts)), width, len(gap))]


def lines_of(widths: Sequence[int], width: int, gap: int) -> Iterator[slice]:
    """Which of the parts with these widths stand on each line.

    >>> list(lines_of([3, 3, 9, 1], 8, gap=2))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    start, taken = 0, 0
    for index, each in enumerate(widths):
        if index > start and taken + gap + each > width:
            yield slice(start, index)
            start, taken = index, 0
        taken += each + gap * (index > start)
    if widths:
        yield slice(start, len(widths))


def show(text: str, form: str = "text", styles: Styles = ()) -> None:
    """Print lines on stdout; on a terminal, what is wider continues under its beginning, but not in JSON. `styles`: of
    what stands out in a text."""
    width = terminal_width() if form != "json" else None
    text = highlighted(text, styles if form == "text" else (), sys.stdout)
    print(text if width is None else "\n".join(each for line in text.split("\n") for each in _fitting(line, width)))


def show_line(text: str) -> None:
    """Print a line that may hold text from the web."""
    print(escape_untrusted(text))


def _fitting(line: str, width: int) -> list[str]:
    """The lines of one that may be too wide, with all of its blanks. A URL stays complete, so that it can be copied."""
    plain = ESCAPES.sub("", line)
    label = LABEL.match(plain)
    indent = label.end() if label else len(plain) - len(plain.lstrip(" ")) + 2
    margin = " " * (indent if indent <= width // 2 else 2)
    lines, taken = [""], 0
    for word in re.findall(" *[^ ]+", line):
        wide = columns(ESCAPES.sub("", word))
        if taken and taken + wide > width:
            word = margin + word.lstrip(" ")
            lines.append("")
            taken, wide = 0, columns(ESCAPES.sub("", word))
        lines[-1] += word
        taken += wide
    return lines


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word in pieces of at most `width` columns; a mark stays with its character."""
    start, taken = 0, 0
    for position, character in enumerate(word if columns(word) > width else ""):
        wide = _columns_of(character)
        if taken and taken + wide > width:
            yield word[start:position]
            start, taken = position, 0
        taken += wide
    yield word[start:]
