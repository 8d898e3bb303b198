"""The name of a file according to the server, else to its URL."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from ttcrawl.web.fields import text_of
from ttcrawl.web.late import late

#: Maximum characters of a name.
MOST = 1000

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"

#: A parameter. A value that is neither a token nor quoted ends at the next semicolon: servers omit the quotes.
_PARAMETER = late(rf'({_TOKEN})[ \t]*+=[ \t]*+("(?:[^"\\]|\\.)*+"|[^;]*+)', re.DOTALL)

#: RFC 8187 section 3.2: charset'language'percent-encoded.
_EXTENDED = late(r"(utf-8|iso-8859-1)'[^']*'((?:%[0-9a-f]{2}|[^%'\"\s;,])++)", re.IGNORECASE)


def name_of(disposition: str, url: str) -> str:
    """The name of a file from its Content-Disposition (as http.client returns it), else from the path of its URL.

    Directories are removed; the name is not yet safe for a file system (`ttcrawl.web.filename` makes it so).

    >>> name_of("attachment; filename*=UTF-8''%e2%82%ac.pdf; filename=EUR.pdf", "http://a.test/x")
    '€.pdf'
    >>> name_of("inline", "http://a.test/a%20b.png?x=1")
    'a b.png'
    """
    return (_base(disposed(disposition)) or _of_path(url))[:MOST]


def disposed(header: str) -> str:
    """The file name in a Content-Disposition (RFC 6266 section 4.3), "" if none."""
    parameters = _parameters(header)
    extended = _EXTENDED.fullmatch(parameters.get("filename*", "").strip())
    if extended:
        try:
            return unquote_to_bytes(extended[2]).decode(extended[1])
        except UnicodeDecodeError:
            pass  # filename may be valid
    return _text(parameters.get("filename", "").strip())


def _parameters(header: str) -> dict[str, str]:
    """Name -> value of the parameters; the first value of a repeated name counts."""
    parameters: dict[str, str] = {}
    position = 0
    while position < len(header):
        match = _PARAMETER.match(header, position)
        if match:
            parameters.setdefault(match[1].lower(), match[2])
            position = match.end()
        semicolon = header.find(";", position)
        if semicolon < 0:
            break
        position = semicolon + 1
        while position < len(header) and header[position] in " \t":
            position += 1
    return parameters


def _text(value: str) -> str:
    """A value without its quotes."""
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        value = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
    return text_of(value)


def _of_path(url: str) -> str:
    """The last non-empty segment of the path, decoded if it is UTF-8; else the host."""
    host, _, path = url.partition("://")[2].partition("/")
    for segment in reversed(path.partition("?")[0].split("/")):
        try:
            text = unquote_to_bytes(segment).decode()
        except UnicodeError:
            text = segment
        if name := _base(text):
            return name
    return host


def _base(text: str) -> str:
    return re.split(r"[/\\]", text)[-1].strip()
