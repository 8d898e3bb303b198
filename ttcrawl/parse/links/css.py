"""url(), image-set() and @import in style sheets, style elements and style attributes.

Tokens follow CSS Syntax Level 3 as far as URLs require: comments and strings are recognized, and url() without quotes
ends as in section 4.3.6. tinycss2 gives the same result in some hundred times the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ttcrawl.web.late import late

MOST, MANY = 10_000, 100_000  # maximum URLs per style, and maximum of what is replaced

_COMMENT = r"/\*.*?(?:\*/|\Z)"
_BLANK = rf"(?:[ \t\n\r\f]|{_COMMENT})*+"
_IN_QUOTES = r"(?:[^%s\\\n\r\f]++|\\(?:\r\n|.|\Z))*+"
_DOUBLE, _SINGLE = _IN_QUOTES % '"', _IN_QUOTES % "'"
_STRING = rf"""(?:"({_DOUBLE})(?:"|\Z)|'({_SINGLE})(?:'|\Z))"""
_HEX = r"[0-9a-fA-F]{1,6}+(?:\r\n|[ \t\n\r\f])?+"
_BARE = rf"""((?:[^"'()\\ \t\n\r\f\x00-\x08\x0b\x0e-\x1f\x7f]++|\\(?:{_HEX}|[^\n\r\f]))*+)"""
_EXPRESSION = (
    rf"{_COMMENT}"
    rf"|(?i:@import)(?![\w\\-]){_BLANK}{_STRING}"
    rf"|(?<![\w\\-])(?i:url)\([ \t\n\r\f]*+(?:{_STRING}|{_BARE})[ \t\n\r\f]*+(?:\)|\Z)"
    r"|(?i:@namespace)(?![\w\\-])[^;{]*+"  # its URL is a name
    rf'|"{_DOUBLE}"?+'
    rf"|'{_SINGLE}'?+"
)
_TOKEN = late(_EXPRESSION, re.DOTALL)
#: For styles with image-set(), whose strings are URLs unless they are in a function of their own: type("image/avif").
_SETS = late(rf"""{_EXPRESSION}|(?<![\w-])(?P<function>[\w-]*+)\(|(?P<end>\))|[{{}};]""", re.DOTALL)
_IMAGE_SET = frozenset(("image-set", "-webkit-image-set"))
#: What begins a tag, a comment or a declaration in HTML.
_TAG = late("<(?=[A-Za-z/!?])")
_SPECIAL = late(r'[\\"<\x00-\x1f]')
_ESCAPE = late(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|(\r\n|[\n\r\f])|(.)|\Z)", re.DOTALL)


def urls(css: str) -> list[str]:
    """The URL references in document order; references within the style's own document (#mark) are left out.

    >>> urls("@import 'a'; b { background: url( c\\\\29 .png ) } /* url(d) */ e::after { content: 'url(f)' }")
    ['a', 'c).png']
    """
    references: list[str] = []
    if not may_refer(css):
        return references
    for value in _in_sets(css) if "image-set(" in css.lower() else _in_tokens(css):
        value = _unescaped(value)
        if value and not value.startswith("#"):
            references.append(value)
            if len(references) == MOST:
                break
    return references


def _in_tokens(css: str) -> Iterator[str]:
    return (next((group for group in token.groups() if group), "") for token in _TOKEN.finditer(css))


def _in_sets(css: str) -> Iterator[str]:
    return (value for _, value in _in_functions(css) if value is not None)


def _in_functions(css: str) -> Iterator[tuple[re.Match[str], str | None]]:
    """Each token, and the URL in it, "" or None if there is none."""
    functions: list[str] = []  # around the token
    for token in _SETS.finditer(css):
        text = token[0]
        value = None
        if text in ("{", "}", ";"):
            functions.clear()
        elif token["end"]:
            functions[-1:] = []
        elif token["function"] is not None:
            functions.append(token["function"].lower())
        elif text[0] in "\"'":
            if functions and functions[-1] in _IMAGE_SET:
                value = text[1:].removesuffix(text[0])
        else:
            value = next((group for group in token.groups() if group), "")
        yield token, value


def with_urls(css: str, new: Callable[[str], str]) -> str:
    """The style with `new(reference)` in place of its URL references, and without comments; in HTML it begins no tag.
    It ends after MANY URLs, comments and strings that change.

    >>> with_urls("@import 'a'; b { background: url(c) } /* d */ e::after { content: 'f>' }", str.upper)
    '@import "A"; b { background: url("C") }   e::after { content: \\'f>\\' }'
    """
    pieces: list[str] = []
    done = 0
    for token, value in _in_functions(css):
        if (text := _replaced(token[0], value, new)) != token[0]:
            pieces += _TAG.sub("< ", css[done : token.start()]), text
            done = token.end()
            if len(pieces) > 2 * MANY:
                return "".join(pieces)
    return "".join((*pieces, _TAG.sub("< ", css[done:])))


def _replaced(token: str, value: str | None, new: Callable[[str], str]) -> str:
    if token.startswith("/*"):
        return " "
    if token[0] in "\"'":
        inside = token[1:].removesuffix(token[0])
        return f'"{_quoted(new(_unescaped(inside)))}"' if value is not None else token.replace("<", "\\3c ")
    if not value:
        return token
    reference = _unescaped(value)
    shown = _quoted(reference if reference.startswith("#") else new(reference))
    return f'@import "{shown}"' if token[0] == "@" else f'url("{shown}")'


def _quoted(text: str) -> str:
    """Inside double quotes."""
    return _SPECIAL.sub(lambda character: f"\\{ord(character[0]):x} ", text)


def _unescaped(value: str) -> str:
    return (_ESCAPE.sub(_character, value) if "\\" in value else value).strip(" \t\n\r\f")


def may_refer(css: str) -> bool:
    """Whether there may be URL references; most styles of elements have none."""
    lower = css.lower()
    return "url" in lower or "@import" in lower or "image-set(" in lower


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[3] or ""
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"
