"""Lines at the end of a terminal that are drawn again in their place, with control sequences of ECMA-48."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TextIO

from ttcrawl.output.terminal import ESCAPES, columns, terminal_width

HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"

#: Cursor up by so many lines (CUU), and everything from there erased (ED).
UP, ERASE = "\x1b[{}A", "\x1b[J"

#: The rest of a line erased (EL).
ERASE_LINE = "\x1b[K"


#: A bar where the encoding has these characters, and elsewhere.
LINES, ASCII = ("━", "╌"), ("#", "-")


class Redrawn:
    """The last lines of a terminal. Each of `draw` must fit its width, and all of them its height: what a terminal
    wraps or scrolls away stays there.
    """

    #: The one that stands on its terminal now.
    shown: ClassVar[Redrawn | None] = None

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._lines: Sequence[str] = ()
        self._width: int | None = None

    def draw(self, lines: Sequence[str]) -> None:
        """Each line is erased just before it is written again, so that nothing flickers; if there were more, or the
        terminal has another width now, all are erased first."""
        width = terminal_width(self.stream)
        same = len(lines) >= len(self._lines) and width == self._width
        begin = self._first() if same else self._erased()
        hide = "" if self._lines else HIDE_CURSOR
        self._write(begin + hide + "\n".join(f"{ERASE_LINE}{line}" for line in lines))
        self._lines, self._width = lines, width
        Redrawn.shown = self

    def clear(self) -> None:
        if self._lines:
            self._write(self._erased() + SHOW_CURSOR)
            self._lines, Redrawn.shown = (), None

    def above(self, line: str) -> None:
        self._write(f"{self._erased()}{line}\n" + "\n".join(self._lines))

    def _erased(self) -> str:
        return self._first() + ERASE * bool(self._lines)

    def _first(self) -> str:
        """To the beginning of the first line. A terminal that became narrower has wrapped what is wider."""
        if not self._lines:
            return ""
        width = terminal_width(self.stream) or self._width or 1
        rows = sum(max(1, -(-columns(ESCAPES.sub("", line)) // width)) for line in self._lines)
        return "\r" + (UP.format(rows - 1) if rows > 1 else "")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def print_line(line: str, stream: TextIO) -> None:
    """Print a line that stays, above what is drawn there."""
    shown = Redrawn.shown
    if shown is not None and shown.stream is stream:
        shown.above(line)
    else:
        print(line, file=stream, flush=True)


def bar(done: int, of: int, width: int, encoding: str = "utf-8") -> str:
    """A bar of `width` columns.

    >>> bar(7, 60, 20, "ascii"), bar(3, 4, 8)
    ('##------------------', '━━━━━━╌╌')
    """
    try:
        "".join(LINES).encode(encoding)
        full, empty = LINES
    except UnicodeEncodeError:
        full, empty = ASCII
    filled = width * min(done, of) // of
    return full * filled + empty * (width - filled)
