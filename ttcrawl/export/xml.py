"""XML 1.0, written element by element."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

#: Characters that XML 1.0 cannot have (section 2.2).
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def element(name: str, text: str, indent: int = 0, /, **attributes: str) -> str:
    """Return an element on a line of its own; "" without a text.

    >>> element("url", "http://a.test/?a&b", 2)
    '  <url>http://a.test/?a&amp;b</url>\\n'
    """
    if not text.strip():
        return ""
    return f"{' ' * indent}<{name}{attributes_of(attributes)}>{escape(_plain(text))}</{name}>\n"


def attributes_of(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(_plain(value))}" for name, value in attributes.items())


def group(name: str, content: str, indent: int = 0, /, **attributes: str) -> str:
    """Return an element with elements inside; "" if there are none."""
    if not content:
        return ""
    return f"{' ' * indent}<{name}{attributes_of(attributes)}>\n{content}{' ' * indent}</{name}>\n"


def _plain(text: str) -> str:
    return _FORBIDDEN.sub(" ", text)
