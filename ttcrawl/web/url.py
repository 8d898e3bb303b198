"""The canonical form shared by all crawls, and its derived values: host, registrable domain, key.

It is the output of a WHATWG parser (ada-url): host in lower case and IDNA, no default port, dot segments resolved, an
empty path becomes "/". Percent-encoding is then normalized (RFC 3986 section 6.2.2). Fragment, user name and password
are removed, and only the schemes http and https are accepted, and ftp where it is asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache

import ada_url
import xxhash

from ttcrawl.web.suffixes import suffixes

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DIGITS = "0123456789ABCDEFabcdef"
#: An escape; or an escape after a % that starts none.
_ESCAPE = re.compile("%[0-9A-Fa-f]{2}|%[0-9A-Fa-f]?%[0-9A-Fa-f]{2}")
_PLAIN = {
    f"%{high}{low}": byte if (byte := chr(int(high + low, 16))) in _UNRESERVED else f"%{high}{low}".upper()
    for high in _DIGITS
    for low in _DIGITS
}

#: For str.translate: characters that the URL parser removes anywhere (URL standard 4.4).
DROPPED = dict.fromkeys(map(ord, "\t\n\r"))

#: An ftp: URL without user. Its host has two characters at least: the path of any canonical URL begins at 8 or later.
_FTP = re.compile(r"ftp://[^/@]{2,}/")

#: The host of an ftp: URL has its port always: it is a service of its own, with its own robots.txt (RFC 9309
#: section 2.3), and the web server of the same name is another one.
FTP_PORT = ":21"


def without_fragment(reference: str) -> str:
    """The reference to parse instead of one with a fragment: references that differ only in the fragment become equal.

    A blank before the # is inside the reference, and the parser strips blanks only at its ends (URL standard 4.4). Then
    the # stays, with nothing after it.

    >>> without_fragment("x#y"), without_fragment("x #y")
    ('x', 'x #')
    """
    text, mark, _ = reference.partition("#")
    return text + mark if mark and text and text[-1] <= " " else text


def joined(base: str, href: str) -> str:
    """The output of a WHATWG parser for a reference, without its fragment. Raises ValueError if it is not a URL."""
    url: str = ada_url.join_url(base, without_fragment(href) if "#" in href else href)
    return url.removesuffix("#")


def absolute(base: str, href: str) -> str:
    """The same, and "" if it is not a URL.

    >>> absolute("http://a.test/x", "y#z"), absolute("http://a.test/", "http://[")
    ('http://a.test/y', '')
    """
    try:
        return joined(base, href)
    except ValueError:
        return ""


def resolve(base: str, href: str, *, ftp: bool = False) -> str | None:
    """The canonical URL of `href` on a page whose base URL is `base`; None: not an http(s) URL, nor one of `ftp`.

    >>> resolve("http://a.test/x/y.html", "../%7ez.html#top")
    'http://a.test/~z.html'
    """
    try:
        return plain(joined(base, href), ftp=ftp)
    except ValueError:
        return None


def canonical(text: str, *, ftp: bool = False) -> str | None:
    """The canonical form of an absolute URL written by a person; None: not an http(s) URL, nor one of `ftp`."""
    try:
        return plain(ada_url.normalize_url(without_fragment(text)).removesuffix("#"), ftp=ftp)
    except ValueError:
        return None


def plain(url: str, *, ftp: bool = False) -> str | None:
    """The output of a WHATWG parser, without credentials and with normalized percent-encoding.

    An FTP server shows each user other files, so an ftp: URL without its credentials would be another one: None.
    """
    if not url.startswith(("http://", "https://")):
        return percent(url) if ftp and _FTP.match(url) else None
    # Every reader of the database sees credentials, and a page could insert them into our requests.
    if "@" in url and "@" in url.split("/", 3)[2]:
        url = without_credentials(url)
    return percent(url) if "%" in url else url


def without_credentials(url: str) -> str:
    parsed = ada_url.URL(url)
    parsed.username = parsed.password = ""
    return str(parsed.href)


def percent(url: str) -> str:
    """Unreserved characters are decoded, all other escapes become upper case (RFC 3986 section 6.2.2).

    Nothing is decoded twice: %2541 stays. A % that starts no escape stays too, as browsers send it, and the characters
    after it are not decoded: %%34%31 would become %41, which is another URL.
    """
    return _ESCAPE.sub(_normalised, url)


def _normalised(escape: re.Match[str]) -> str:
    text = escape[0]
    return _PLAIN[text] if len(text) == 3 else text[:-3] + text[-3:].upper()


def host(url: str) -> str:
    """The host of a canonical URL, with its port unless it is the scheme's default.

    >>> host("http://a.test:8080/x")
    'a.test:8080'
    >>> host("ftp://a.test/x")
    'a.test:21'
    """
    authority = url.split("/", 3)[2]
    if url[0] == "f" and split_port(authority)[1] is None:
        return authority + FTP_PORT
    return authority


def on_host(url: str, name: str, path: str) -> str:
    """The URL of a path on the host `name`, with the scheme of `url`; canonical if the path is.

    >>> on_host("ftp://b.test/x", "a.test:21", "/robots.txt")
    'ftp://a.test/robots.txt'
    """
    scheme = url.partition(":")[0]
    return f"{scheme}://{name.removesuffix(FTP_PORT) if scheme == 'ftp' else name}{path}"


def split_port(authority: str) -> tuple[str, int | None]:
    """("a.test", 8080) for "a.test:8080"; the port is None if it is the scheme's default."""
    if authority.startswith("["):
        host, _, rest = authority.partition("]")
        return host + "]", int(rest[1:]) if rest else None
    host, colon, port = authority.partition(":")
    return host, int(port) if colon else None


def key(url: str) -> int:
    """64-bit xxh3 of a canonical URL as a signed integer, as SQLite stores it."""
    value = xxhash.xxh3_64_intdigest(url.encode())
    return value - (1 << 64) if value >> 63 else value


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
    return suffixes(name).privatesuffix(name) or name


def is_public_suffix(name: str) -> bool:
    """Whether this host name (lower case, IDNA) is a public suffix, open to registration: "com", "co.uk"."""
    name = name.rstrip(".")
    return bool(suffixes(name).is_public(name))
