"""What does not count as a change of a page: the lines of [revisit] ignore.

A line is `regex:EXPRESSION` (RE2: linear in the text for any expression), searched in the title and in the lines of the
main text, or `css:SELECTOR`, whose elements are left out of the main text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import re2
from msgspec import Struct

from ttcrawl.web.late import late
from ttcrawl.web.line import Line

REGEX, CSS = "regex:", "css:"

#: Bytes of a compiled expression.
MAX_MEMORY = 8 << 20

#: What is not a combinator in a selector: texts, attributes, and blanks around other signs.
_OPAQUE = late(r"\"[^\"]*\"|'[^']*'|\[[^\]]*\]")
_AROUND = late(r"\s*([>+,()])\s*")
#: What takes a step for each element beside or above, on each element: too slow for large pages.
_SLOW = late(r"~|:has\(|:nth-|\s(?=.*\s)")


class Ignored(Struct, frozen=True):
    """`selector`: of the elements that are left out; "" for none."""

    patterns: tuple[re.Pattern[str], ...] = ()
    selector: str = ""

    def without(self, text: str) -> str:
        """Return a text without what the patterns match, and then without empty lines."""
        if not self.patterns:
            return text
        for pattern in self.patterns:
            text = pattern.sub(" ", text)
        return "\n".join(line for line in text.split("\n") if line and not line.isspace())


NOTHING = Ignored()


def compile_ignored(lines: Sequence[Line]) -> Ignored:
    """Raises ValueError for the first line that is wrong."""
    patterns, selectors = [], []
    for line in lines:
        try:
            if line.text.startswith(REGEX):
                patterns.append(_pattern(line.text.removeprefix(REGEX)))
            elif line.text.startswith(CSS):
                selectors.append(_selector(line.text.removeprefix(CSS).strip()))
            else:
                raise ValueError(f"write {REGEX}EXPRESSION or {CSS}SELECTOR")
        except ValueError as error:
            position = f", {line.position}" if line.position else ""
            raise ValueError(f"ignore{position}: {line.text}: {error}") from None
    return Ignored(tuple(patterns), ", ".join(selectors))


def _pattern(text: str) -> re.Pattern[str]:
    settings = re2.Options()
    settings.max_mem, settings.log_errors = MAX_MEMORY, False
    try:
        pattern: re.Pattern[str] = re2.compile(f"(?m:{unicodedata.normalize('NFC', text)})", settings)
    except re2.error as error:
        message = error.args[0] if error.args else ""
        message = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
        raise ValueError(f"{message} (RE2 has no look-around and no back-references)") from None
    if pattern.search("") is not None:
        raise ValueError("it matches the empty text, so it would match everywhere")
    return pattern


def _selector(text: str) -> str:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError  # the crawl process needs it for nothing else

    try:
        LexborHTMLParser("").css(text)
    except SelectolaxError:
        raise ValueError(f"{text or 'nothing'} is not a CSS selector") from None
    bare = _AROUND.sub(r"\1", _OPAQUE.sub("", text))
    if any(map(_SLOW.search, bare.split(","))):
        raise ValueError(
            "it may take too long on large pages: write at most one blank between elements (> and + as you like), and"
            " no ~, :has() or :nth-...()"
        )
    return text
