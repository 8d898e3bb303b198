"""The lines of fetch.headers. A secret is named, never written: config.ini of a crawl is copied and passed on.

No message here repeats a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from ttcrawl.config.secrets import REFERENCE, revealed
from ttcrawl.errors import ConfigError
from ttcrawl.frozen import frozen
from ttcrawl.web.late import late
from ttcrawl.web.line import Line

LINE = late(r"(?:(\S+)\s+)?([A-Za-z0-9_-]+):\s*(\S.*)")

#: Patterns that no URL of another host matches, whoever made it up.
OF_A_HOST = late(r"host:|https?://[^*?/\\]+/")

#: Headers that a request has by other keys, or by what it is.
OTHERS = {
    "user-agent": "it is [agent] user_agent",
    "accept-encoding": "a request names the codings that are understood here",
    "proxy-authorization": "it is the user and password in [fetch] proxy",
    **dict.fromkeys(("if-modified-since", "if-none-match", "range"), "recrawl sends what it knows of a page"),
    **dict.fromkeys(
        ("host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "expect"),
        "it belongs to the connection",
    ),
}

#: Headers whose values are secrets, and as they are usually written.
SECRETS = ("authorization", "cookie", "x-api-key", "x-auth-token")
USUAL = {"accept": "Accept", "authorization": "Authorization", "cookie": "Cookie"}


@frozen
class Header:
    """A header of requests."""

    pattern: str  # of the URLs whose requests have it, as in [scope]; "": all
    name: str
    value: str = field(repr=False)  # as written, or with the values of its references
    secret: bool  # it has references, or had them


def headers(lines: Iterable[Line]) -> tuple[Header, ...]:
    """Return the headers of lines [PATTERN] NAME: VALUE, each with its references. Raises ConfigError.

    >>> headers([Line(text="host:a.test Authorization: Bearer ${TOKEN}")])
    (Header(pattern='host:a.test', name='Authorization', secret=True),)
    """
    return tuple(map(_header, lines))


def _header(line: Line) -> Header:
    match = LINE.fullmatch(line.text.strip())
    if not match:
        raise _wrong(line, "write NAME: VALUE, after a pattern of URLs and a blank if it is not for all")
    pattern, name, value = match[1] or "", match[2], match[3]
    if why := OTHERS.get(name.lower()):
        raise _wrong(line, f"{name} cannot be set here: {why}")
    if not value.isprintable() or not value.isascii():
        raise _wrong(line, f"the value of {name} is not printable ASCII")
    secret = REFERENCE.search(value) is not None
    if name.lower() in SECRETS and not secret:
        raise _wrong(line, f"{name} is a secret: write ${{NAME}} for an environment variable, or ${{file:PATH}}")
    if secret and not OF_A_HOST.match(pattern):
        about = "write host:NAME or https://NAME/* before it, for the host that may know it"
        raise _wrong(line, f"{name} has a secret: {about}")
    if pattern:
        _check(line, pattern)
    return Header(pattern=pattern, name=USUAL.get(name.lower(), name), value=value, secret=secret)


def _check(line: Line, pattern: str) -> None:
    from ttcrawl.web.scope.chosen import pattern_of  # most crawls have no patterns here

    try:
        pattern_of(pattern)
    except ValueError as error:
        raise _wrong(line, f"{pattern}: {error}") from None


def _wrong(line: Line, what: str) -> ConfigError:
    return ConfigError(f"{line.position or '[fetch] headers'}: {what}")


def resolved(header: Header, environment: Mapping[str, str]) -> Header:
    """Return a header with the values of its references. Raises ConfigError if one is missing, or cannot be sent."""
    if not header.secret:
        return header
    value = revealed(header.value, "[fetch] headers", header.name, environment)
    if not value.isprintable() or not value.isascii():
        raise ConfigError(f"[fetch] headers: the secret of {header.name} is not printable ASCII on one line")
    return replace(header, value=value)
