"""The lines of [login] form, success and lost. No message here repeats a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from urllib.parse import unquote

from ttcrawl.config.secrets import is_reference, revealed
from ttcrawl.errors import ConfigError
from ttcrawl.frozen import frozen
from ttcrawl.web.late import late
from ttcrawl.web.line import Line
from ttcrawl.web.url import canonical, host

#: Names of fields whose values are secrets.
SECRET = late(r"(?i)pass|pwd|kennwort|secret|token|\bpin\b|\botp\b")

#: A pattern of hosts before the rest of a line.
HOSTS = late(r"host:(\S+)\s+(.*)")

SIGN = late(r"([a-z]+):\s*(\S.*)")

#: Signs of each key.
KINDS = {"success": ("text", "url", "cookie"), "lost": ("url", "text", "status")}


@frozen
class Form:
    """A login by a form."""

    hosts: str  # pattern of the hosts that it is for; "": the host of the URL
    url: str  # canonical, of the page with the form
    fields: tuple[tuple[str, str], ...] = field(repr=False)  # names, and values or references to them

    def covers(self, authority: str) -> bool:
        """Whether it is for a host, as it is in a canonical URL."""
        return _covers(self.hosts, authority) if self.hosts else authority == host(self.url)

    def revealed(self, environment: Mapping[str, str]) -> Form:
        """Return it with its secrets. Raises ConfigError if one is missing."""
        values = [(name, _revealed(name, value, environment)) for name, value in self.fields]
        return replace(self, fields=tuple(values))


@frozen
class Sign:
    """What an answer shows."""

    hosts: str  # pattern of the hosts that it is for; "": all
    kind: str
    value: str

    def covers(self, authority: str) -> bool:
        return not self.hosts or _covers(self.hosts, authority)


def forms(lines: Iterable[Line]) -> tuple[Form, ...]:
    """Return the logins of lines [host:PATTERN] URL NAME=VALUE ... Raises ConfigError.

    >>> forms([Line(text="https://a.test/login user=me password=${PW}")])
    (Form(hosts='', url='https://a.test/login'),)
    """
    found = tuple(map(_form, lines))
    for number, each in enumerate(found):
        if any(each.url == other.url or each.covers(host(other.url)) for other in found[:number]):
            raise ConfigError(f"[login] form: {host(each.url)} has two logins: write one for each host")
    return found


def _form(line: Line) -> Form:
    hosts, rest = _hosts(line, "form")
    address, *pairs = rest.split()
    url = canonical(address)
    if url is None or not url.startswith(("http://", "https://")) or not pairs:
        raise _wrong(line, "form", "write the URL of the page with the form, then its fields: NAME=VALUE")
    fields: list[tuple[str, str]] = []
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise _wrong(line, "form", "a field is NAME=VALUE, with white space percent-encoded")
        secret = is_reference(value)
        if SECRET.search(name) and not secret:
            about = f"{unquote(name)} is a secret: write ${{NAME}} for an environment variable, or ${{file:PATH}}"
            raise _wrong(line, "form", about)
        fields.append((unquote(name), value if secret else unquote(value)))
    return Form(hosts=hosts, url=url, fields=tuple(fields))


def signs(lines: Iterable[Line], key: str) -> tuple[Sign, ...]:
    """Return the signs of lines [host:PATTERN] KIND: VALUE. `key`: success or lost. Raises ConfigError."""
    return tuple(_sign(line, key) for line in lines)


def _sign(line: Line, key: str) -> Sign:
    hosts, rest = _hosts(line, key)
    match = SIGN.fullmatch(rest)
    if not match or match[1] not in KINDS[key]:
        raise _wrong(line, key, f"write one of {': ..., '.join(KINDS[key])}: ...")
    kind, value = match[1], match[2]
    if kind == "url":
        from ttcrawl.web.scope.chosen import pattern_of  # most crawls have no patterns here

        try:
            pattern_of(value)
        except ValueError as error:
            raise _wrong(line, key, f"{value}: {error}") from None
    if kind == "status" and not re.fullmatch("[1-9][0-9]{2}", value):
        raise _wrong(line, key, "write a status of three digits, such as 401")
    return Sign(hosts=hosts, kind=kind, value=value)


def _hosts(line: Line, key: str) -> tuple[str, str]:
    text = line.text.strip()
    match = HOSTS.fullmatch(text)
    if not match:
        return "", text
    from ttcrawl.web.scope.patterns import normal_host  # most crawls have no patterns here

    try:
        name, below = normal_host(match[1])
    except ValueError as error:
        raise _wrong(line, key, f"host:{match[1]}: {error}") from None
    return f"*.{name}" if below else name, match[2]


def _covers(pattern: str, authority: str) -> bool:
    from ttcrawl.web.scope.patterns import covers  # as above

    return covers(pattern, authority)


def _revealed(name: str, value: str, environment: Mapping[str, str]) -> str:
    return revealed(value, "[login] form", f"the field {name}", environment) if is_reference(value) else value


def _wrong(line: Line, key: str, what: str) -> ConfigError:
    return ConfigError(f"{line.position or f'[login] {key}'}: {what}")
