"""Pages on a terminal, and the keys for an answer."""

from __future__ import annotations

import sys
import termios
import textwrap
import tty
from collections.abc import Sequence
from dataclasses import dataclass
from shutil import get_terminal_size

from ttcrawl.inspect.search.snippet import snippet
from ttcrawl.output.untrusted import escape_untrusted

YES, NO, SKIP, UNDO, MORE, QUIT = "y", "n", "s", "u", "m", "q"

KEYS = "[y] relevant  [n] not  [s] skip  [u] undo  [m] more text  [q] quit"

#: Words of the text that are shown, and with MORE.
WORDS, MORE_WORDS = 60, 600

#: Widest lines, in columns.
WIDTH = 100

#: A terminal sends it for Ctrl-D.
END = "\x04"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page as it is shown. `words`: those that count in it; the text is shown around them."""

    url: str
    title: str
    text: str
    words: Sequence[str]
    verdict: str  # of the model, or why the page is asked


class Terminal:
    """Reads keys without Enter and without an echo while it is open. Other input than a terminal is read as it is."""

    def __enter__(self) -> Terminal:
        self._before = termios.tcgetattr(sys.stdin) if sys.stdin.isatty() else None
        if self._before is not None:
            tty.setcbreak(sys.stdin)  # Ctrl-C still interrupts
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def show(self, page: Shown, head: str, *, more: bool = False) -> None:
        text = snippet(page.text, page.words, str, MORE_WORDS if more else WORDS)
        width = min(WIDTH, get_terminal_size().columns)
        lines = [
            "",
            head,
            f"  {escape_untrusted(page.title) or '(no title)'}",
            f"  {escape_untrusted(page.url)}",
            *textwrap.wrap(escape_untrusted(text), width, initial_indent="    ", subsequent_indent="    "),
            *([f"  {escape_untrusted(page.verdict)}"] if page.verdict else []),
            KEYS,
        ]
        print("\n".join(lines), flush=True)

    def confirm(self, question: str) -> bool:
        print(question, flush=True)
        return self.key(YES + NO) == YES

    def key(self, keys: str) -> str:
        """Return the first of `keys` that is pressed, or QUIT at the end of the input."""
        while True:
            pressed = sys.stdin.read(1).lower()
            if pressed in ("", END):
                return QUIT
            if pressed in keys:
                return pressed
