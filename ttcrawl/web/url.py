"""The canonical form that all crawls share, and what is read off it: host, registrable domain, key.

It is what a WHATWG parser (ada-url) prints: host in lower case and IDNA, default port dropped, dot segments resolved,
an empty path "/". Then percent-encoding as RFC 3986 section 6.2.2 says; no fragment, no user name and password, and
only of scheme http or https.
"""

from __future__ import annotations

import re
from functools import lru_cache

import ada_url
import xxhash
from publicsuffixlist import PublicSuffixList

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DIGITS = "0123456789ABCDEFabcdef"
#: An escape; or one behind a % that begins none.
_ESCAPE = re.compile("%[0-9A-Fa-f]{2}|%[0-9A-Fa-f]?%[0-9A-Fa-f]{2}")
_PLAIN = {
    f"%{high}{low}": byte if (byte := chr(int(high + low, 16))) in _UNRESERVED else f"%{high}{low}".upper()
    for high in _DIGITS
    for low in _DIGITS
}


def without_fragment(reference: str) -> str:
    """The reference to be parsed in place of one with a fragment: what differs in the fragment alone becomes equal.

    A blank before the # is in the middle of the reference, and the parser strips only what is at its ends (URL
    standard 4.4). There the # stays, with nothing behind it.

    >>> without_fragment("x#y"), without_fragment("x #y")
    ('x', 'x #')
    """
    text, mark, _ = reference.partition("#")
    return text + mark if mark and text and text[-1] <= " " else text


def joined(base: str, href: str) -> str:
    """What a WHATWG parser prints of a reference, without its fragment. Raises ValueError where it is no URL."""
    url: str = ada_url.join_url(base, without_fragment(href) if "#" in href else href)
    return url.removesuffix("#")


def resolve(base: str, href: str) -> str | None:
    """The canonical URL that `href` names on a page whose base URL is `base`; None: no http(s) URL.

    >>> resolve("http://a.test/x/y.html", "../%7ez.html#top")
    'http://a.test/~z.html'
    """
    try:
        return plain(joined(base, href))
    except (ValueError, UnicodeEncodeError):
        return None


def canonical(text: str) -> str | None:
    """The canonical form of an absolute URL as a person writes it; None: it is no http(s) URL."""
    try:
        return plain(ada_url.normalize_url(without_fragment(text)).removesuffix("#"))
    except (ValueError, UnicodeEncodeError):
        return None


def plain(url: str) -> str | None:
    """What a WHATWG parser printed, without credentials and with percent-encoding normalised."""
    if not url.startswith(("http://", "https://")):
        return None
    # Credentials are seen by everybody who reads the ledger, and a page could smuggle them into our requests.
    if "@" in url and "@" in url.split("/", 3)[2]:
        url = without_credentials(url)
    return percent(url) if "%" in url else url


def without_credentials(url: str) -> str:
    parsed = ada_url.URL(url)
    parsed.username = parsed.password = ""
    return str(parsed.href)


def percent(url: str) -> str:
    """Unreserved characters decoded, the hexadecimal digits of all else in upper case (RFC 3986 section 6.2.2).

    Nothing is decoded twice: %2541 stays. A % that begins no escape stays too, as browsers ask for it, and what follows
    it is not decoded: %%34%31 would become %41, which is another URL.
    """
    return _ESCAPE.sub(_normalised, url)


def _normalised(escape: re.Match[str]) -> str:
    text = escape[0]
    return _PLAIN[text] if len(text) == 3 else text[:-3] + text[-3:].upper()


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
