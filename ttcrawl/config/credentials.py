"""The values of fetch.login and fetch.proxy. No message here repeats text that may be a password."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import field, replace
from urllib.parse import unquote

from ttcrawl.config.secrets import is_reference, revealed
from ttcrawl.errors import ConfigError
from ttcrawl.frozen import frozen
from ttcrawl.web.late import late
from ttcrawl.web.url import canonical, host

ENTRY = late(r"(?:(digest):)?([^=@/?#\\]+)=([^:]+):(.*)")
BEARER = late(r"bearer:([^=@/?#\\]+)=(.+)")
PROXY = late(
    r"(https?|socks4a?|socks5h?)://(?:([^:@/\s]+)(?::(\$\{[^}\s]*\}|[^:@/\s]*))?@)?(\[[0-9a-f:.]+\]|[^:@/\s\[\]?#\\]+):(\d{1,5})/?",
    re.IGNORECASE,
)
CONTROL = late("[\x00-\x1f\x7f-\x9f]")
STRAY = late("%(?![0-9A-Fa-f]{2})")

#: Bytes of a user name or password for SOCKS5: RFC 1929 allows 255, PySocks sends the length as a character in UTF-8.
MAX_SOCKS = 127


BASIC, DIGEST, BEARER_TOKEN = "basic", "digest", "bearer"


@frozen
class Login:
    """A user name and a password, or a token."""

    user: str
    password: str = field(repr=False)  # or a reference to it
    scheme: str = BASIC  # BASIC, DIGEST or BEARER_TOKEN

    def basic(self) -> str:
        """Return the credentials of basic authentication, in UTF-8 (RFC 7617 section 2.1)."""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()

    def revealed(self, key: str, environment: Mapping[str, str]) -> Login:
        """Return it with its password. `key`: which has it, for errors. Raises ConfigError if it is missing."""
        if not is_reference(self.password):
            return self
        password = revealed(self.password, key, "the password" if self.user else "the token", environment)
        if CONTROL.search(password) or (self.scheme == BEARER_TOKEN and not password.isascii()):
            raise ConfigError(f"{key}: a secret has characters that cannot be sent")
        return replace(self, password=password)


@frozen
class Proxy:
    """The proxy for all requests."""

    scheme: str
    host: str  # as in a canonical URL
    port: int
    login: Login | None

    @property
    def resolves(self) -> bool:
        """Whether the proxy looks names up; then the addresses that it connects to are unknown."""
        return self.scheme not in ("socks4", "socks5")


def logins(text: str) -> dict[str, Login]:
    """Return the logins of entries separated by white space, by canonical host. Raises ValueError.

    An entry is HOST=USER:PASSWORD, digest:HOST=USER:PASSWORD, or bearer:HOST=${NAME}.

    >>> logins("A.test:8080=me:secret")
    {'a.test:8080': Login(user='me', scheme='basic')}
    """
    by_host: dict[str, Login] = {}
    for number, entry in enumerate(text.split(), start=1):
        where = f"login, entry {number}"
        if entry.startswith("bearer:"):
            name, login = _bearer(entry, where)
        elif match := ENTRY.fullmatch(entry):
            name, login = match[2], replace(_login(match[3], match[4], where), scheme=match[1] or BASIC)
        else:
            raise ValueError(f"{where}: write HOST=USER:PASSWORD, with = : and white space percent-encoded")
        url = canonical(f"http://{name}/")
        if url is None or name.endswith((":80", ":443")):
            raise ValueError(f"{where}: write the host as in its URLs, with a port only if they have one")
        if host(url) in by_host:
            raise ValueError(f"{where}: this host has a login already; write one for each host")
        by_host[host(url)] = login
    return by_host


def _bearer(entry: str, where: str) -> tuple[str, Login]:
    match = BEARER.fullmatch(entry)
    if not match or not is_reference(match[2]):
        raise ValueError(
            f"{where}: write bearer:HOST=${{NAME}} for a token in an environment variable, or ${{file:PATH}}"
        )
    return match[1], Login(user="", password=match[2], scheme=BEARER_TOKEN)


def proxy(text: str) -> Proxy | None:
    """Return the proxy of a URL, None if it is empty. Raises ValueError."""
    if not text:
        return None
    match = PROXY.fullmatch(text)
    url = canonical(f"http://{match[4]}/") if match else None
    if not match or url is None or not 0 < int(match[5]) < 65536:
        raise ValueError(
            "proxy: write SCHEME://[USER:PASSWORD@]HOST:PORT, of scheme http, https, socks4, socks4a, socks5 or"
            " socks5h, with : / @ and white space of user and password percent-encoded"
        )
    scheme = match[1].lower()
    login = _login(match[2], match[3] or "", "proxy") if match[2] else None
    if login and scheme.startswith("socks4") and login.password:
        raise ValueError("proxy: SOCKS4 has a user but no password; remove the password")
    if login and scheme.startswith("socks5"):
        sizes = (len(login.user.encode()), len(login.password.encode()))
        if not (is_reference(login.password) or 0 < min(sizes) <= max(sizes) <= MAX_SOCKS):
            raise ValueError(f"proxy: SOCKS5 needs a user and a password of 1 to {MAX_SOCKS} bytes each")
    return Proxy(scheme=scheme, host=host(url), port=int(match[5]), login=login)


def _login(user: str, password: str, where: str) -> Login:
    """Return the login of percent-encoded texts."""
    if is_reference(password):
        return replace(_login(user, "", where), password=password)
    if STRAY.search(user) or STRAY.search(password):
        raise ValueError(f"{where}: a percent sign begins an escape; write %25 for a percent sign")
    try:
        login = Login(user=unquote(user, errors="strict"), password=unquote(password, errors="strict"))
    except UnicodeDecodeError:
        raise ValueError(f"{where}: write user and password in percent-encoded UTF-8") from None
    if ":" in login.user or CONTROL.search(login.user + login.password):
        raise ValueError(f"{where}: no colon in the user name, and no control characters (RFC 7617 section 2)")
    return login
