"""The headers that a request has by the configuration, and a request without its secrets for the archive.

An archive is passed on, so the values of Authorization and Proxy-Authorization, and those of headers with secrets of
the configuration, are replaced. Cookies of servers stay: their values are in the archived responses too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ttcrawl.config import Config, Login, headers, logins, resolved
from ttcrawl.config.credentials import BASIC, DIGEST
from ttcrawl.fetch.digest import Digests
from ttcrawl.web.late import late
from ttcrawl.web.scope.chosen import pattern_of

REMOVED = b"(removed)"

#: Headers whose values are always replaced.
CREDENTIALS = ("Authorization", "Proxy-Authorization")


class OwnHeaders:
    """What the configuration adds to requests. Raises ConfigError for a secret that is missing."""

    def __init__(self, config: Config, environment: Mapping[str, str] = os.environ) -> None:
        own = [resolved(each, environment) for each in headers(config.fetch.headers)]
        self.of_all = {each.name: each.value for each in own if not each.pattern}
        self._of_some = [(pattern_of(each.pattern), each) for each in own if each.pattern]
        every = {host: each.revealed("[fetch] login", environment) for host, each in logins(config.fetch.login).items()}
        self._logins = {host: _value(login) for host, login in every.items() if login.scheme != DIGEST}
        digests = {host: login for host, login in every.items() if login.scheme == DIGEST}
        self.digests = Digests(digests) if digests else None
        secrets = [each.name for each in own if each.secret]
        self.without_secrets = without([*secrets, "Cookie"] if config.login.cookies or config.login.form else secrets)

    def of(self, url: str, authority: str) -> dict[str, str]:
        """What the request for a canonical URL has beside `of_all`."""
        login = self._logins.get(authority)
        result = {"Authorization": login} if login else {}
        for pattern, header in self._of_some:
            if pattern.search(url):
                result[header.name] = header.value
        return result


def _value(login: Login) -> str:
    """Return the value of Authorization."""
    return login.basic() if login.scheme == BASIC else f"Bearer {login.password}"


def without(names: Sequence[str]) -> Callable[[bytes], bytes]:
    r"""Return what removes the values of these headers from a request, besides those of credentials.

    >>> without(["X-Key"])(b"GET / HTTP/1.1\r\nx-key: 1\r\nAuthorization: Basic bWU6c2VjcmV0\r\nX-Keys: 2\r\n\r\n")
    b'GET / HTTP/1.1\r\nx-key: (removed)\r\nAuthorization: (removed)\r\nX-Keys: 2\r\n\r\n'
    """
    either = "|".join(re.escape(name) for name in dict.fromkeys((*CREDENTIALS, *names)))
    values = late(rf"(?im)^((?:{either}):[ \t]*)[^\r\n]*".encode())
    if not names:  # an archived request costs as little as it can
        return lambda request: values.sub(rb"\1" + REMOVED, request) if b"uthorization" in request else request
    return partial(values.sub, rb"\1" + REMOVED)
