"""Event handlers that set a location: onclick="location.href='next.html'" and <a href="javascript:...">.

Only a string literal that is the complete value counts: computed values are not guessed. The script is tokenized, so
that comments, strings and templates yield no links.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from ttcrawl.web.late import late

MOST = 10  # maximum locations per handler
LONGEST = 10_000  # characters of a handler that are read

_BLANK = r"[ \t\n\r\f]*+"
_STRING = r"""(?:"((?:[^"\\\n\r]++|\\.)*+)"|'((?:[^'\\\n\r]++|\\.)*+)')"""
_OWNER = r"(?:(?:window|document|self|top|parent)\.)*+"
_END = rf"(?={_BLANK}(?:[;,)}}\n]|//|/\*|\Z))"
_TOKEN = late(
    r"//[^\n\r]*+|/\*.*?(?:\*/|\Z)"
    rf"|(?<![\w$.]){_OWNER}location(?:\.href)?+{_BLANK}={_BLANK}{_STRING}{_END}"
    rf"|(?<![\w$.]){_OWNER}location\.(?:assign|replace){_BLANK}\({_BLANK}{_STRING}(?={_BLANK}[,)])"
    rf"|(?<![\w$.])window\.open{_BLANK}\({_BLANK}{_STRING}(?={_BLANK}[,)])"
    r"|\b(?:var|let|const)\s++location\b"  # a variable of the script
    r"""|"(?:[^"\\\n\r]++|\\.)*+"?+|'(?:[^'\\\n\r]++|\\.)*+'?+|`(?:[^`\\]++|\\.)*+`?+""",
    re.DOTALL,
)
_ESCAPE = late(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|(\r\n|[\n\r\u2028\u2029])|(.))", re.DOTALL
)
_CONTROL_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_SCHEME = late("[\x00-\x20]*+" + "[\t\n\r]*+".join("javascript:"), re.IGNORECASE)


#: The usual spellings of the chosen option's value in a <select>.
_CHOSEN = (
    r"(?:this|(?:(?:this|document)\.)?+form\.\w++)(?:\.options)?+(?:\[(?:\w++\.)*+selectedIndex\])?+\.value"
    rf"(?={_BLANK}(?:[;,)}}\n]|//|/\*|\Z))"
)
_JUMP = late(
    r"//[^\n\r]*+|/\*.*?(?:\*/|\Z)"
    rf"|(?P<jump>(?<![\w$.]){_OWNER}location(?:\.href)?+{_BLANK}={_BLANK}{_CHOSEN}"
    rf"|(?<![\w$.]){_OWNER}location\.(?:assign|replace){_BLANK}\({_BLANK}{_CHOSEN}"
    rf"|(?<![\w$.])window\.open{_BLANK}\({_BLANK}{_CHOSEN}"
    # from an editor of 1997 that wrote the menus of many pages
    rf"|(?<![\w$.])MM_jumpMenu{_BLANK}\({_BLANK}{_STRING}{_BLANK},{_BLANK}this{_BLANK}[,)])"
    r"""|"(?:[^"\\\n\r]++|\\.)*+"?+|'(?:[^'\\\n\r]++|\\.)*+'?+|`(?:[^`\\]++|\\.)*+`?+""",
    re.DOTALL,
)


def goes_to_choice(handler: str) -> bool:
    """Whether the onchange handler of a <select> goes to the URL in the value of the chosen option.

    >>> goes_to_choice("if (this.value) location.href = this.options[this.selectedIndex].value")
    True
    """
    if "location" not in handler and "open" not in handler and "jumpMenu" not in handler:
        return False
    return any(token["jump"] for token in _JUMP.finditer(handler[:LONGEST]))


def is_choice(value: str) -> bool:
    """Whether the value of an option is a URL reference, not the title line of the menu."""
    return value.strip() not in ("", "#")


def locations(script: str) -> list[str]:
    """The URL references that a handler goes to, at most MOST.

    >>> locations("if (confirm('location=\\"no\\"')) window.location = '/yes'; // location='no'")
    ['/yes']
    """
    targets: list[str] = []
    if "location" not in script and "open" not in script:
        return targets
    for token in _TOKEN.finditer(script[:LONGEST]):
        value = next((group for group in token.groups() if group), "")
        if value and len(targets) < MOST:
            targets.append(_ESCAPE.sub(_character, value) if "\\" in value else value)
    return targets


def in_href(href: str) -> list[str]:
    """The locations of a javascript: URL, [] for any other URL."""
    scheme = _SCHEME.match(href)
    return locations(unquote(href[scheme.end() :][:LONGEST])) if scheme else []


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2] or escape[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"
    return "" if escape[4] else _CONTROL_CHARACTERS.get(escape[5], escape[5])
