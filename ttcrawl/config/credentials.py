"""The values of fetch.login and fetch.proxy. No message here repeats text that may be a password."""

from __future__ import annotations

import base64
import re
from dataclasses import field
from urllib.parse import unquote

from ttcrawl.frozen import frozen
from ttcrawl.web.late import late
from ttcrawl.web.url import canonical, host

ENTRY = late(r"([^=@/?#\\]+)=([^:]+):(.*)")
PROXY = late(
    r"(https?|socks4a?|socks5h?)://(?:([^:@/\s]+)(?::([^:@/\s]*))?@)?(\[[0-9a-f:.]+\]|[^:@/\s\[\]?#\\]+):(\d{1,5})/?",
    re.IGNORECASE,
)
CONTROL = late("[\x00-\x1f\x7f-\x9f]")
STRAY = late("%(?![0-9A-Fa-f]{2})")

#: Bytes of a user name or password for SOCKS5: RFC 1929 allows 255, PySocks sends the length as a character in UTF-8.
MAX_SOCKS = 127


@frozen
class Login:
    """A user name and a password."""

    user: str
    password: str = field(repr=False)

    def basic(self) -> str:
        """Return the credentials of basic authentication, in UTF-8 (RFC 7617 section 2.1)."""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()


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
    """Return the logins of HOST=USER:PASSWORD entries, separated by white space, by canonical host. Raises ValueError.

    >>> logins("A.test:8080=me:secret")
    {'a.test:8080': Login(user='me')}
    """
    by_host: dict[str, Login] = {}
    for number, entry in enumerate(text.split(), start=1):
        where = f"login, entry {number}"
        match = ENTRY.fullmatch(entry)
        if not match:
            raise ValueError(f"{where}: write HOST=USER:PASSWORD, with = : and white space percent-encoded")
        url = canonical(f"http://{match[1]}/")
        if url is None or match[1].endswith((":80", ":443")):
            raise ValueError(f"{where}: write the host as in its URLs, with a port only if they have one")
        if host(url) in by_host:
            raise ValueError(f"{where}: this host has a login already; write one for each host")
        by_host[host(url)] = _login(match[2], match[3], where)
    return by_host


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
        if not 0 < min(sizes) <= max(sizes) <= MAX_SOCKS:
            raise ValueError(f"proxy: SOCKS5 needs a user and a password of 1 to {MAX_SOCKS} bytes each")
    return Proxy(scheme=scheme, host=host(url), port=int(match[5]), login=login)


def _login(user: str, password: str, where: str) -> Login:
    """Return the login of percent-encoded texts."""
    if STRAY.search(user) or STRAY.search(password):
        raise ValueError(f"{where}: a percent sign begins an escape; write %25 for a percent sign")
    try:
        login = Login(user=unquote(user, errors="strict"), password=unquote(password, errors="strict"))
    except UnicodeDecodeError:
        raise ValueError(f"{where}: write user and password in percent-encoded UTF-8") from None
    if ":" in login.user or CONTROL.search(login.user + login.password):
        raise ValueError(f"{where}: no colon in the user name, and no control characters (RFC 7617 section 2)")
    return login
