"""XML 1.0, written element by element."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

#: Characters that XML 1.0 cannot have (section 2.2).
_FORBIDDEN = "\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff"
_ANY_FORBIDDEN = re.compile(f"[{_FORBIDDEN}]")
#: Characters that a text, or the value of an attribute, cannot have as they are. Most have none.
_OF_TEXT = re.compile(f"[&<>{_FORBIDDEN}]")
_OF_ATTRIBUTE = re.compile(f'[&<>"\t\n\r{_FORBIDDEN}]')


def element(name: str, text: str, indent: int = 0, /, **attributes: str) -> str:
    """Return an element on a line of its own; "" without a text.

    >>> element("url", "http://a.test/?a&b", 2)
    '  <url>http://a.test/?a&amp;b</url>\\n'
    """
    if not text or text.isspace():
        return ""
    if _OF_TEXT.search(text):
        text = escape(_plain(text))
    return f"{' ' * indent}<{name}{attributes_of(attributes)}>{text}</{name}>\n"


def attributes_of(attributes: dict[str, str]) -> str:
    return "".join([f" {name}={_quoted(value)}" for name, value in attributes.items()]) if attributes else ""


def _quoted(value: str) -> str:
    return quoteattr(_plain(value)) if _OF_ATTRIBUTE.search(value) else f'"{value}"'


def group(name: str, content: str, indent: int = 0, /, **attributes: str) -> str:
    """Return an element with elements inside; "" if there are none."""
    if not content:
        return ""
    return f"{' ' * indent}<{name}{attributes_of(attributes)}>\n{content}{' ' * indent}</{name}>\n"


def _plain(text: str) -> str:
    return _ANY_FORBIDDEN.sub(" ", text)
