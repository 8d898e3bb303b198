"""Pure functions over URLs: resolve, canonical form, host, registrable domain, key.

A canonical URL is what a WHATWG parser (ada-url) prints: host in lower case and IDNA, default port dropped, dot
segments resolved; here without fragment and without user name and password, and only of scheme http or https.
"""

from __future__ import annotations

from functools import lru_cache

import ada_url
import xxhash
from publicsuffixlist import PublicSuffixList


def resolve(base: str, href: str) -> str | None:
    """The canonical URL that `href` names on a page whose base URL is `base`; None: no http(s) URL.

    >>> resolve("http://a.test/x/y.html", "../z.html#top")
    'http://a.test/z.html'
    """
    try:
        url: str = ada_url.join_url(base, href.partition("#")[0])
    except (ValueError, UnicodeEncodeError):
        return None
    return _plain(url)


def canonical(text: str) -> str | None:
    """The canonical form of an absolute URL as a person writes it; None: it is no http(s) URL."""
    try:
        url: str = ada_url.normalize_url(text.partition("#")[0])
    except (ValueError, UnicodeEncodeError):
        return None
    return _plain(url)


def _plain(url: str) -> str | None:
    if not url.startswith(("http://", "https://")):
        return None
    # Credentials are seen by everybody who reads the ledger, and a page could smuggle them into our requests.
    return _without_credentials(url) if "@" in url.split("/", 3)[2] else url


def _without_credentials(url: str) -> str:
    parsed = ada_url.URL(url)
    parsed.username = parsed.password = ""
    return str(parsed.href)


def host(url: str) -> str:
    """The host of a canonical URL, with the port where it is not the scheme's own.

    >>> host("http://a.test:8080/x")
    'a.test:8080'
    """
    return url.split("/", 3)[2]


def split_port(authority: str) -> tuple[str, int | None]:
    """("a.test", 8080) of "a.test:8080"; the port is None where it is the scheme's own."""
    if authority.startswith("["):
        host, _, rest = authority.partition("]")
        return host + "]", int(rest[1:]) if rest else None
    host, colon, port = authority.partition(":")
    return host, int(port) if colon else None


def key(url: str) -> int:
    """64-bit xxh3 of a canonical URL as a signed integer, as SQLite keeps integers."""
    value = xxhash.xxh3_64_intdigest(url.encode())
    return value - (1 << 64) if value >> 63 else value


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=4096)
def registrable_domain(host: str) -> str:
    """The registrable domain of a host (public suffix and one label); the host itself for addresses and bare suffixes.

    >>> registrable_domain("www.a.co.uk:8080")
    'a.co.uk'
    """
    name = host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    name = name.rstrip(".")
    if name.startswith("[") or name.replace(".", "").isdigit():
        return name
    return _suffixes().privatesuffix(name) or name


def is_public_suffix(name: str) -> bool:
    """Whether a host name in lower case and IDNA is one under which anybody may register: "com", "co.uk"."""
    return bool(_suffixes().is_public(name.rstrip(".")))
